/**
 * The service worker: the page starts without a connection, too, and phones show notifications. It stores the files of
 * one build and nothing else, so nothing in its caches is private.
 */

import { ANSWER, sendAnswer, unsentWordsOf } from './answer-in-place.ts'
import { askPages } from './ask-page.ts'
import { noteBadge } from './badge.ts'
import { openConversation } from './open-conversation.ts'
import { type NotificationData, UNSENT } from './notification-data.ts'
import { dismiss, inTurn, type PageNotification, showForPage } from './show-notification.ts'
import { type Push, takePush } from './show-push.ts'
import { dropFormerBuilds, findFile, loadPage, storeBuild } from './stored-build.ts'

declare const self: ServiceWorkerGlobalScope

self.addEventListener('install', (event) => {
  event.waitUntil(storeBuild())
  // Pages of the former build still find its files.
  void self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  // The browser asks for the page while it starts the worker.
  event.waitUntil(Promise.all([dropFormerBuilds(), self.registration.navigationPreload?.enable()]))
})

/** The API, uploads, pictures and forms take their way past the worker. */
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate' && pathname === '/')
    event.respondWith(
      loadPage(async () => ((await event.preloadResponse) as Response | undefined) ?? fetch(request)),
    )
  else if (request.mode !== 'navigate' && pathname.startsWith('/app/')) event.respondWith(findFile(request))
})

self.addEventListener('push', (event) => {
  const push = readPush(event.data)
  if (!push) return
  event.waitUntil(takePush(self.registration, push))
  event.waitUntil(noteBadge(self.clients, push))
})

/** Open pages leave their notifications to the worker, which knows those of pushes. */
self.addEventListener('message', (event) => {
  const notification = event.data as PageNotification
  event.waitUntil(inTurn(() => showForPage(self.registration, notification)))
})

self.addEventListener('notificationclick', (event) => {
  const { notification, action } = event
  const text = (event as NotificationEvent & { readonly reply?: string | null }).reply
  notification.close()
  event.waitUntil(dismiss(notification.data ?? {}))
  event.waitUntil(takeClick(notification.data, action === ANSWER ? text : undefined))
})

/** Somebody closed it: browsers do not say so of notifications that the worker or a page closes. */
self.addEventListener('notificationclose', (event) => {
  event.waitUntil(dismiss(event.notification.data ?? {}))
})

/**
 * An answer is sent; otherwise, or if the server does not take it, the conversation opens, where the outbox shows it. Nothing of
 * it opens for somebody else who has logged in since: the outbox has it until its person comes back.
 */
async function takeClick(data: NotificationData | string, answer: string | null | undefined): Promise<void> {
  // Pages of earlier releases gave the address alone.
  if (typeof data === 'string') return openConversation(self.clients, data)
  const { navigate, userId } = data
  const { hash } = new URL(navigate)
  if (typeof answer !== 'string' || answer.trim() === '') return openConversation(self.clients, hash)
  const result = await sendAnswer(data, answer)
  if (result === 'sent') return
  const showUnsent = async () => {
    const details: NotificationData = { navigate, messageIds: [], lines: [], userId }
    const options = { body: answer, tag: `${UNSENT}-${hash}`, data: details }
    await self.registration.showNotification(unsentWordsOf(data), options)
  }
  if (result === 'foreign') return showUnsent()
  const isTaken = userId !== undefined && (await askPages(self.clients, { kind: 'outbox', userId }))
  try {
    await openConversation(self.clients, hash)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    // The click was too long ago for the browser. If no page shows the answer, a notification does.
    if (!isTaken) await showUnsent()
  }
}

function readPush(data: PushMessageData | null): Push | undefined {
  try {
    return data?.json() as Push
  } catch {
    return undefined // Not by this server.
  }
}
