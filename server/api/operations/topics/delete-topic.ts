/** `POST /streams/{stream_id}/delete_topic`: deletes the messages of a topic permanently. */

import { StaleDeletionError } from '../../../../db/messages/message-deletion.ts'
import { planTopicDeletion } from '../../../../db/messages/topics.ts'
import type { ChannelId } from '../../../domain/ids.ts'
import { TOPIC_LENGTH_MAX } from '../../../domain/limits.ts'
import { parseTopic } from '../../../domain/messages/topics.ts'
import { decideTopicDeletion } from '../../../decisions/messages/delete-messages.ts'
import { submit } from '../../../changes/submit.ts'
import { readLeft, notifyChanged } from '../../../changes/uploads/notify-uploads.ts'
import { findTopicReader } from '../../../decisions/topics/find-topic-reader.ts'
import { operation } from '../../operation.ts'
import { id, required, text } from '../../params.ts'
import { BOOLEAN } from '../../../domain/json-schema.ts'

/** Messages in one transaction, which locks the log; for legacy clients each is an event. */
const BATCH_LENGTH_MAX = 500
/** Their files; a message links a hundred at most. */
const UPLOADS_PER_BATCH_MAX = 500
/** Messages deleted per call. */
const MESSAGES_PER_CALL_MAX = 5_000
/** Milliseconds after which a call returns its progress: routers cut a silent request at 30 s. */
const CALL_MS_MAX = 10_000

export const deleteTopic = operation({
  method: 'POST',
  path: '/streams/{stream_id}/delete_topic',
  summary: 'Delete a topic',
  description:
    'Deletes the current messages of a topic that the user can read, the newest first. A long topic takes ' +
    'several calls: while `complete` is false there are more.',
  access: 'user',
  params: {
    stream_id: required(id<ChannelId>(), 'The channel.'),
    topic_name: required(text({ lengthMax: TOPIC_LENGTH_MAX, trim: true }), 'The topic.'),
  },
  reply: { complete: { schema: BOOLEAN, description: 'Whether all messages are deleted.' } },
  errors: ['CHANNEL_UNKNOWN', 'PERMISSION_MISSING'],
  events: ['delete_message', 'stream/update', 'attachment/update', 'attachment/remove'],
  async run({ params, user, services, fail, signal }) {
    const { state, clock, sql } = services
    const topic = parseTopic(params.topic_name)
    const asOf = state.appliedId
    const endMs = clock.nowMs() + CALL_MS_MAX
    let left = MESSAGES_PER_CALL_MAX
    let batchLength = BATCH_LENGTH_MAX
    while (left > 0 && clock.nowMs() < endMs && !signal.aborted) {
      const reader = findTopicReader({ state, caller: user, fail }, params.stream_id)
      const wanted = Math.min(left, Math.max(1, batchLength))
      const plan = await planTopicDeletion(sql, { ...reader, asOf }, topic, wanted)
      if (plan && plan.uploads.length > UPLOADS_PER_BATCH_MAX && wanted > 1) {
        batchLength = wanted >> 2
        continue
      }
      const uploads = await readLeft(plan?.uploads ?? [], services)
      const count = await commitUnlessStale(
        submit(services, user.id, decideTopicDeletion, { channelId: params.stream_id, plan }),
      )
      if (count === undefined) continue
      await notifyChanged(uploads, services)
      if (count < wanted) return { complete: true }
      left -= count
    }
    return { complete: false }
  },
})

/** The number of deleted messages; undefined if messages were sent or deleted meanwhile, so that it must be retried. */
async function commitUnlessStale(commit: Promise<number>): Promise<number | undefined> {
  try {
    return await commit
  } catch (error) {
    if (error instanceof StaleDeletionError) return undefined
    throw error
  }
}
