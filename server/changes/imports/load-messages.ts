/** Brings messages over, a batch at a time, each with the keys of what it holds. */

import { findImported, importKey, type ImportKey } from '../../../db/imports/imported-ids.ts'
import type { MessageSent } from '../../domain/events/messages.ts'
import type { UserId } from '../../domain/ids.ts'
import { type FreshMessage, MessageWriter } from './imported-message.ts'
import type { ImportedChannels } from './load-channels.ts'
import type { MarkedMessage } from './load-marks.ts'
import type { PinnedMessage } from './load-pins.ts'
import type { WidgetMessage } from './load-submessages.ts'
import type { ImportPlace, Loading } from './loading.ts'
import { bringFiles } from './message-files.ts'
import { quoteReply, textsOf } from './message-texts.ts'
import type { ForeignMessage } from './records.ts'
import { findTopics, NO_TOPICS, threadKey, type ThreadMessage } from './thread-topics.ts'
import { parseForeignTopic } from './topic-names.ts'

/** Messages of one change, which holds the log meanwhile: some tens of milliseconds. */
const BATCH_MESSAGES_MAX = 500
/** Characters of their texts. */
const BATCH_LENGTH_MAX = 1_000_000

export class MessageLoader {
  readonly #loading: Loading
  readonly #channels: ImportedChannels
  readonly #places: ReadonlyMap<string, ImportPlace>
  readonly #writer: MessageWriter
  readonly pinned: PinnedMessage[] = []
  readonly marked: MarkedMessage[] = []
  readonly widgets: WidgetMessage[] = []
  /** The batch that is being written while the next one is made. */
  #writing: Promise<void> = Promise.resolve()
  #written = { keys: new Set<ImportKey>(), topics: NO_TOPICS }
  /** The last event before this run: what has a later number was imported by it. */
  readonly #startId: number
  /** Called after each batch, with the number of its messages. */
  readonly #onBatch: (count: number) => void

  constructor(
    loading: Loading,
    channels: ImportedChannels,
    places: ReadonlyMap<string, ImportPlace>,
    onBatch: (count: number) => void,
  ) {
    this.#loading = loading
    this.#channels = channels
    this.#places = places
    this.#writer = new MessageWriter(loading, channels)
    this.#onBatch = onBatch
    this.#startId = loading.target.state.appliedId
  }

  async load(): Promise<void> {
    let batch: ForeignMessage[] = []
    let length = 0
    for await (const message of this.#loading.source.messages()) {
      batch.push(message)
      length += message.text.length
      if (batch.length < BATCH_MESSAGES_MAX && length < BATCH_LENGTH_MAX) continue
      await this.#loadBatch(batch)
      batch = []
      length = 0
    }
    await this.#loadBatch(batch)
    await this.#writing
  }

  async #loadBatch(batch: readonly ForeignMessage[]): Promise<void> {
    const fresh = await this.#selectFresh(batch)
    const threads = await this.#findTopics(fresh)
    const events: MessageSent[] = []
    const keys: [key: ImportKey, place: number][] = []
    const begun: [key: ImportKey, place: number][] = []
    const waiting = new Set(threads.fresh)
    for (const one of fresh) {
      const { place, message } = one
      const thread = place.kind === 'channel' ? this.#threadOf(message) : undefined
      const topic =
        thread === undefined ? parseForeignTopic(message.topic ?? '') : (threads.topics.get(thread) ?? '')
      const counts = this.#loading.report.place(place.label)
      keys.push([one.key, events.length])
      if (thread !== undefined && waiting.delete(thread)) {
        begun.push([thread, events.length])
        counts.topics++
      }
      for (const [index, text] of one.texts.entries()) {
        events.push(await this.#writer.write(one, text, topic, index === 0))
      }
      if (message.isBroadcast && thread !== undefined && place.kind === 'channel') {
        const { name } = this.#loading.target.state.getChannel(place.channelId).channel
        events.push(await this.#writer.write(one, quoteReply(one.texts[0] ?? '', name, topic), '', false))
      }
      counts.messages++
      counts.files_as_links += message.files.filter(({ here }) => here === undefined).length
    }
    await this.#writing
    this.#written = { keys: new Set(keys.map(([key]) => key)), topics: threads }
    if (events.length > 0) this.#writing = this.#loading.target.send(events, keys, begun)
    this.#writing.catch(() => undefined) // The next batch, or the end, awaits it.
    this.#onBatch(batch.length)
  }

  /** The messages that can come over and have not yet, with their accounts and texts. */
  async #selectFresh(batch: readonly ForeignMessage[]): Promise<FreshMessage[]> {
    const { target, source, report, people } = this.#loading
    const keyed = this.#keyOf(batch)
    const known = await findImported(
      target.sql,
      keyed.map(({ key }) => key),
    )
    const wanted = keyed.filter(({ key, place, message }) => {
      if (place.kind === 'channel' && message.isPinned)
        this.pinned.push({ channelId: place.channelId, key, label: place.label, sentAt: message.sentAt })
      const { starredBy = [], collapsedBy = [], submessages = [] } = message
      if (submessages.length > 0) this.widgets.push({ key, place, submessages })
      if (starredBy.length > 0) this.marked.push({ key, place, flag: 'starred', users: starredBy })
      if (collapsedBy.length > 0) this.marked.push({ key, place, flag: 'collapsed', users: collapsedBy })
      const id = known.get(key)
      if (id === undefined && !this.#written.keys.has(key)) return true
      if (id !== undefined && id <= this.#startId) report.place(place.label).already_imported++
      else
        report.lose({
          place: place.label,
          reason: 'a message whose id is there twice',
          example: message.key,
        })
      return false
    })
    await people.ensure(
      wanted.flatMap(({ message, place }) => [
        { id: message.sender, name: message.senderName, isBot: message.isSenderBot },
        ...message.reactions.flatMap(({ users }) => users.map((id) => ({ id }))),
        ...(place.kind === 'direct' ? place.members.map((id) => ({ id })) : []),
      ]),
    )
    const { names } = this.#channels
    const filed: typeof wanted = []
    for (const one of wanted) {
      const { message, place } = one
      const files = await bringFiles(this.#loading, message, place.label)
      filed.push(files === message.files ? one : { ...one, message: { ...message, files } })
    }
    return filed.flatMap(({ message, place, key }): FreshMessage[] => {
      const texts = textsOf(source, message, names)
      if (texts.length === 0) {
        report.lose({ place: place.label, reason: 'an empty message', example: message.key })
        return []
      }
      if (texts.length > 1)
        report.lose({
          place: place.label,
          reason: 'nothing: a long message became several',
          example: message.key,
        })
      return [{ message, place, key, texts, sender: people.find(message.sender) as UserId }]
    })
  }

  /** The messages with their keys. Two of one key are one, unless they differ. */
  #keyOf(batch: readonly ForeignMessage[]) {
    const { source, report } = this.#loading
    const seen = new Map<ImportKey, ForeignMessage>()
    return batch.flatMap((message) => {
      const place = this.#places.get(message.place)
      if (!place) {
        report.lose({ place: message.place, reason: 'a message in no listed channel', example: message.key })
        return []
      }
      let key = importKey(source.origin, 'message', message.place, message.key)
      const first = seen.get(key)
      if (first?.text === message.text) {
        report.lose({ place: place.label, reason: 'a message that is there twice', example: message.key })
        return []
      }
      if (first) key = importKey(source.origin, 'message', message.place, message.key, message.text)
      seen.set(key, message)
      return [{ message, place, key }]
    })
  }

  #threadOf({ place, thread }: ForeignMessage): ImportKey | undefined {
    return thread === undefined ? undefined : threadKey(this.#loading.source.origin, place, thread)
  }

  #findTopics(fresh: readonly FreshMessage[]) {
    const messages = fresh.flatMap(({ message, place, texts }): ThreadMessage[] => {
      const thread = this.#threadOf(message)
      if (thread === undefined || place.kind !== 'channel') return []
      const { key, sentAt } = message
      return [{ channelId: place.channelId, thread, text: texts[0] ?? '', key, sentAt }]
    })
    return findTopics(this.#loading.target, messages, this.#written.topics)
  }
}
