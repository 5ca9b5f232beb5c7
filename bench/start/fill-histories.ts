/** Creates edited messages for a benchmark of edit histories. */

import { openLocalWriter } from '../../server/actors/local-writer.ts'
import type { ChannelId, UserId } from '../../server/domain/ids.ts'
import { diffHtml } from '../../workers/pool/diff/diff-html.ts'
import { renderMarkdown } from '../../workers/pool/render-markdown.ts'
import { REWRITES } from '../load/hostile-rewrites.ts'

/** An edited message, and the expected history of its edit. */
export interface EditedMessage {
  readonly id: number
  readonly diff: string
}

const SENT_AT = 1_700_000_000

/** One message per rewrite, in a channel; no client gets it. */
export async function fillHistories(databaseUrl: string, channelId: number): Promise<EditedMessage[]> {
  const writer = await openLocalWriter(databaseUrl)
  const edited: EditedMessage[] = []
  try {
    for (const { previous, now } of REWRITES) {
      const before = renderMarkdown(previous)
      const after = renderMarkdown(now)
      const id = await writer.committer.submit<number>({
        kind: 'messages',
        decide: () => ({
          events: [
            {
              event: {
                type: 'message',
                channelId: channelId as ChannelId,
                conversationId: null,
                userIds: null,
                topic: 'edited',
                senderId: 1 as UserId,
                content: now,
                rendered: after,
                sentAt: SENT_AT,
                client: 'API',
                readById: null,
                queueId: null,
                localId: null,
              },
              audience: { kind: 'nobody' },
            },
          ],
          reply: (messageId) => messageId,
        }),
      })
      await writer.sql`
        with m as (update messages set edited_at = ${SENT_AT + 1} where id = ${id} returning id)
        insert into message_edits (message_id, id, user_id, edited_at, prev_content, prev_rendered)
        select id, id, 1, ${SENT_AT + 1}, ${previous}, ${before} from m`
      edited.push({ id, diff: diffHtml(before, after) })
    }
  } finally {
    await writer.close()
  }
  return edited
}
