/** The parts of the page that follow the user: looks, language, notifications, presence, and the copy for times without a connection. */

import { effect } from '@preact/signals'
import type { App } from '../app/app.ts'
import { readCsrfToken } from '../app/csrf-token.ts'
import { applyAppearance } from './apply-appearance.ts'
import { notify } from './notify.ts'

/** Runs until the signal aborts. */
export function runPersonal(app: App, stop: AbortSignal): void {
  const { live, router, hasOpened } = app
  applyAppearance(live.state, stop)
  notify(app, stop)
  const unlisten = live.listen((update) => {
    if (update.kind === 'registered') router.openHome()
  })
  // The person of the page is that of this session: it was asked just now.
  const token = readCsrfToken()
  let hasBegun = false
  // The first view does not wait for this code. If it does not come, it is asked for with the next connection.
  const dispose = effect(() => {
    if (!hasOpened.value || live.status.value.phase !== 'connected' || hasBegun) return
    hasBegun = true
    Promise.all([import('../app/presence-reporter.ts'), import('../app/keep-copy.ts')]).then(
      ([{ reportPresence }, { keepCopy }]) => {
        if (stop.aborted) return
        reportPresence(app, stop)
        keepCopy(app, token, stop)
      },
      () => (hasBegun = false),
    )
  })
  stop.addEventListener('abort', () => {
    unlisten()
    dispose()
  })
}
