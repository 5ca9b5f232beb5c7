/** The scrolling of a message list: its place is that of a message, whatever is added or grows above or below it. */

import type { ListPlace } from '../../app/places.ts'

/** Pixels from an end at which the next page is loaded while somebody scrolls: a few screens. */
const LOAD_PX = 2_000
/** The same before: people mostly read where a list opens, and each page makes it heavier. */
const REST_PX = 600
/** Pixels from the bottom within which a list stays at the bottom. */
const BOTTOM_PX = 40

/** The part of a list that is on the screen. */
export interface ListView {
  /** The first visible message. */
  readonly topId: number | undefined
  /** Pixels below the screen. */
  readonly belowPx: number
}

export interface ListScrollOptions {
  /** Whether the newest messages are loaded: then a list at its end stays there as others arrive. */
  readonly hasNewest: () => boolean
  /** Called at most once for each frame. */
  readonly onView: (view: ListView) => void
  readonly onOlder: () => void
  readonly onNewer: () => void
  /** Messages that are wholly, or to their end, on the screen. */
  readonly onSeen: (ids: ReadonlySet<number>) => void
}

export class ListScroll {
  readonly #list: HTMLElement
  readonly #options: ListScrollOptions
  readonly #stop = new AbortController()
  readonly #observer: ResizeObserver
  #isAtBottom = true
  #isOpen = false
  /** The first visible message, and its distance from the top of the list. */
  #place: ListPlace | undefined
  /** The message that the list was opened at: it stays where it is until the person scrolls. */
  #heldId: number | undefined
  /** Whether a person has scrolled it. */
  #isScrolled = false
  /** The pixels above the screen when they were last known: others are by the person. */
  #knownTop: number
  /** The newest message when it was opened. */
  #newestId: number | undefined
  #frame = 0
  /** The height of all rows when the place was noted: parts above it may appear late. */
  #height = 0
  /** Whether rows have changed since the last frame. */
  #isChanged = false

  constructor(list: HTMLElement, options: ListScrollOptions) {
    this.#list = list
    this.#knownTop = list.scrollTop
    this.#options = options
    list.addEventListener('scroll', () => this.#noteScroll(), { passive: true, signal: this.#stop.signal })
    for (const event of ['focus', 'visibilitychange'] as const)
      addEventListener(event, () => this.#look(), { signal: this.#stop.signal })
    // Pictures and the composer change sizes.
    this.#observer = new ResizeObserver(() => {
      this.#restore() // Not in the next frame: this one is about to be painted.
      this.#later()
    })
    this.#observer.observe(list)
    if (list.firstElementChild) this.#observer.observe(list.firstElementChild)
  }

  close(): void {
    this.#stop.abort()
    this.#observer.disconnect()
    cancelAnimationFrame(this.#frame)
  }

  /** Shows a message near the top and holds it there, the newest ones, or the messages as a person left them. */
  openAt(at: number | ListPlace | 'newest'): void {
    if (typeof at === 'object') this.#returnTo(at)
    else this.#open(at === 'newest' ? undefined : at)
  }

  /** The newest messages if there is none with the id. */
  #open(id: number | undefined): void {
    this.#isOpen = true
    this.#heldId = id
    this.#isAtBottom = id === undefined || !this.#find(id)
    this.#restore()
    this.#isAtBottom ||= this.#isAtEnd()
    this.#newestId = this.#lastId()
    this.#place = this.#placeOf(this.#visible()[0])
    this.#later()
  }

  #returnTo(place: ListPlace): void {
    this.#open(place.id)
    this.#heldId = undefined
    this.#place = place
    this.#restore()
    this.#isAtBottom = this.#isAtEnd()
  }

  /** The place to return to. */
  place(): ListPlace | 'newest' | undefined {
    return this.#isOpen && this.#isAtBottom ? 'newest' : this.#place
  }

  /** The messages on the screen. */
  visibleIds(): readonly number[] {
    return this.#visible().map(idOf)
  }

  toBottom(): void {
    this.#heldId = undefined
    this.#isAtBottom = true
    this.#scrollTo(this.#list.scrollHeight)
  }

  /** The first visible message. */
  topId(): number | undefined {
    return this.#place?.id
  }

  /** After the rows have changed: the person still sees the same messages. Several changes of a frame are one layout. */
  afterChange(): void {
    // At the end of the list new messages are what the person waits for.
    if (this.#isAtBottom && this.#lastId() !== this.#newestId) this.#heldId = undefined
    this.#isChanged = true
    this.#later()
  }

  #restore(): void {
    this.#isChanged = false
    this.#height = this.#list.scrollHeight
    const held = this.#heldId === undefined ? undefined : this.#find(this.#heldId)
    if (held) this.#scrollTo(held.offsetTop - this.#list.clientHeight / 4)
    else if (!this.#isOpen || this.#isAtBottom) this.#scrollTo(this.#list.scrollHeight)
    else if (this.#place) {
      const message = this.#find(this.#place.id)
      const moved = message ? this.#topOf(message) - this.#place.top : 0
      if (Math.abs(moved) >= 1) this.#scrollTo(this.#list.scrollTop + moved)
    }
  }

  #scrollTo(top: number): void {
    this.#list.scrollTop = top
    this.#knownTop = this.#list.scrollTop // Its ends are limits.
  }

  #noteScroll(): void {
    const { scrollTop } = this.#list
    const movedPx = scrollTop - this.#knownTop
    const isByPerson = Math.abs(movedPx) > 1 && !this.#isCutShort()
    this.#knownTop = scrollTop
    if (isByPerson) {
      this.#heldId = undefined
      this.#isScrolled = true
      // Rows that change in the same frame are put back to where the person has come.
      if (this.#place) this.#place = { id: this.#place.id, top: this.#place.top - movedPx }
      if (movedPx < 0) this.#isAtBottom = false
    }
    if (!this.#isChanged) this.#isAtBottom = this.#isAtEnd()
    this.#later()
  }

  /** Whether rows that turned out lower have taken the place from below the list, so that the browser moved it to its end. */
  #isCutShort(): boolean {
    const { scrollHeight, scrollTop, clientHeight } = this.#list
    const end = scrollHeight - clientHeight
    return this.#knownTop > end + 1 && scrollTop >= end - 1
  }

  /** Looks at most once for each frame. */
  #later(): void {
    cancelAnimationFrame(this.#frame)
    this.#frame = requestAnimationFrame(() => this.#look())
  }

  #look(): void {
    if (this.#isChanged || this.#list.scrollHeight !== this.#height) this.#restore()
    if (this.#heldId !== undefined) this.#isAtBottom = this.#isAtEnd()
    const { scrollTop, clientHeight } = this.#list
    const belowPx = this.#bottomPx()
    const visible = this.#visible()
    this.#place = this.#placeOf(visible[0])
    this.#options.onView({ topId: this.#place?.id, belowPx })
    if (!this.#isOpen) return
    const aheadPx = this.#isScrolled ? LOAD_PX : REST_PX
    if (scrollTop < aheadPx) this.#options.onOlder()
    if (belowPx < aheadPx) this.#options.onNewer()
    if (!document.hasFocus() || document.hidden) return
    const ends = visible.filter((one) => this.#topOf(one) + one.offsetHeight <= clientHeight + 1)
    if (ends.length > 0) this.#options.onSeen(new Set(ends.map(idOf)))
  }

  /** The messages on the screen, found by halving: lists are long. */
  #visible(): HTMLElement[] {
    const all = this.#list.querySelectorAll<HTMLElement>('[data-id]')
    let [low, high] = [0, all.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const one = all[middle] as HTMLElement
      if (this.#topOf(one) + one.offsetHeight <= 0) low = middle + 1
      else high = middle
    }
    const visible: HTMLElement[] = []
    for (let index = low; index < all.length; index++) {
      const one = all[index] as HTMLElement
      if (this.#topOf(one) >= this.#list.clientHeight) break
      visible.push(one)
    }
    return visible
  }

  #placeOf(message: HTMLElement | undefined): ListPlace | undefined {
    return message && { id: idOf(message), top: this.#topOf(message) }
  }

  #lastId(): number | undefined {
    const last = [...this.#list.querySelectorAll<HTMLElement>('[data-id]')].at(-1)
    return last && idOf(last)
  }

  #find(id: number): HTMLElement | undefined {
    return this.#list.querySelector<HTMLElement>(`#message-${id}`) ?? undefined
  }

  /** Pixels from the top of the list's screen. */
  #topOf(one: HTMLElement): number {
    return one.offsetTop - this.#list.scrollTop
  }

  #isAtEnd(): boolean {
    return this.#bottomPx() < BOTTOM_PX && this.#options.hasNewest()
  }

  #bottomPx(): number {
    const { scrollHeight, scrollTop, clientHeight } = this.#list
    return scrollHeight - scrollTop - clientHeight
  }
}

function idOf(one: HTMLElement): number {
  return Number(one.dataset.id)
}
