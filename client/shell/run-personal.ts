/** The parts of the page that follow the user's own settings: looks, language, notifications and presence. */

import type { ParleyClient } from '../../packages/client/src/index.ts'
import { applyAppearance } from './apply-appearance.ts'
import { notify, type Notified } from './notify.ts'
import { reportPresence } from '../app/presence-reporter.ts'

interface Personal extends Notified {
  readonly api: ParleyClient
}

/** Runs until the signal aborts. */
export function runPersonal(app: Personal, stop: AbortSignal): void {
  const { api, live, router } = app
  const onPresences: typeof live.takePresences = (presences) => live.takePresences(presences)
  const report = reportPresence({ api, state: () => live.state.peek(), onPresences }, stop)
  applyAppearance(live.state, stop)
  notify(app, stop)
  const unlisten = live.listen((update) => {
    if (update.kind !== 'registered') return
    report()
    router.openHome()
  })
  stop.addEventListener('abort', unlisten)
}
