/** The parts of the shown view that the keyboard and other parts of the page reach. */

import type { ListPlace } from './places.ts'

/** A view that was just opened draws its composer within so many frames. */
const FRAMES_MAX = 60

interface ShownMessages {
  readonly place: () => ListPlace | 'newest' | undefined
  /** The messages on the screen. */
  readonly visibleIds: () => readonly number[]
}

interface Composer {
  readonly focus: () => void
  /** Whether an element is part of it. */
  readonly has: (element: Element | null) => boolean
  /** Inserts a text at the cursor, as if it was typed. */
  readonly insert: (text: string) => void
}

export class ViewHandles {
  composer: Composer | undefined
  list: ShownMessages | undefined
  search: { readonly focus: () => void } | undefined
  /** Asks for a day to jump to. */
  days: { readonly ask: () => void } | undefined
  /** The view, and the places beside it. */
  main: HTMLElement | undefined
  side: HTMLElement | undefined

  /** The composer of the current view, with the focus, once it is drawn; rejects if the view has none. */
  async focusComposer(): Promise<Composer> {
    for (let frame = 0; frame < FRAMES_MAX; frame++) {
      await new Promise(requestAnimationFrame)
      if (!this.composer) continue
      this.composer.focus()
      return this.composer
    }
    throw new Error('the view has no composer')
  }

  /** The focus goes to the heading of the view; on a phone, to the places while they are shown instead of it. */
  focusHeading(frames = FRAMES_MAX): void {
    const { main } = this
    if (!main?.checkVisibility()) return this.side?.querySelector('a')?.focus()
    const heading = main.querySelector('h1')
    const { activeElement: before } = document
    // The code of a view may come late; a person who goes elsewhere meanwhile is not disturbed.
    if (!heading && frames > 0)
      requestAnimationFrame(() => document.activeElement === before && this.focusHeading(frames - 1))
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }
}
