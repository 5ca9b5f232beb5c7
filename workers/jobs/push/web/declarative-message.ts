/**
 * The form of a notification that browsers show without a program (Declarative Web Push, Safari 18.4). Our service worker
 * reads the same form elsewhere (`client/worker/show-push.ts`).
 */

import { PLAIN_BYTES_MAX } from './encrypt-web-push.ts'

/** A notification. */
export interface DeclaredNotification {
  readonly title: string
  readonly body: string
  /** The whole address that a click opens. */
  readonly navigate: string
  /** Notifications with the same tag replace each other: one for a conversation. */
  readonly tag: string
  /** For our service worker alone. */
  readonly data?: object
}

/** The notification as bytes that fit into a push: a body that is too long is cut. */
export function encodeNotification(notification: DeclaredNotification, unreadCount?: number): Buffer {
  const encode = (body: string) =>
    Buffer.from(
      JSON.stringify({
        web_push: 8030,
        notification: { ...notification, body, dir: 'auto' },
        ...(unreadCount === undefined ? {} : { app_badge: unreadCount }),
      }),
    )
  let bytes = encode(notification.body)
  for (let length = notification.body.length; bytes.length > PLAIN_BYTES_MAX && length > 0; ) {
    length = Math.floor(length / 2)
    bytes = encode(`${notification.body.slice(0, length).toWellFormed()}…`)
  }
  return bytes
}

/** A push that closes a notification which was read, for our service worker. */
export function encodeWithdrawal(tag: string, unreadCount: number): Buffer {
  return Buffer.from(JSON.stringify({ withdrawn: [tag], app_badge: unreadCount }))
}
