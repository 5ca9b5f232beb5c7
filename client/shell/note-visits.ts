/** Notes on this device which conversations were visited: the palette offers them first. */

import { effect } from '@preact/signals'
import type { App } from '../app/app.ts'
import { type Narrow, splitNear } from '../store/narrows/narrow.ts'

const VISITED_MAX = 12
const PLACES: ReadonlySet<string> = new Set(['channel', 'topic', 'dm'])

export function noteVisits(app: App, stop: AbortSignal): void {
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
