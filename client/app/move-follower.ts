/**
 * Keeps the page with its conversation when that gets another name or channel: the address, the draft and the outbox
 * follow, so that nobody goes on writing where nobody else is left.
 */

import type { Event, Message } from '../../packages/client/src/wire-types.ts'
import type { Topic } from '../store/derived/topic.ts'
import { draftKey } from '../store/drafts/draft-entry.ts'
import type { Drafts } from '../store/drafts/drafts.ts'
import { changePlace } from '../store/messages/change-message.ts'
import type { MessageStore } from '../store/messages/message-store.ts'
import { type Narrow, ofTopic, splitNear, term } from '../store/narrows/narrow.ts'
import { isSameTopic, topicOf } from '../store/narrows/topic-of.ts'
import { readMove, type TopicMove } from '../store/narrows/topic-move.ts'
import type { Outbox } from '../store/outbox/outbox.ts'
import type { Router } from './router.ts'
import type { ViewHandles } from './view-handles.ts'

interface Page {
  readonly router: Router
  readonly messages: MessageStore
  readonly drafts: Drafts
  readonly outbox: Outbox
  readonly handles: ViewHandles
}

/** A note on the shown conversation. */
export type MoveNotice =
  /** `isWhole` if nothing is left of it; `isFollowed` if the page shows the new place. */
  | {
      readonly kind: 'moved'
      readonly move: TopicMove
      readonly isWhole: boolean
      readonly isFollowed: boolean
    }
  /** Nothing is left, and no event says where it went. */
  | { readonly kind: 'gone'; readonly place: Topic }

interface Listener {
  readonly onFollow?: (from: Topic, to: Topic) => void
  readonly onNotice?: (notice: MoveNotice) => void
}

export class MoveFollower {
  readonly #page: Page
  readonly #listeners = new Set<Listener>()
  /** Composers stay the same ones when their place gets another key. */
  readonly #composers = new Map<string, string>()

  constructor(page: Page) {
    this.#page = page
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The composer of a place, by the key of its draft. */
  composerOf(key: string): string {
    return this.#composers.get(key) ?? key
  }

  /** Before the windows have an event; returns what follows when they have it. */
  take(event: Event): (() => void) | undefined {
    const move = readMove(event)
    if (move) return this.#takeMove(move)
    return event.type === 'delete_message' ? this.#takeDeletion() : undefined
  }

  /** A link named a former place of its message. */
  redirect(narrow: Narrow, nearId: number | undefined): void {
    const { router } = this.#page
    router.rename({
      view: 'narrow',
      narrow: nearId === undefined ? narrow : [...narrow, term('near', nearId)],
    })
  }

  /** Goes on at the new place of a whole topic. */
  follow(from: Topic, to: Topic, known?: readonly Message[]): void {
    const { router, messages, drafts, outbox } = this.#page
    const moved = known ?? messages.window(ofTopic(from.channelId, from.topic)).peek().messages
    const [fromKey, toKey] = [from, to].map((one) => draftKey({ type: 'channel', ...one })) as [
      string,
      string,
    ]
    void drafts.move({ type: 'channel', ...from }, { type: 'channel', ...to })
    outbox.redirect({ type: 'channel', ...from }, { type: 'channel', ...to })
    for (const { onFollow } of this.#listeners) onFollow?.(from, to)
    if (!this.#isShown(from)) return
    messages.adopt(
      ofTopic(to.channelId, to.topic),
      moved.map((one) => changePlace(one, to)),
    )
    if (fromKey !== toKey) {
      this.#composers.set(toKey, this.composerOf(fromKey))
      this.#composers.set(fromKey, `${fromKey} ${this.#composers.size}`)
    }
    router.rename({ view: 'narrow', narrow: ofTopic(to.channelId, to.topic) }, router.placeNow())
  }

  #isShown(topic: Topic): boolean {
    const shown = this.#shown()
    return shown !== undefined && isSameTopic(shown, topic)
  }

  #shown(): Topic | undefined {
    const route = this.#page.router.route.peek()
    return route.view === 'narrow' ? topicOf(splitNear(route.narrow).narrow) : undefined
  }

  #takeMove(move: TopicMove): () => void {
    const { from, to, ids, mode } = move
    const { messages, hasOldest, hasNewest } = this.#windowOf(from)
    const moved = messages.filter(({ id }) => ids.has(id))
    const isEmptied = hasOldest && hasNewest && moved.length === messages.length && moved.length > 0
    const isWhole = mode === 'change_all' || isEmptied
    const isShown = this.#isShown(from)
    const isFollowed = isWhole || (isShown ? this.#areMostOnScreen(ids) : mode === 'change_later')
    return () => {
      if (isFollowed) this.follow(from, to, moved)
      if (isShown) this.#tell({ kind: 'moved', move, isWhole, isFollowed })
    }
  }

  #takeDeletion(): (() => void) | undefined {
    const place = this.#shown()
    if (!place || this.#windowOf(place).messages.length === 0) return undefined
    return () => {
      const { messages, hasOldest, hasNewest } = this.#windowOf(place)
      if (messages.length === 0 && hasOldest && hasNewest) this.#tell({ kind: 'gone', place })
    }
  }

  #windowOf({ channelId, topic }: Topic) {
    return this.#page.messages.window(ofTopic(channelId, topic)).peek()
  }

  /** The list still shows the messages that have moved. */
  #areMostOnScreen(ids: ReadonlySet<number>): boolean {
    const shown = this.#page.handles.list?.visibleIds() ?? []
    return shown.filter((id) => ids.has(id)).length * 2 > shown.length
  }

  #tell(notice: MoveNotice): void {
    for (const { onNotice } of this.#listeners) onNotice?.(notice)
  }
}
