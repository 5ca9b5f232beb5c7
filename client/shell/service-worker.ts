/** The page's side of the service worker in `client/worker`. */

import { effect } from '@preact/signals'
import { readRoute } from '../store/narrows/route.ts'
import { workerUrl } from '../ui/server-html.tsx'
import { afterPaint } from '../app/after-paint.ts'
import type { App } from '../app/app.ts'

/** Whether the build has one: `client/build.ts` fills it in, and `npm run dev` has none. */
declare const HAS_WORKER: boolean

/** Registers the worker after the first view, and follows clicks on its notifications, until the signal aborts. */
export function followServiceWorker({ hasOpened, router }: App, stop: AbortSignal): void {
  // Browsers have it only over TLS and on the machine itself.
  const { serviceWorker } = navigator
  if (!HAS_WORKER || !serviceWorker) return
  const open = ({ data }: MessageEvent<string>) => {
    const route = readRoute(data)
    if (route) router.go(route)
  }
  serviceWorker.addEventListener('message', open, { signal: stop })
  const dispose = effect(() => {
    if (hasOpened.value) afterPaint(() => register(serviceWorker))
  })
  stop.addEventListener('abort', dispose)
}

function register(container: ServiceWorkerContainer): void {
  // Some browsers refuse it in private windows; the page does without.
  container.register(workerUrl()).catch(() => undefined)
}
