/**
 * The service worker: the page starts without a connection, too, and phones show notifications. It stores the files of
 * one build and nothing else, so nothing in its caches is private.
 */

import { openConversation } from './open-conversation.ts'
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

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openConversation(self.clients, event.notification.data))
})
