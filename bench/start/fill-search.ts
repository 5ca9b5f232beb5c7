/** Creates a long history in four languages, stored as by sends, and its search index. */

import { connect, type Sql } from '../../db/connection/connect.ts'
import { indexMessages } from '../../workers/jobs/upkeep/index-messages.ts'
import type { ExpectedHits } from '../load/expected-hits.ts'
import { makeSearchTexts, type SearchText } from '../load/search-texts.ts'

/** Messages in one statement. */
const BATCH_LENGTH = 10_000

/** The messages to store, in channels by turns; `note` is called for each. */
export interface SearchHistory {
  readonly count: number
  readonly channelIds: readonly number[]
  readonly seed: number
  readonly note: (id: number, text: SearchText) => void
}

/** Stores the messages; returns the newest id. */
export async function fillSearch(
  databaseUrl: string,
  { count, channelIds, seed, note }: SearchHistory,
): Promise<number> {
  const sql = connect(databaseUrl, 1, 'bench')
  try {
    const [counter] = await sql<{ lastId: number }[]>`select last_id as "lastId" from event_counter`
    let lastId = counter?.lastId ?? 0
    let batch: SearchText[] = []
    let storing: Promise<unknown> = Promise.resolve()
    const store = async () => {
      await storing // The next batch is made meanwhile.
      storing = storeBatch(sql, { afterId: lastId, channelIds, batch })
      lastId += batch.length
      batch = []
    }
    for (const text of makeSearchTexts(count, seed)) {
      batch.push(text)
      note(lastId + batch.length, text)
      if (batch.length === BATCH_LENGTH) await store()
    }
    await store()
    await storing
    await sql`update event_counter set last_id = ${lastId}, structural_id = ${lastId}`
    await sql`analyze messages`
    return lastId
  } finally {
    await sql.end()
  }
}

/** Notes the notices of new channels, which searches find, too. */
export async function noteNotices(databaseUrl: string, hits: ExpectedHits): Promise<void> {
  const sql = connect(databaseUrl, 1, 'bench')
  try {
    const rows = await sql<{ id: number; text: string }[]>`
      select id, topic || ' ' || content as text from messages order by id`
    for (const { id, text } of rows) hits.note(id, text)
  } finally {
    await sql.end()
  }
}

/** Indexes all messages as the worker does. */
export async function indexSearch(databaseUrl: string): Promise<void> {
  const sql = connect(databaseUrl, 1, 'bench')
  try {
    while ((await indexMessages(sql)) > 0) {}
    await sql`analyze search_words, search_postings`
  } finally {
    await sql.end()
  }
}

async function storeBatch(
  sql: Sql,
  {
    afterId,
    channelIds,
    batch,
  }: { afterId: number; channelIds: readonly number[]; batch: readonly SearchText[] },
): Promise<void> {
  const topics = batch.map(({ topic }) => topic)
  const contents = batch.map(({ content }) => content)
  await sql`
    insert into messages (id, channel_id, topic, sender_id, content, rendered, sent_at, client, read_by_id)
    select id, (${[...channelIds]}::int[])[1 + id % ${channelIds.length}], topic,
      1 + id % 10, content, '<p>' || content || '</p>', 1700000000 + id, 'API', 1
    from (select ${afterId} + number as id, topic, content
      from unnest(${topics}::text[], ${contents}::text[]) with ordinality as m (topic, content, number)) m`
}
