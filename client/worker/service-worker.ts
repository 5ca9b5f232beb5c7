/**
 * The service worker: the page starts without a connection, too, and phones show notifications. It stores the files of
 * one build and nothing else, so nothing in its caches is private.
 */

import { ANSWER, sendAnswer } from './answer-in-place.ts'
import { openConversation } from './open-conversation.ts'
import type { NotificationData } from './notification-data.ts'
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
  if (push) event.waitUntil(takePush(self.registration, push))
})

self.addEventListener('notificationclick', (event) => {
  const { notification, action } = event
  const text = (event as NotificationEvent & { readonly reply?: string | null }).reply
  notification.close()
  event.waitUntil(takeClick(notification.data, action === ANSWER ? text : undefined))
})

/** An answer is sent; otherwise, or if the server does not take it, the conversation opens. */
async function takeClick(data: NotificationData | string, answer: string | null | undefined): Promise<void> {
  if (typeof data === 'string') return openConversation(self.clients, data)
  if (typeof answer === 'string' && (await sendAnswer(data, answer))) return
  await openConversation(self.clients, new URL(data.navigate).hash)
}

function readPush(data: PushMessageData | null): Push | undefined {
  try {
    return data?.json() as Push
  } catch {
    return undefined // Not by this server.
  }
}
