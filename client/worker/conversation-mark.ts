/**
 * The mark of a conversation on this device: the tag of its notifications. The server makes the same one for pushes, of the
 * secret of the subscription (`markOf` in `workers/jobs/push/compose-push.ts`), so that a notification of an open page and
 * one of a push are one.
 */

import { conversationText } from '../../packages/rules/conversation-place.ts'
import type { AnswerPlace } from './notification-data.ts'

/** Bytes of a mark. */
const MARK_BYTES = 24
/** A browser without a subscription gets no pushes: any secret will do. */
const NO_SECRET = new ArrayBuffer(0)

/** The mark of a conversation for the subscription of a browser, or for one without. */
export async function markOf(place: AnswerPlace, subscription: PushSubscription | null): Promise<string> {
  const secret = new Uint8Array(subscription?.getKey('auth') ?? NO_SECRET)
  const text = new TextEncoder().encode(
    conversationText(
      place.type === 'direct' ? { userIds: place.to } : { channelId: place.to, topic: place.topic },
    ),
  )
  const bytes = new Uint8Array(secret.length + text.length)
  bytes.set(secret)
  bytes.set(text, secret.length)
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).subarray(0, MARK_BYTES)
  return btoa(String.fromCharCode(...hash))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}
