/** The parts of the page that begin after its first view is on its way. */

import '../features/message/quick-actions.ts'
import { restoreEdit } from '../features/message/edit-message.tsx'
import type { App } from '../app/app.ts'
import { followServiceWorker } from './service-worker.ts'
import { uploadsOf } from '../app/uploads.ts'

/** Runs until the signal aborts. */
export function runLater(app: App, stop: AbortSignal): void {
  restoreEdit(app)
  void uploadsOf(app).restore()
  followServiceWorker(app, stop)
}
