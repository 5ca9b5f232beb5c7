/** Loads the pages of windows, one at a time for each window and direction. */

import type { Operations, Message } from '../../../packages/client/src/wire-types.ts'
import { keyOf, type Narrow, ofDirect, ofTopic } from '../narrows/narrow.ts'
import type { MessageStore, PagePlace } from './message-store.ts'
import type { Page } from './message-window.ts'
import { type Anchor, linkedNarrow, openingRange, type PageRange, pageParams } from './page-params.ts'
import { otherIdsOf } from './match-narrow.ts'
import { isSameTopic, topicOf } from '../narrows/topic-of.ts'

/** `GET /messages`. */
export type FetchMessages = (params: Operations['GET /messages']['params']) => Promise<Page>

/** Messages of a further page: few enough that their rows are drawn without a halt of the scrolling. */
const PAGE_COUNT = 40

export class WindowLoader {
  readonly #store: MessageStore
  readonly #fetch: FetchMessages
  readonly #asked: (narrow: Narrow) => Narrow
  readonly #ownId: () => number
  readonly #running = new Map<string, Promise<Narrow>>()

  /** `asked` gives the narrow that the server is asked for. */
  constructor(
    store: MessageStore,
    fetch: FetchMessages,
    asked: (narrow: Narrow) => Narrow = (narrow) => narrow,
    ownId: () => number = () => 0,
  ) {
    this.#store = store
    this.#fetch = fetch
    this.#asked = asked
    this.#ownId = ownId
  }

  /**
   * Replaces a window by the messages around an anchor. A linked message may have left the narrow: then the window of its
   * present conversation is replaced, and the promise resolves to that.
   */
  open(narrow: Narrow, anchor: Anchor, linkedId?: number): Promise<Narrow> {
    return this.#load(narrow, 'instead', openingRange(anchor), linkedId)
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

  #load(narrow: Narrow, place: PagePlace, range: PageRange, linkedId?: number): Promise<Narrow> {
    const key = `${place} ${keyOf(narrow)} ${place === 'instead' ? `${range.anchor} ${linkedId}` : ''}`
    const running = this.#running.get(key)
    if (running) return running
    const load = this.#run(narrow, place, range, linkedId).finally(() => this.#running.delete(key))
    this.#running.set(key, load)
    return load
  }

  async #run(narrow: Narrow, place: PagePlace, range: PageRange, linkedId?: number): Promise<Narrow> {
    const before = this.#store.window(narrow).peek()
    for (;;) {
      const load = this.#store.beginLoad()
      try {
        const page = await this.#fetch(pageParams(this.#asked(linkedNarrow(narrow, linkedId)), range))
        const now = this.#store.window(narrow).peek()
        const isOutdated = this.#store.isOutdated(load)
        // A window that was replaced meanwhile does not touch the page any more.
        const edge = place === 'older' ? 0 : -1
        const isApart =
          place !== 'instead' && (isOutdated || now.messages.at(edge)?.id !== before.messages.at(edge)?.id)
        if (!isApart && !isOutdated) {
          const present = presentNarrow(narrow, page.messages, this.#ownId())
          this.#store.addPage(load, present, place, page)
          return present
        }
        this.#store.endLoad(load)
        if (isApart) return narrow
      } catch (error) {
        this.#store.endLoad(load)
        throw error
      }
    }
  }
}

/** The conversation of the messages that were found for a link; the same object if it is the one that the link names. */
function presentNarrow(narrow: Narrow, messages: readonly Message[], ownId: number): Narrow {
  const [first] = messages
  const isByMessage = narrow.length === 1 && narrow[0]?.operator === 'with'
  const place = topicOf(narrow)
  if (!first || !(place || isByMessage)) return narrow
  const { stream_id: channelId, subject: topic } = first
  if (channelId === undefined) return isByMessage ? ofDirect(otherIdsOf(first, ownId) ?? []) : narrow
  return place && isSameTopic(place, { channelId, topic }) ? narrow : ofTopic(channelId, topic)
}
