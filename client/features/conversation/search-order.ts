/** How the results of searches are sorted, as long as the page is open. */

import { signal } from '@preact/signals'
import type { App } from '../../app/app.ts'
import { type Narrow, term } from '../../store/narrows/narrow.ts'

export class SearchOrder {
  /** The best match first, instead of the newest last. */
  readonly isByFit = signal(false)
}

/** Whether a search has words that a message can fit better or worse. */
export function hasWords(narrow: Narrow): boolean {
  return narrow.some(({ operator, isNegated }) => operator === 'search' && !isNegated)
}

export function isSortedByFit(app: App, narrow: Narrow): boolean {
  return hasWords(narrow) && app.part(SearchOrder).isByFit.value
}

/** The window that holds the best matches, so that events change them; only the server can say what fits. */
export function heldNarrow(narrow: Narrow): Narrow {
  return [...narrow, term('search', '')]
}
