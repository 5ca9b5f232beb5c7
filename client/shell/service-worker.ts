/** The page's side of the service worker in `client/worker`. */

import { effect } from '@preact/signals'
import { readRoute } from '../store/narrows/route.ts'
import { workerUrl } from '../ui/server-html.tsx'
import { afterPaint } from '../app/after-paint.ts'
import type { App } from '../app/app.ts'
import type { PageQuestion } from '../worker/notification-data.ts'
import { showCount } from './notify.ts'

/** Whether the build has one: `client/build.ts` fills it in, and `npm run dev` has none. */
declare const HAS_WORKER: boolean

/** Registers the worker after the first view, follows clicks on its notifications and answers it, until the signal aborts. */
export function followServiceWorker(app: App, stop: AbortSignal): void {
  const { hasOpened, router } = app
  // Browsers have it only over TLS and on the machine itself.
  const { serviceWorker } = navigator
  if (!HAS_WORKER || !serviceWorker) return
  const take = ({ data, ports: [port] }: MessageEvent<string | PageQuestion>) => {
    if (typeof data === 'string') {
      const route = readRoute(data)
      if (route) router.go(route)
    } else if (data.kind === 'badge' || data.userId === app.ownId)
      void answer(app, data).then(() => port?.postMessage(null))
  }
  serviceWorker.addEventListener('message', take, { signal: stop })
  const dispose = effect(() => {
    if (hasOpened.value) afterPaint(() => register(serviceWorker))
  })
  stop.addEventListener('abort', dispose)
}

async function answer({ outbox, live, router }: App, { kind }: PageQuestion): Promise<void> {
  if (kind === 'outbox') return outbox.takeStored()
  const state = live.state.peek()
  if (state) showCount(state, router.route.peek())
}

function register(container: ServiceWorkerContainer): void {
  // Some browsers refuse it in private windows; the page does without.
  container.register(workerUrl()).catch(() => undefined)
}
