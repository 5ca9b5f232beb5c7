/** The parts of the page that follow the user's own settings: looks, notifications, presence, and the end of the status. */

import type { ReadonlySignal } from '@preact/signals'
import type { ParleyClient } from '../../packages/client/src/index.ts'
import { applyAppearance } from './apply-appearance.ts'
import { notify, type Notified } from './notify.ts'
import { reportPresence } from '../app/presence-reporter.ts'
import { endStatus } from '../app/status-end.ts'

interface Personal extends Notified {
  readonly api: ParleyClient
  /** Milliseconds, at each minute. */
  readonly minute: ReadonlySignal<number>
}

/** Runs until the signal aborts. */
export function runPersonal(app: Personal, stop: AbortSignal): void {
  const { api, live, minute, router } = app
  const onPresences: typeof live.takePresences = (presences) => live.takePresences(presences)
  const report = reportPresence({ api, state: () => live.state.peek(), onPresences }, stop)
  applyAppearance(live.state, stop)
  endStatus({ api, state: live.state, minute }, stop)
  notify(app, stop)
  const unlisten = live.listen((update) => {
    if (update.kind !== 'registered') return
    report()
    router.openHome()
  })
  stop.addEventListener('abort', unlisten)
}
