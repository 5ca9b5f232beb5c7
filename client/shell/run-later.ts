/** The parts of the page that begin after its first view is on its way. */

import type { App } from '../app/app.ts'
import { endStatus } from '../app/status-end.ts'
import { UnsavedEdits } from '../app/unsaved-edits.ts'
import { Network } from '../app/network.ts'
import { TypingNotifier } from '../app/typing-notifier.ts'
import { Uploads } from '../app/uploads.ts'
import { MessageParts } from '../features/message/message-parts.ts'
import { followKeys } from './press-keys.ts'
import { followServiceWorker } from './service-worker.ts'
import { isField } from '../ui/is-typing.ts'
import { effect } from '@preact/signals'
import { type Narrow, splitNear } from '../store/narrows/narrow.ts'

const VISITED_MAX = 12
const PLACES: ReadonlySet<string> = new Set(['channel', 'topic', 'dm'])

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
  followConnection(app, stop)
  endStatus({ api: app.api, state: app.live.state, minute: app.minute }, stop)
}

/** Notes on the page whether keyboard or pointer was used last: only the keyboard needs to see where the focus is. */
function followInput(signal: AbortSignal): void {
  const { dataset } = document.documentElement
  const options = { signal, capture: true, passive: true }
  addEventListener('pointerdown', () => (dataset.by = 'pointer'), options)
  const note = ({ key, target }: KeyboardEvent) => {
    // A word that is written does not say how its field was reached.
    if (key === 'Tab' || key === 'Escape' || !isField(target as Element)) dataset.by = 'keyboard'
  }
  addEventListener('keydown', note, options)
}

/** Files and pictures that were cut off go on when the connection is back. */
function followConnection(app: App, stop: AbortSignal): void {
  const { isAway } = app.part(Network)
  let wasAway = false
  const end = effect(() => {
    if (wasAway && !isAway.value) {
      app.part(Uploads).resumeCut()
      for (const picture of document.images)
        if (picture.complete && picture.naturalWidth === 0) picture.setAttribute('src', picture.src)
    }
    wasAway = isAway.value
  })
  stop.addEventListener('abort', end)
}

/** Notes on this device which conversations were visited: the palette offers them first. */
function noteVisits(app: App, stop: AbortSignal): void {
  const { visited } = app.device
  const end = effect(() => {
    const route = app.router.route.value
    if (route.view !== 'narrow') return
    const { narrow } = splitNear(route.narrow)
    if (!isPlace(narrow)) return
    const address = app.router.hrefOf({ view: 'narrow', narrow })
    visited.value = [address, ...visited.peek().filter((one) => one !== address)].slice(0, VISITED_MAX)
  })
  stop.addEventListener('abort', end)
}

function isPlace(narrow: Narrow): boolean {
  return narrow.length > 0 && narrow.every(({ operator, isNegated }) => PLACES.has(operator) && !isNegated)
}
