/** Subscriptions of browsers and apps to push notifications of the web (RFC 8030). */

import type { WebPushId } from '../ids.ts'

/** Bytes of the receiver's key: an uncompressed point of the curve P-256. */
export const P256DH_LENGTH = 65
/** Bytes of the receiver's secret. */
export const PUSH_SECRET_LENGTH = 16
/** Characters of an endpoint: those of the known push services have some hundred. */
export const ENDPOINT_LENGTH_MAX = 1_000

/** The address of a receiver, and the keys that messages to it are encrypted with. */
export interface PushReceiver {
  readonly endpoint: string
  readonly p256dh: Uint8Array
  readonly auth: Uint8Array
}

/** A subscription to store. */
export interface NewWebPush extends PushReceiver {
  /** The session or the hash of the API key that asks for it: it ends with that. */
  readonly holder: { readonly sessionId: string } | { readonly keyHash: string }
  /** The program, by its `User-Agent`. */
  readonly client: string
}

/** A subscription as its user sees it. */
export interface WebPush {
  readonly id: WebPushId
  readonly endpoint: string
  readonly client: string
  readonly sessionId: string | null
  /** UNIX seconds. */
  readonly createdAt: number
  /** UNIX seconds of the last push that its service took; null before. */
  readonly lastSuccessAt: number | null
  /** The status of the service's last answer, or a word for no answer. */
  readonly lastAnswer: string | null
}
