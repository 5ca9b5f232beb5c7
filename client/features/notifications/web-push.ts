/** Notifications that reach this browser while no page is open: its subscription, and the server's knowledge of it. */

import type { App } from '../../app/app.ts'

/** The reasons why this browser gets no notifications. */
export type PushObstacle = 'unsupported' | 'not_installed' | 'blocked' | 'turned_off'

/** Why this browser cannot subscribe; undefined if it can. Phones of Apple need the page on the home screen. */
export function findObstacle(): Exclude<PushObstacle, 'turned_off'> | undefined {
  const { standalone, userAgent } = navigator as Navigator & { readonly standalone?: boolean }
  if (standalone === false && /iP(hone|ad)/.test(userAgent)) return 'not_installed'
  if (!('serviceWorker' in navigator) || !('PushManager' in globalThis) || !('Notification' in globalThis))
    return 'unsupported'
  return Notification.permission === 'denied' ? 'blocked' : undefined
}

/** Asks the person if need be, and subscribes; rejects if the browser or the server refuses. Call it on a click only. */
export async function subscribe({ api, state }: App, publicKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  await register(api, publicKey)
  if (!state.peek().user_settings?.enable_offline_push_notifications)
    await api.call('PATCH /settings', { enable_offline_push_notifications: true })
  return true
}

/**
 * Renews the subscription of a browser that has one: its session may be another, the server may have another key, and the
 * browser may have changed its address.
 */
export async function keepSubscribed({ api, device }: App): Promise<void> {
  if (findObstacle() !== undefined || Notification.permission !== 'granted' || !device.getsPush.peek()) return
  const { public_key: publicKey } = await api.call('GET /users/me/web_push')
  if (publicKey !== null) await register(api, publicKey)
}

/** Ends the subscription of this browser; the server forgets it when it next sends. */
export async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration()
  const subscription = await registration?.pushManager.getSubscription()
  await subscription?.unsubscribe()
}

async function register(api: App['api'], publicKey: string): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready
  const former = await pushManager.getSubscription()
  const isSame = former !== null && keyOf(former) === publicKey
  if (former && !isSame) await former.unsubscribe()
  const subscription = isSame
    ? former
    : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint, keys = {} } = subscription.toJSON()
  await api.call('POST /users/me/web_push', {
    endpoint: endpoint ?? '',
    p256dh: keys['p256dh'] ?? '',
    auth: keys['auth'] ?? '',
  })
}

/** The server's key that a subscription is for, in base64url. */
function keyOf({ options }: PushSubscription): string | undefined {
  const { applicationServerKey } = options
  if (!applicationServerKey) return undefined
  const text = btoa(String.fromCharCode(...new Uint8Array(applicationServerKey)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
