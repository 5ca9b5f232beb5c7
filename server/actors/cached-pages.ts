/** Cached pages of one channel as bytes, built from the messages in memory. */

import type { Message } from '../domain/entities.ts'
import type { EventId } from '../domain/ids.ts'
import { NEWEST } from '../domain/messages/page-bounds.ts'
import { topicKey } from '../../packages/rules/topics.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { joinPage } from '../views/message-page.ts'
import type { MessageViewOptions } from '../views/message-view.ts'
import type { ChannelMessages, CachedQuery } from './channel-messages.ts'
import { encodeCached, type CachedMessage, hasExtraEmoji, variantOf } from './cached-message.ts'

/** A page and its reader's form. */
export interface PageQuery extends CachedQuery {
  readonly options: MessageViewOptions
  /** The flags of a message for the reader. */
  readonly flagsOf: (message: Message) => number
}

/** A page of the newest messages, shared with readers who see the same. */
interface PageEntry {
  readonly version: number
  readonly structuralId: EventId
  readonly messages: readonly CachedMessage[]
  readonly flags: readonly number[]
  /** Whether it has the original spelling of reaction types; undefined if that makes no difference. */
  readonly isOriginal: boolean | undefined
  readonly bytes: Buffer
}

/** Bytes of memory per byte of a page: the page itself, and old versions of messages that it holds. */
const BYTES_PER_PAGE_BYTE = 2
/** Cached pages of one channel: clients use few forms and topics. */
const PAGES_MAX = 2
/** Bytes of a cached page: most have half of it. */
const PAGE_BYTES_MAX = 128 * 1024

/** The cached pages of one channel. */
export class CachedPages {
  readonly #pages = new Map<string, PageEntry>()
  #bytes = 0

  /** The approximate bytes in memory. */
  get bytes(): number {
    return this.#bytes
  }

  clear(): void {
    this.#pages.clear()
    this.#bytes = 0
  }

  /** A page, if all of its messages are in memory. Equal pages of the newest messages are built once. */
  read(messages: ChannelMessages, query: PageQuery, state: OrganizationState): Buffer | undefined {
    const { version } = messages
    const { structuralId } = state
    const { anchor, asOf, before, topic, options, flagsOf } = query
    // A reader who does not know all users may see senders differently.
    const isShared = options.viewerId === undefined || state.userVisibility.of(options.viewerId) === undefined
    const key =
      isShared && anchor === NEWEST && messages.newestId <= asOf
        ? `${variantOf(options)}/${before}/${topic === undefined ? '' : `>${topicKey(topic)}`}`
        : undefined
    const known = key === undefined ? undefined : this.#pages.get(key)
    const isOriginal = options.readsOriginalTypes === true
    const isSpelled = (known?.isOriginal ?? isOriginal) === isOriginal
    if (known?.version === version && known.structuralId === structuralId && isSpelled) {
      if (known.messages.every(({ message }, index) => flagsOf(message) === known.flags[index]))
        return known.bytes
    }
    const page = messages.page(query)
    if (!page) return undefined
    const flags = page.messages.map(({ message }) => flagsOf(message))
    let grownBytes = 0
    const encoded = page.messages.map((cached, index) => {
      const before = cached.encodedBytes
      const utf8 = encodeCached(cached, state, options)
      grownBytes += cached.encodedBytes - before
      return { utf8, flags: flags[index] as number }
    })
    messages.noteEncoded(page, grownBytes)
    const isAnchorFound = page.messages.some(({ message }) => message.id === anchor)
    const bytes = joinPage(encoded, anchor, isAnchorFound, page)
    if (key === undefined || bytes.length > PAGE_BYTES_MAX) return bytes
    if (this.#pages.size >= PAGES_MAX && known === undefined) this.clear()
    this.#bytes += BYTES_PER_PAGE_BYTE * (bytes.length - (known?.bytes.length ?? 0))
    const spelling = page.messages.some(({ message }) => hasExtraEmoji(message)) ? isOriginal : undefined
    const entry = { version, structuralId, messages: page.messages, flags, isOriginal: spelling, bytes }
    this.#pages.set(key, entry)
    return bytes
  }
}
