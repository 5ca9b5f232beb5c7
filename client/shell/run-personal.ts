/** The parts of the page that follow the user's own settings: looks, language, notifications and presence. */

import { effect } from '@preact/signals'
import type { App } from '../app/app.ts'
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
  let isReporting = false
  // The first view does not wait for this code. If it does not come, it is asked for with the next connection.
  const dispose = effect(() => {
    if (!hasOpened.value || live.status.value.phase !== 'connected' || isReporting) return
    isReporting = true
    import('../app/presence-reporter.ts').then(
      ({ reportPresence }) => stop.aborted || reportPresence(app, stop),
      () => (isReporting = false),
    )
  })
  stop.addEventListener('abort', () => {
    unlisten()
    dispose()
  })
}
