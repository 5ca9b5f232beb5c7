/** Pushes of messages to one browser or app, and their withdrawal. */

import {
  type ClaimedPush,
  countPushes,
  findNeighbors,
  type PushedMessage,
} from '../../../../db/notifications/pushes.ts'
import { dropWebPush, type StoredReceiver } from '../../../../db/personal/web-push.ts'
import type { WebPushId } from '../../../../server/domain/ids.ts'
import { answerWordsOf, badgeOf, fragmentOf, markOf, wordsOf } from '../compose-push.ts'
import type { PushBatch } from '../push-batch.ts'
import type { PushContext } from '../push-context.ts'
import type { SendResult } from '../send-to-phones.ts'
import { encodeNotification, encodeWithdrawal } from './declarative-message.ts'
import { postWebPush, type WebPushMessage, type WebPushResult } from './post-web-push.ts'

/** Seconds for which a push service keeps a message for a device that is off. */
const TTL_SECONDS = 86_400
/** Services that end a subscription if a push shows nothing. */
const NEEDS_NOTIFICATION = /(^|\.)push\.apple\.com$/

/** Shows a message. */
export async function sendToBrowser(
  context: PushContext,
  batch: PushBatch,
  push: ClaimedPush,
): Promise<SendResult> {
  const found = find(batch, push)
  if (!found || !context.web) return { kind: 'dropped' }
  const { receiver, message, mark } = found
  const { title, body } = wordsOf(message)
  const navigate = `${context.web.publicUrl}/${fragmentOf(message, push.userId)}`
  const data = {
    messageId: message.id,
    place: placeOf(message),
    userId: push.userId,
    answer: answerWordsOf(message),
  }
  const encode = (text: string) =>
    encodeNotification({ title, body: text, navigate, tag: mark, data }, badgeOf(message))
  const wrap = (plain: Uint8Array): NotedMessage => ({
    plain,
    topic: mark,
    urgency: 'high',
    ttlSeconds: TTL_SECONDS,
    onTaken: () => batch.shown.add({ ...push, mark }),
  })
  let result = await post(context, batch, receiver, wrap(encode(body)))
  // A service that takes less than the standard says still gets the title.
  if (result.kind === 'too_long') result = await post(context, batch, receiver, wrap(encode('')))
  return resultOf(result, 'shown')
}

/**
 * Closes the notification of messages of one conversation that were read or are gone, unless others of it stand there. They
 * may be gone or elsewhere by now, so the push says under which mark it is shown.
 */
export async function withdrawFromBrowser(
  context: PushContext,
  batch: PushBatch,
  push: ClaimedPush,
  others: readonly ClaimedPush[],
): Promise<SendResult> {
  const { sql } = context
  const receiver = receiverOf(batch, push)
  const message = batch.messages.get(push.id)
  const mark = push.mark ?? (message && receiver && markOf(message, receiver.auth))
  if (!batch.sender || !receiver || mark === undefined) return { kind: 'dropped', others }
  if (NEEDS_NOTIFICATION.test(new URL(receiver.endpoint).hostname)) return { kind: 'dropped', others }
  const withdrawn = [push, ...others]
  const neighbors = (await findNeighbors(sql, push, mark, withdrawn)).filter(
    (one) => (one.mark ?? markOf(one, receiver.auth)) === mark,
  )
  if (neighbors.some(({ isLookedAt }) => !isLookedAt)) return { kind: 'dropped', others }
  // Whether those stand is not decided yet: without this, two workers might leave the notification to each other.
  if (neighbors.length > 0) return { kind: 'later', others }
  const left = (await countPushes(sql, push)) - withdrawn.length
  const result = await post(context, batch, receiver, {
    plain: encodeWithdrawal(mark, Math.max(left, 0)),
    topic: mark,
    urgency: 'normal',
    ttlSeconds: TTL_SECONDS,
  })
  return { ...resultOf(result, 'withdrawn'), others }
}

function receiverOf({ receivers }: PushBatch, push: ClaimedPush): StoredReceiver | undefined {
  const receiver = receivers.get(push.subscriptionId as WebPushId)
  return receiver?.userId === push.userId ? receiver : undefined
}

function find(batch: PushBatch, push: ClaimedPush) {
  const message = batch.messages.get(push.id)
  const receiver = receiverOf(batch, push)
  if (!batch.sender || !message || !receiver) return undefined
  return { receiver, message, mark: markOf(message, receiver.auth) }
}

/** A message, and the note that its push service took it. */
interface NotedMessage extends WebPushMessage {
  readonly onTaken?: () => Promise<void>
}

/** Sends a message, and notes the answer. A push that was taken is noted at once: a worker that ends before that leaves a second one. */
async function post(
  { sql }: PushContext,
  { sender, answers }: PushBatch,
  receiver: StoredReceiver,
  { onTaken, ...message }: NotedMessage,
): Promise<WebPushResult> {
  if (!sender) throw new Error('web push is off')
  const result = await postWebPush(sender, receiver, message)
  const { kind, answer } = result
  if (kind === 'gone') await dropWebPush(sql, receiver.id)
  else
    await Promise.all([
      kind === 'taken' ? onTaken?.() : undefined,
      answer === undefined ? undefined : answers.add({ id: receiver.id, isTaken: kind === 'taken', answer }),
    ])
  return result
}

function resultOf(result: WebPushResult, success: 'shown' | 'withdrawn'): SendResult {
  switch (result.kind) {
    case 'taken':
      return { kind: success }
    case 'gone':
      return { kind: 'dropped' }
    case 'too_long':
    case 'refused':
      return { kind: 'failed' }
    case 'later':
      return { kind: 'later', afterSeconds: result.afterSeconds }
    case 'unsent':
      return { kind: 'unsent' }
  }
}

/** The conversation for an answer from the notification, as `POST /messages` takes it. */
function placeOf({ channelId, topic, userIds }: PushedMessage) {
  return channelId === null ? { type: 'direct', to: userIds } : { type: 'channel', to: channelId, topic }
}
