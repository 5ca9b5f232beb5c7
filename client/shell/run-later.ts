/** The parts of the page that begin after its first view is on its way. */

import type { App } from '../app/app.ts'
import { endStatus } from '../app/status-end.ts'
import { UnsavedEdits } from '../app/unsaved-edits.ts'
import { TypingNotifier } from '../app/typing-notifier.ts'
import { Uploads } from '../app/uploads.ts'
import { MessageParts } from '../features/message/message-parts.ts'
import { followInput } from './follow-input.ts'
import { noteVisits } from './note-visits.ts'
import { followKeys } from './press-keys.ts'
import { followServiceWorker } from './service-worker.ts'

/** Runs until the signal aborts. `early` are the keys pressed before this code came. */
export function runLater(app: App, stop: AbortSignal, early: readonly KeyboardEvent[]): void {
  // An edit that was not saved when the page was closed is open again.
  app.part(MessageParts).editingId.value ??= app.part(UnsavedEdits).newestId()
  void app.part(Uploads).restore()
  addEventListener('pagehide', () => app.part(TypingNotifier).stop(), { signal: stop })
  followInput(stop)
  followKeys(app, stop, early)
  followServiceWorker(app, stop)
  noteVisits(app, stop)
  endStatus({ api: app.api, state: app.live.state, minute: app.minute }, stop)
}
