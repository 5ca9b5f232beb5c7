/** Creates a history for a benchmark to read. */

import { openLocalWriter } from '../../server/actors/local-writer.ts'
import type { Change } from '../../server/actors/committer.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { makeContent } from '../load/make-content.ts'

/** Sends this many messages to each channel in turn; returns the ids by channel name, ascending. */
export async function fillChannels(
  databaseUrl: string,
  names: readonly string[],
  count: number,
): Promise<Map<string, number[]>> {
  const writer = await openLocalWriter(databaseUrl)
  const sent = new Map<string, Promise<number>[]>(names.map((name) => [name, []]))
  try {
    for (let mark = 0; mark < count * names.length; mark++) {
      const name = names[mark % names.length] as string
      const channel = writer.state.findChannelByName(name)?.channel
      if (!channel) throw new Error(`there is no channel ${name}`)
      const content = makeContent(mark)
      const change: Change<number> = {
        kind: 'messages',
        decide: () => ({
          events: [
            {
              event: {
                type: 'message',
                channelId: channel.id,
                conversationId: null,
                userIds: null,
                topic: `topic ${mark % 50}`,
                senderId: (1 + (mark % writer.state.users.size)) as UserId,
                content,
                rendered: `<p>${content}</p>`,
                sentAt: 1_700_000_000 + mark,
                client: 'API',
                readById: null,
                queueId: null,
                localId: null,
              },
              audience: { kind: 'subscribers', channelId: channel.id },
            },
          ],
          reply: (id) => id,
        }),
      }
      sent.get(name)?.push(writer.committer.submit(change))
      if (mark % 1_000 === 999) await Promise.all([...sent.values()].flat()) // The committer refuses too many at once.
    }
    await Promise.all([...sent.values()].flat())
    await writer.sql`analyze messages` // As autovacuum would within a minute.
    const ids = new Map<string, number[]>()
    for (const [name, answers] of sent) ids.set(name, await Promise.all(answers))
    return ids
  } finally {
    await writer.close()
  }
}
