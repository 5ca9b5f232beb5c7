/** Pushes of messages to one browser or app, and their withdrawal. */

import {
  type ClaimedPush,
  countPushed,
  hasOthersInConversation,
  notePushShown,
  readPushedMessage,
} from '../../../../db/notifications/pushes.ts'
import { findReceiver } from '../../../../db/personal/web-push.ts'
import type { WebPushId } from '../../../../server/domain/ids.ts'
import type { PushReceiver } from '../../../../server/domain/personal/web-push.ts'
import { fragmentOf, markOf, wordsOf } from '../compose-push.ts'
import type { PushContext } from '../push-context.ts'
import type { SendResult } from '../send-to-phones.ts'
import { encodeNotification, encodeWithdrawal } from './declarative-message.ts'
import { postWebPush, type WebPushMessage, type WebPushResult } from './post-web-push.ts'
import { settleAnswer } from './settle-answer.ts'
import type { WebPushWork } from './web-push-work.ts'

/** Seconds for which a push service keeps a message for a device that is off. */
const TTL_SECONDS = 86_400
/** Services that end a subscription if a push shows nothing. */
const NEEDS_NOTIFICATION = /(^|\.)push\.apple\.com$/

/** Shows a message. */
export async function sendToBrowser({ sql, web }: PushContext, push: ClaimedPush): Promise<SendResult> {
  const found = web && (await find({ web }, push))
  if (!found) return { kind: 'dropped' }
  const { receiver, message, mark } = found
  const { title, body } = wordsOf(message)
  const fragment = fragmentOf(message, push.userId)
  const count = await countPushed(sql, push)
  const encode = (text: string) =>
    encodeNotification(
      {
        title,
        body: text,
        navigate: `${web.publicUrl}/${fragment}`,
        tag: mark,
        data: { messageId: message.id, place: placeOf(message) },
      },
      count,
    )
  const wrap = (plain: Uint8Array): WebPushMessage => ({
    plain,
    topic: mark,
    urgency: 'high',
    ttlSeconds: TTL_SECONDS,
  })
  let result = await post(web, receiver, wrap(encode(body)))
  // A service that takes less than the standard says still gets the title.
  if (result.kind === 'too_long') result = await post(web, receiver, wrap(encode('')))
  if (result.kind === 'taken') await notePushShown(sql, push)
  return resultOf(result, 'shown')
}

/** Closes the notification of a message that was read, unless others of its conversation stand there. */
export async function withdrawFromBrowser({ sql, web }: PushContext, push: ClaimedPush): Promise<SendResult> {
  const found = web && (await find({ web }, push))
  if (!found) return { kind: 'dropped' }
  const { receiver, mark } = found
  if (NEEDS_NOTIFICATION.test(new URL(receiver.endpoint).hostname)) return { kind: 'dropped' }
  if (await hasOthersInConversation(sql, push)) return { kind: 'dropped' }
  const count = (await countPushed(sql, push)) - 1 // This one is over.
  const result = await post(web, receiver, {
    plain: encodeWithdrawal(mark, count),
    topic: mark,
    urgency: 'normal',
    ttlSeconds: TTL_SECONDS,
  })
  return resultOf(result, 'withdrawn')
}

async function find({ web }: { readonly web: WebPushWork }, push: ClaimedPush) {
  const { sql } = web
  const id = push.subscriptionId as WebPushId
  const [receiver, message] = await Promise.all([
    findReceiver(sql, push.userId, id),
    readPushedMessage(sql, push),
  ])
  if (!receiver || !message) return undefined
  return { receiver: { ...receiver, id }, message, mark: markOf(message, receiver.auth) }
}

async function post(
  web: WebPushWork,
  receiver: PushReceiver & { readonly id: WebPushId },
  message: WebPushMessage,
): Promise<WebPushResult> {
  const result = await postWebPush(await web.openSender(), receiver, message)
  await settleAnswer(web.sql, receiver.id, result)
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
  }
}

/** The conversation for an answer from the notification, as `POST /messages` takes it. */
function placeOf({ channelId, topic, userIds }: NonNullable<Awaited<ReturnType<typeof readPushedMessage>>>) {
  return channelId === null ? { type: 'direct', to: userIds } : { type: 'channel', to: channelId, topic }
}
