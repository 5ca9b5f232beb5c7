/** Sends one message to the push service of one receiver. */

import type { PushReceiver } from '../../../../server/domain/personal/web-push.ts'
import { DestinationRefusedError } from '../../../../server/outbound/destinations.ts'
import type { GuardedFetch } from '../../../../server/outbound/guarded-fetch.ts'
import { NoTurnError } from '../../../../server/outbound/turns.ts'
import { encryptWebPush } from './encrypt-web-push.ts'
import { SilentServiceError, type SilentServices, type WatchedRequest } from './silent-services.ts'
import type { Vapid } from './vapid.ts'

/** Milliseconds for one request; shorter than somebody waits for a test. */
const TOTAL_MS_MAX = 10_000
/** The longest wait that a service may ask for, in seconds. */
const RETRY_AFTER_SECONDS_MAX = 3_600

/** A message for a push service. */
export interface WebPushMessage {
  readonly plain: Uint8Array
  /** Replaces a waiting message with the same topic; at most 32 characters of base64url. */
  readonly topic?: string | undefined
  readonly urgency: 'high' | 'normal' | 'low'
  /** Seconds for which the service keeps it for a device that is off. */
  readonly ttlSeconds: number
}

/** The dependencies of sending. */
export interface WebPushSender {
  readonly fetch: GuardedFetch
  readonly vapid: Vapid
  readonly silent: SilentServices
}

/** The result of a message; `answer` is the status, or a word. */
export type WebPushResult =
  | { readonly kind: 'taken' | 'gone' | 'too_long' | 'refused'; readonly answer: string }
  /** It may be tried again: after the time that the service asks for, if it does. */
  | { readonly kind: 'later'; readonly answer: string; readonly afterSeconds: number | undefined }
  /** It did not leave this server, and may be tried again. There is no answer if the service has no part in that. */
  | { readonly kind: 'unsent'; readonly answer: 'service silent' | undefined }

/** Sends a message; never throws for an answer of the service or for none. */
export async function postWebPush(
  { fetch, vapid, silent }: WebPushSender,
  receiver: PushReceiver,
  { plain, topic, urgency, ttlSeconds }: WebPushMessage,
): Promise<WebPushResult> {
  const nowSeconds = Math.floor(Date.now() / 1000)
  let request: WatchedRequest | undefined
  try {
    request = silent.begin(new URL(receiver.endpoint).origin)
    const { status, headers } = await fetch.fetch(receiver.endpoint, {
      method: 'POST',
      isSecureOnly: true,
      headers: {
        authorization: vapid.authorize(receiver.endpoint, nowSeconds),
        'content-type': 'application/octet-stream',
        'content-encoding': 'aes128gcm',
        ttl: String(ttlSeconds),
        urgency,
        ...(topic === undefined ? {} : { topic }),
      },
      body: encryptWebPush(receiver, plain),
      totalMsMax: TOTAL_MS_MAX,
      firstByteMsMax: TOTAL_MS_MAX,
      bodyBytesMax: 0,
      onDial: request.dial,
    })
    request.end(true)
    return resultOf(status, headers['retry-after'], nowSeconds)
  } catch (error) {
    request?.end(false)
    if (error instanceof SilentServiceError) return { kind: 'unsent', answer: 'service silent' }
    if (error instanceof NoTurnError) return { kind: 'unsent', answer: undefined }
    if (error instanceof DestinationRefusedError) return { kind: 'refused', answer: 'address refused' }
    return { kind: 'later', answer: 'no answer', afterSeconds: undefined }
  }
}

function resultOf(status: number, retryAfter: string | undefined, nowSeconds: number): WebPushResult {
  const answer = String(status)
  if (status >= 200 && status < 300) return { kind: 'taken', answer }
  if (status === 404 || status === 410) return { kind: 'gone', answer }
  if (status === 413) return { kind: 'too_long', answer }
  if (status === 429 || status >= 500)
    return { kind: 'later', answer, afterSeconds: readRetryAfter(retryAfter, nowSeconds) }
  return { kind: 'refused', answer }
}

/** Seconds to wait, given as such or as a date. */
function readRetryAfter(text: string | undefined, nowSeconds: number): number | undefined {
  if (text === undefined) return undefined
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Math.ceil(Date.parse(text) / 1000) - nowSeconds
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), RETRY_AFTER_SECONDS_MAX) : undefined
}
