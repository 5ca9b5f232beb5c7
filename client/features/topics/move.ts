/** Moves topics. */

import { topicKey } from '../../../packages/rules/topics.ts'
import type { App } from '../../app/app.ts'
import type { Topic } from '../../store/derived/topic.ts'

/** The newest message of a topic: changes of the whole topic are asked for by one of its messages. */
export async function newestMessageId(
  { api }: App,
  { channelId, topic }: Topic,
): Promise<number | undefined> {
  const { topics } = await api.call('GET /users/me/{stream_id}/topics', {
    stream_id: channelId,
    allow_empty_topic_name: true,
  })
  return topics.find(({ name }) => topicKey(name) === topicKey(topic))?.max_id
}

/** Moves all messages of a topic; resolves to whether there were any. */
export async function moveTopic(app: App, from: Topic, to: Topic): Promise<boolean> {
  const messageId = await newestMessageId(app, from)
  if (messageId === undefined) return false
  await app.api.call('PATCH /messages/{message_id}', {
    message_id: messageId,
    propagate_mode: 'change_all',
    ...(to.topic === from.topic ? {} : { topic: to.topic }),
    ...(to.channelId === from.channelId ? {} : { stream_id: to.channelId }),
  })
  // Its event may not come: the channel may be one without a subscription.
  app.moves.follow(from, to)
  return true
}
