/** The places that a person left in views: back and forward lead there again, to the same lines and the same focus. */

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
