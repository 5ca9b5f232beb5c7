/** Loads the pages of windows, one at a time for each window and direction. */

import type { Operations } from '../../../packages/client/src/wire-types.ts'
import { keyOf, type Narrow } from '../narrows/narrow.ts'
import type { MessageStore, PagePlace } from './message-store.ts'
import type { Page } from './message-window.ts'
import { type Anchor, openingRange, type PageRange, pageParams } from './page-params.ts'

/** `GET /messages`. */
export type FetchMessages = (params: Operations['GET /messages']['params']) => Promise<Page>

/** Messages of a further page: few enough that their rows are drawn without a halt of the scrolling. */
const PAGE_COUNT = 40

export class WindowLoader {
  readonly #store: MessageStore
  readonly #fetch: FetchMessages
  readonly #asked: (narrow: Narrow) => Narrow
  readonly #running = new Map<string, Promise<void>>()

  /** `asked` gives the narrow that the server is asked for. */
  constructor(
    store: MessageStore,
    fetch: FetchMessages,
    asked: (narrow: Narrow) => Narrow = (narrow) => narrow,
  ) {
    this.#store = store
    this.#fetch = fetch
    this.#asked = asked
  }

  /** Replaces a window by the messages around an anchor. */
  open(narrow: Narrow, anchor: Anchor): Promise<void> {
    return this.#load(narrow, 'instead', openingRange(anchor))
  }

  /** Adds older messages; does nothing if there are none. */
  async loadOlder(narrow: Narrow): Promise<void> {
    const { messages, hasOldest } = this.#store.window(narrow).peek()
    if (messages[0] && !hasOldest)
      await this.#load(narrow, 'older', { anchor: messages[0].id, num_before: PAGE_COUNT, num_after: 0 })
  }

  /** Adds newer messages; does nothing if there are none. */
  async loadNewer(narrow: Narrow): Promise<void> {
    const { messages, hasNewest } = this.#store.window(narrow).peek()
    const last = messages.at(-1)
    if (last && !hasNewest)
      await this.#load(narrow, 'newer', { anchor: last.id, num_before: 0, num_after: PAGE_COUNT })
  }

  #load(narrow: Narrow, place: PagePlace, range: PageRange): Promise<void> {
    const key = `${place} ${keyOf(narrow)} ${place === 'instead' ? (range.anchor ?? '') : ''}`
    const running = this.#running.get(key)
    if (running) return running
    const load = this.#run(narrow, place, range).finally(() => this.#running.delete(key))
    this.#running.set(key, load)
    return load
  }

  async #run(narrow: Narrow, place: PagePlace, range: PageRange): Promise<void> {
    const before = this.#store.window(narrow).peek()
    for (;;) {
      const load = this.#store.beginLoad()
      try {
        const page = await this.#fetch(pageParams(this.#asked(narrow), range))
        const now = this.#store.window(narrow).peek()
        const isOutdated = this.#store.isOutdated(load)
        // A window that was replaced meanwhile does not touch the page any more.
        const edge = place === 'older' ? 0 : -1
        const isApart =
          place !== 'instead' && (isOutdated || now.messages.at(edge)?.id !== before.messages.at(edge)?.id)
        if (!isApart && !isOutdated) return this.#store.addPage(load, narrow, place, page)
        this.#store.endLoad(load)
        if (isApart) return
      } catch (error) {
        this.#store.endLoad(load)
        throw error
      }
    }
  }
}
