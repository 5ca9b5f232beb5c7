/**
 * The messages whose notification somebody has closed or clicked on this device. Their push may come later than the notification
 * of an open page, or twice, and shows nothing then. Stored, since browsers end a service worker after seconds; in a cache,
 * which a worker may add without closing the database of older pages. A log-out deletes it.
 */

const CACHE = 'dismissed'
/** Newer ones replace the oldest: a push service gives a push up after a day. */
const DISMISSED_MAX = 200

const addressOf = (userId: number) => `/dismissed/${userId}`

/** Adds messages. Call it for one change after the other. */
export async function noteDismissed(userId: number, messageIds: readonly number[]): Promise<void> {
  const former = await readDismissed(userId)
  const all = [...new Set([...former, ...messageIds])].slice(-DISMISSED_MAX)
  await (await caches.open(CACHE)).put(addressOf(userId), Response.json(all))
}

/** The ids of messages, those that were dismissed last at the end. */
export async function readDismissed(userId: number): Promise<readonly number[]> {
  const found = await caches.match(addressOf(userId), { cacheName: CACHE })
  return found ? ((await found.json()) as number[]) : []
}

/** Forgets all, of everybody. */
export async function forgetDismissed(): Promise<void> {
  // Browsers have it only over TLS and on the machine itself.
  if ('caches' in globalThis) await caches.delete(CACHE)
}
