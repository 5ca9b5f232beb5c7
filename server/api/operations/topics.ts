/** Topics of a channel. */

import { planTopicDeletion, readTopics, TOPICS_LISTED_MAX } from '../../../db/messages/topics.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { parseTopic } from '../../domain/messages/topics.ts'
import { topicDisplayName } from '../../../packages/rules/topics.ts'
import { findTopicReader } from '../../decisions/topics/find-topic-reader.ts'
import { operation } from '../operation.ts'
import { boolean, defaulted, id, integer, required, text } from '../params.ts'
import { arrayOf, BOOLEAN, INTEGER, record, STRING } from '../../domain/json-schema.ts'
import { decideUserTopic, USER_TOPIC_ERRORS } from '../../decisions/topics/change-user-topic.ts'
import type { TopicVisibility } from '../../domain/entities.ts'
import { TOPIC_LENGTH_MAX } from '../../domain/limits.ts'
import { change } from '../change-operation.ts'
import { StaleDeletionError } from '../../../db/messages/message-deletion.ts'
import { decideTopicDeletion } from '../../decisions/messages/delete-messages.ts'
import { submit } from '../../changes/submit.ts'
import { notifyChanged, readLeft } from '../../changes/uploads/notify-uploads.ts'

/** A topic of a channel, with the id of its newest message. */
const TOPIC = record({ name: STRING, max_id: INTEGER })

/** `GET /users/me/{stream_id}/topics`: the topics of a channel that the caller can read. */
export const getTopics = operation({
  method: 'GET',
  path: '/users/me/{stream_id}/topics',
  summary: 'Get the topics of a channel',
  description:
    `The topics with messages that the user may read, the one with the newest message first, at most ` +
    `${TOPICS_LISTED_MAX}. Spellings that differ only in case are one topic. Visitors get those of web-public channels.`,
  access: 'visitor',
  params: {
    stream_id: required(id<ChannelId>(), 'The channel.'),
    allow_empty_topic_name: defaulted(boolean(), false, 'Whether the empty topic is sent as empty.'),
  },
  reply: { topics: { schema: arrayOf(TOPIC), description: 'The topics.' } },
  errors: ['CHANNEL_UNKNOWN'],
  events: [],
  async run({ params, user, services: { sql, state }, fail }) {
    const reader = findTopicReader({ state, caller: user, fail }, params.stream_id)
    const topics = await readTopics(sql, reader)
    return {
      topics: topics.map(({ name, newestId }) => ({
        name: params.allow_empty_topic_name ? name : topicDisplayName(name),
        max_id: newestId,
      })),
    }
  },
})

/** `POST /user_topics`: sets the caller's visibility policy of a topic. */
export const setUserTopic = change({
  method: 'POST',
  path: '/user_topics',
  summary: 'Mute, unmute or follow a topic',
  access: 'user',
  params: {
    stream_id: required(id<ChannelId>(), 'The channel.'),
    topic: required(text({ lengthMax: TOPIC_LENGTH_MAX, trim: true }), 'The topic.'),
    visibility_policy: required(
      integer({ min: 0, max: 3 }),
      'The visibility policy: 0 for that of the channel, 1 to mute, 2 to unmute in a muted channel, 3 to follow.',
    ),
  },
  reply: {},
  errors: USER_TOPIC_ERRORS,
  events: ['user_topic', 'muted_topics'],
  prepare: ({ params }) => ({
    channelId: params.stream_id,
    topic: parseTopic(params.topic),
    visibility: params.visibility_policy as TopicVisibility,
  }),
  decide: decideUserTopic,
})

/** Messages in one transaction, which locks the log; for legacy clients each is an event. */
const BATCH_LENGTH_MAX = 500
/** Their files; a message links a hundred at most. */
const UPLOADS_PER_BATCH_MAX = 500
/** Messages deleted per call. */
const MESSAGES_PER_CALL_MAX = 5_000
/** Milliseconds after which a call returns its progress: routers cut a silent request at 30 s. */
const CALL_MS_MAX = 10_000

/** `POST /streams/{stream_id}/delete_topic`: deletes the messages of a topic permanently. */
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
