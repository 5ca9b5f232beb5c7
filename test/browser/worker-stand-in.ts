/**
 * The notifications of a service worker. A browser without a window refuses to show any, so a list in the worker stands in for
 * its notification center: those with the same tag replace each other there, too.
 */

import type { Page, Worker } from 'playwright-core'

/** A notification that stands, as far as tests look at it. */
export interface StandingNotification {
  readonly title: string
  readonly body: string
  readonly tag: string
  readonly silent: boolean
  readonly data: unknown
}

export interface WorkerStandIn {
  readonly worker: Worker
  standing(): Promise<readonly StandingNotification[]>
  /** How often the worker has shown one, and the changes of the badge: a number, `dot` or `none`. */
  history(): Promise<{ readonly shown: number; readonly badges: readonly unknown[] }>
  /** Clicks the newest notification; resolves when the worker has done everything, with the names of its errors. */
  click(button?: { readonly action: string; readonly reply: string }): Promise<readonly string[]>
  /** Closes the newest notification as its person does; resolves when the worker has done everything. */
  dismiss(): Promise<readonly string[]>
}

/** Prepares a page, before it loads, whose browser is allowed to notify; `secret` is that of its subscription. */
export async function standInForWorker(page: Page, secret = ''): Promise<() => Promise<WorkerStandIn>> {
  let worker: Worker | undefined
  const standing = async () => (worker ? await worker.evaluate(listStanding) : [])
  await page.exposeFunction('listStanding', standing)
  await page.exposeFunction('closeStanding', (tag: string) =>
    worker?.evaluate((closed) => {
      const list = Reflect.get(globalThis, 'standing') as { tag: string }[]
      const index = list.findIndex((one) => one.tag === closed)
      if (index >= 0) list.splice(index, 1)
    }, tag),
  )
  await page.addInitScript(() => {
    class Allowed {
      static readonly permission = 'granted'
    }
    const ask = (name: string) => Reflect.get(globalThis, name) as (tag?: string) => Promise<unknown>
    Object.assign(globalThis, { Notification: Allowed })
    ServiceWorkerRegistration.prototype.getNotifications = async () => {
      const list = (await ask('listStanding')()) as StandingNotification[]
      const close = (tag: string) => void ask('closeStanding')(tag)
      return list.map((one) => ({ ...one, close: () => close(one.tag) })) as unknown as Notification[]
    }
  })
  return async () => {
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
    const [found] = page.context().serviceWorkers()
    if (!found) throw new Error('there is no worker')
    await found.evaluate(replaceNotifications, secret)
    worker = found
    return {
      worker: found,
      standing,
      history: () =>
        found.evaluate(() => ({
          shown: Reflect.get(globalThis, 'shownCount') as number,
          badges: Reflect.get(globalThis, 'badges') as unknown[],
        })),
      click: (button) => found.evaluate(actOnNewest, { type: 'notificationclick', ...button } as const),
      dismiss: () => found.evaluate(actOnNewest, { type: 'notificationclose' } as const),
    }
  }
}

function listStanding(): StandingNotification[] {
  const list = Reflect.get(globalThis, 'standing') as StandingNotification[]
  return list.map(({ title, body, tag, silent, data }) => ({ title, body, tag, silent, data }))
}

/** Runs in the worker. */
function replaceNotifications(secret: string): void {
  const scope = globalThis as unknown as { registration: ServiceWorkerRegistration; navigator: Navigator }
  const standing: (NotificationOptions & { title: string; close(): void })[] = []
  const badges: unknown[] = []
  Object.assign(globalThis, { standing, badges, shownCount: 0 })
  scope.registration.showNotification = async (title, options = {}) => {
    const former = standing.findIndex(({ tag }) => tag === options.tag)
    if (former >= 0) standing.splice(former, 1)
    const one = {
      ...structuredClone(options),
      title,
      close: () => {
        const index = standing.indexOf(one)
        if (index >= 0) standing.splice(index, 1)
      },
    }
    standing.push(one)
    Reflect.set(globalThis, 'shownCount', Reflect.get(globalThis, 'shownCount') + 1)
  }
  scope.registration.getNotifications = async ({ tag } = {}) =>
    standing.filter((one) => tag === undefined || one.tag === tag) as unknown as Notification[]
  const auth = Uint8Array.from(atob(secret.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
    one.charCodeAt(0),
  )
  scope.registration.pushManager.getSubscription = async () =>
    (secret === '' ? null : { getKey: () => auth.buffer }) as PushSubscription | null
  scope.navigator.setAppBadge = async (count) => void badges.push(count ?? 'dot')
  scope.navigator.clearAppBadge = async () => void badges.push('none')
}

interface NewestAct {
  readonly type: 'notificationclick' | 'notificationclose'
  readonly action?: string
  readonly reply?: string
}

/** Runs in the worker. */
async function actOnNewest({ type, ...button }: NewestAct): Promise<string[]> {
  const waits: Promise<unknown>[] = []
  const notification = (Reflect.get(globalThis, 'standing') as { close(): void }[]).at(-1)
  if (type === 'notificationclose') notification?.close() // The browser has removed it already.
  const event = Object.assign(new Event(type), {
    notification,
    action: '',
    ...button,
    waitUntil: (wait: Promise<unknown>) => waits.push(wait),
  })
  dispatchEvent(event)
  const ends = await Promise.allSettled(waits)
  return ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason.name)] : []))
}
