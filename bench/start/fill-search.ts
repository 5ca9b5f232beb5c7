/** Creates a long history in four languages, stored as by sends, and indexed. */

import { connect } from '../../db/connect.ts'
import { indexMessages } from '../../workers/jobs/upkeep/index-messages.ts'
import { makeSearchTexts } from '../load/search-texts.ts'

/** Messages in one statement. */
const BATCH_LENGTH = 10_000

/** Stores this many messages in channels by turns and updates the search index; returns the newest id. */
export async function fillSearch(
  databaseUrl: string,
  { count, channelIds, seed }: { count: number; channelIds: readonly number[]; seed: number },
): Promise<number> {
  const sql = connect(databaseUrl, 1, 'bench')
  try {
    const [counter] = await sql<{ lastId: number }[]>`select last_id as "lastId" from event_counter`
    let lastId = counter?.lastId ?? 0
    const texts = makeSearchTexts(count, seed)
    for (let stored = 0; stored < count; stored += BATCH_LENGTH) {
      const batch = Array.from({ length: Math.min(BATCH_LENGTH, count - stored) }, () => texts.next().value)
      const topics = batch.map((text) => text?.topic ?? '')
      const contents = batch.map((text) => text?.content ?? '')
      await sql`
        insert into messages (id, channel_id, topic, sender_id, content, rendered, sent_at, client, read_by_id)
        select ${lastId} + number, (${[...channelIds]}::int[])[1 + number % ${channelIds.length}], topic,
          1 + number % 10, content, '<p>' || content || '</p>', 1700000000 + ${stored} + number, 'API', 1
        from unnest(${topics}::text[], ${contents}::text[]) with ordinality as m (topic, content, number)`
      lastId += batch.length
    }
    await sql`update event_counter set last_id = ${lastId}, structural_id = ${lastId}`
    await sql`analyze messages`
    while ((await indexMessages(sql)) > 0) {}
    await sql`analyze search_words, search_postings`
    return lastId
  } finally {
    await sql.end()
  }
}
