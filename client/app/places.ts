/** The places that a person left in views: back and forward lead there again, to the same lines and the same focus. */

import type { ViewHandles } from './view-handles.ts'

/** The place in a list of messages: one of them, and its distance from the top of the list in pixels. */
export interface ListPlace {
  readonly id: number
  readonly top: number
}

/** The place in a view. */
export interface Place {
  /** The newest messages without one. */
  readonly list: ListPlace | 'newest' | undefined
  /** The scrolled parts of the view, by their position among its elements that scroll. */
  readonly scrolled: readonly number[]
  readonly focus: Focus | undefined
}

/** The element with the focus, as it is found again. */
export type Focus =
  | { readonly on: 'composer' }
  | { readonly on: 'link'; readonly href: string }
  | { readonly on: 'element'; readonly id: string }

/** Entries of the history with a place: people rarely go back further. */
const PLACES_MAX = 50

export class Places {
  /** By the entry of the browser's history; the latest is last. */
  readonly #places = new Map<string, Place>()
  readonly #newId: () => string
  #entry: string
  /** The place to show; undefined in a view that was opened anew. */
  returned: Place | undefined

  constructor(newId: () => string) {
    this.#newId = newId
    this.#entry = this.#mark()
  }

  /** Stores the place of the view before another one is shown. */
  leave(place: Place): void {
    this.#places.delete(this.#entry)
    this.#places.set(this.#entry, place)
    for (const oldest of this.#places.keys()) {
      if (this.#places.size <= PLACES_MAX) return
      this.#places.delete(oldest)
    }
  }

  /** The history shows another entry. */
  enter(): void {
    this.#entry = this.#mark()
    this.returned = this.#places.get(this.#entry)
  }

  /** The view begins anew, at the place that its address names. */
  begin(): void {
    this.returned = undefined
  }

  /** The mark of the shown entry, which a new one gets. */
  #mark(): string {
    const { state } = history
    if (typeof state?.entry === 'string') return state.entry
    const entry = this.#newId()
    history.replaceState({ entry }, '')
    return entry
  }
}

/** The place of the person in the shown view. */
export function placeIn({ main, list, composer }: ViewHandles): Place {
  const { activeElement } = document
  return {
    list: list?.place(),
    scrolled: main ? scrollersIn(main).map(({ scrollTop }) => scrollTop) : [],
    focus: main?.contains(activeElement)
      ? focusOn(activeElement, composer?.has(activeElement) ?? false)
      : undefined,
  }
}

function focusOn(element: Element | null, isInComposer: boolean): Focus | undefined {
  if (isInComposer) return { on: 'composer' }
  const href = element?.getAttribute('href')
  if (href) return { on: 'link', href }
  const id = element?.closest('[data-id]')?.id ?? element?.id ?? ''
  return id === '' ? undefined : { on: 'element', id }
}

/** The parts of a view that scroll; lists of messages have places of their own. */
export function scrollersIn(main: HTMLElement): HTMLElement[] {
  return [main, ...main.querySelectorAll<HTMLElement>('*')].filter(
    (one) =>
      one.getAttribute('role') !== 'log' &&
      one.scrollHeight > one.clientHeight &&
      /auto|scroll/.test(getComputedStyle(one).overflowY),
  )
}
