/** Brings messages over, a batch at a time, each with the keys of what it holds. */

import { LRUCache } from 'lru-cache'
import { findImported, importKey, type ImportKey } from '../../../db/imports/imported-ids.ts'
import { compareImported } from '../../../db/messages/imported-messages.ts'
import { openConversation } from '../../../db/unread/conversations.ts'
import { idsOfLinked, renderNotice } from '../messages/compose-message.ts'
import { gatherSnapshot } from '../messages/mention-snapshot.ts'
import type { Reaction } from '../../domain/entities.ts'
import type { ImportedEdit, MessageSent } from '../../domain/events/messages.ts'
import type { ChannelId, ConversationId, UserId } from '../../domain/ids.ts'
import { EDITS_SHOWN_MAX, REACTIONS_PER_MESSAGE_MAX, SUBMESSAGES_LENGTH_MAX } from '../../domain/limits.ts'
import { MESSAGE_FLAGS, type Mention } from '../../domain/messages/message-flags.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import { escapeHtml } from '../../domain/text/escape-html.ts'
import { findReactionEmoji } from './emoji-names.ts'
import type { ImportedChannels } from './load-channels.ts'
import type { ImportPlace, Loading } from './loading.ts'
import { parseForeignTopic } from './foreign-topic.ts'
import { bringFiles } from './message-files.ts'
import type { WidgetMessage } from './load-submessages.ts'
import { quoteReply, textsOf } from './message-texts.ts'
import type { ForeignMessage } from './records.ts'
import { findTopics, NO_TOPICS, threadKey, type ThreadMessage } from './thread-topics.ts'

/** Messages of one change, which holds the log meanwhile: some tens of milliseconds. */
const BATCH_MESSAGES_MAX = 500
/** Characters of their texts. */
const BATCH_LENGTH_MAX = 1_000_000
/** Seconds that a clock may be ahead of this one. */
const AHEAD_SECONDS_MAX = 60
const CONVERSATIONS_CACHED_MAX = 10_000
const CLIENT = 'import'
const NO_READERS: readonly UserId[] = []

/** A pinned message: its key, and the channel. */
export interface PinnedMessage {
  readonly channelId: ChannelId
  readonly key: ImportKey
  readonly label: string
  readonly sentAt: number
}

/** A message that users starred or collapsed: its key, its place, and these users. */
export interface MarkedMessage {
  readonly key: ImportKey
  readonly place: ImportPlace
  readonly flag: 'starred' | 'collapsed'
  readonly users: readonly string[]
}

/** A message that no earlier run has imported. */
interface Fresh {
  readonly message: ForeignMessage
  readonly place: ImportPlace
  readonly key: ImportKey
  readonly sender: UserId
  readonly texts: readonly string[]
}

export class MessageLoader {
  readonly #loading: Loading
  readonly #channels: ImportedChannels
  readonly #places: ReadonlyMap<string, ImportPlace>
  readonly #conversations = new LRUCache<string, { id: ConversationId; userIds: readonly UserId[] }>({
    max: CONVERSATIONS_CACHED_MAX,
  })
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
        const event = await this.#write(one, text, topic, index === 0)
        events.push(event)
      }
      if (message.isBroadcast && thread !== undefined && place.kind === 'channel') {
        const { name } = this.#loading.target.state.getChannel(place.channelId).channel
        events.push(await this.#write(one, quoteReply(one.texts[0] ?? '', name, topic), '', false))
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
  async #selectFresh(batch: readonly ForeignMessage[]): Promise<Fresh[]> {
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
    return filed.flatMap(({ message, place, key }): Fresh[] => {
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

  #findTopics(fresh: readonly Fresh[]) {
    const messages = fresh.flatMap(({ message, place, texts }): ThreadMessage[] => {
      const thread = this.#threadOf(message)
      if (thread === undefined || place.kind !== 'channel') return []
      const { key, sentAt } = message
      return [{ channelId: place.channelId, thread, text: texts[0] ?? '', key, sentAt }]
    })
    return findTopics(this.#loading.target, messages, this.#written.topics)
  }

  /** The event of one part of a message. Its first part has the reactions. */
  async #write(one: Fresh, text: string, topic: string, isFirst: boolean): Promise<MessageSent> {
    const { message, place, sender } = one
    const { target } = this.#loading
    const { rendered, mentionedIds, isForAll, uploadIds } = await this.#render(one, text)
    const edits = isFirst ? await this.#editsOf(one) : []
    const destination = await this.#destination(place)
    const recipients =
      destination.channelId === null
        ? UserSet.of(destination.userIds)
        : target.state.getChannel(destination.channelId).subscribers
    const mentions = UserSet.of(mentionedIds)
      .intersection(recipients)
      .toArray()
      .map((id): Mention => [id, MESSAGE_FLAGS.mentioned])
    return {
      type: 'message',
      ...destination,
      topic,
      senderId: sender,
      content: text,
      rendered,
      sentAt: this.#timeOf(one),
      client: CLIENT,
      readById: sender,
      // Its readers have read it in the former product.
      unreadFor: NO_READERS,
      ...(mentions.length > 0 ? { mentions } : {}),
      ...(isForAll ? { isForAll } : {}),
      ...(uploadIds.length > 0 ? { uploadIds } : {}),
      ...(isFirst ? openingOf(message) : {}),
      queueId: null,
      localId: null,
      imported: {
        editedAt: this.#past(message.editedAt),
        ...(message.movedAt == null ? {} : { movedAt: this.#past(message.movedAt) }),
        reactions: isFirst ? this.#reactionsOf(one) : [],
        ...(edits.length > 0 ? { edits } : {}),
      },
    }
  }

  async #render({ sender, place, message }: Fresh, text: string) {
    const { target, report } = this.#loading
    const user = target.state.getUser(sender)
    try {
      // The server's own bot is in no channel: its notices name what their readers may know.
      if (user.isSystem) {
        const rendered = await renderNotice(text, await this.#destinationOf(place), target.services)
        return { rendered, mentionedIds: [], isForAll: undefined, uploadIds: [] }
      }
      const snapshot = await gatherSnapshot(text, user, target.services)
      const { html, mentionedUserIds, wildcards, ...others } = await target.services.renderMessage(
        text,
        snapshot,
        {
          userId: sender,
          kind: 'send',
        },
      )
      const isForAll = wildcards.includes('all') ? (true as const) : undefined
      const uploadIds = idsOfLinked({ html, mentionedUserIds, wildcards, ...others }, snapshot.uploads)
      return { rendered: html, mentionedIds: mentionedUserIds, isForAll, uploadIds }
    } catch (error) {
      report.lose({
        place: place.label,
        reason: 'the formatting of a message',
        example: `${message.key}: ${(error as Error).message}`,
      })
      return { rendered: `<p>${escapeHtml(text)}</p>`, mentionedIds: [], isForAll: undefined, uploadIds: [] }
    }
  }

  /** Its edits; of moves only those between channels that came over. */
  async #editsOf(one: Fresh): Promise<ImportedEdit[]> {
    const { people } = this.#loading
    const edits: ImportedEdit[] = []
    for (const { user, editedAt, text, topic, channel } of (one.message.edits ?? []).slice(
      0,
      EDITS_SHOWN_MAX,
    )) {
      const userId = user === undefined ? null : (people.find(user) ?? null)
      const [from, to] = [channel?.previous, channel?.now].map((id) => this.#channels.find(id ?? ''))
      edits.push({
        userId,
        editedAt: this.#past(editedAt),
        ...(text === undefined ? {} : await this.#textBefore(one, text)),
        ...(topic === undefined
          ? {}
          : { previousTopic: parseForeignTopic(topic.previous), topic: parseForeignTopic(topic.now) }),
        ...(from === undefined || to === undefined ? {} : { previousChannelId: from, channelId: to }),
      })
    }
    return edits
  }

  async #textBefore(one: Fresh, text: string) {
    const message = { ...one.message, text, files: [] }
    const [previous = ''] = textsOf(this.#loading.source, message, this.#channels.names)
    const { rendered: previousRendered } = await this.#render(one, previous)
    return { previous, previousRendered }
  }

  async #destinationOf(place: ImportPlace) {
    const { channelId, userIds } = await this.#destination(place)
    return channelId === null
      ? { kind: 'direct' as const, userIds: userIds ?? [] }
      : { kind: 'channel' as const, channelId }
  }

  async #destination(place: ImportPlace) {
    if (place.kind === 'channel')
      return { channelId: place.channelId, conversationId: null, userIds: null } as const
    const { target, people } = this.#loading
    const ids = new Set(place.members.map((member) => people.find(member) as UserId))
    const userIds = [...ids].sort((one, other) => one - other)
    const cached = this.#conversations.get(userIds.join())
    const conversation = cached ?? { id: await openConversation(target.sql, userIds), userIds }
    this.#conversations.set(userIds.join(), conversation)
    return { channelId: null, conversationId: conversation.id, userIds: conversation.userIds } as const
  }

  /** Nothing was edited later than now. */
  #past<Time extends number | null>(time: Time): Time {
    return (time === null ? null : Math.min(time, this.#loading.target.now)) as Time
  }

  /** No message is sent later than now: the next one must not be earlier. */
  #timeOf({ message, place }: Fresh): number {
    const { target, report } = this.#loading
    const { now } = target
    if (message.sentAt <= now) return message.sentAt
    if (message.sentAt > now + AHEAD_SECONDS_MAX)
      report.lose({
        place: place.label,
        reason: 'the time of a message from the future',
        example: message.key,
      })
    return now
  }

  #reactionsOf({ message, place }: Fresh): Reaction[] {
    const { target, people, report } = this.#loading
    const found = new Map<string, Reaction>()
    const kinds = new Set<string>()
    for (const reaction of message.reactions) {
      const { name, users } = reaction
      const emoji = findReactionEmoji(reaction, target.state.emoji)
      const lose = (reason: string) =>
        report.lose({ place: place.label, reason, example: `:${name}: on ${message.key}` })
      if (!emoji) {
        lose('a reaction with an unknown emoji')
        continue
      }
      const kind = `${emoji.reactionType} ${emoji.emojiCode}`
      if (!kinds.has(kind) && kinds.size >= REACTIONS_PER_MESSAGE_MAX) {
        lose(`a reaction beyond ${REACTIONS_PER_MESSAGE_MAX} kinds`)
        continue
      }
      kinds.add(kind)
      for (const user of users) {
        const userId = people.find(user) as UserId
        if (!found.has(`${kind} ${userId}`)) report.place(place.label).reactions++
        found.set(`${kind} ${userId}`, { ...emoji, userId })
      }
    }
    return [...found.values()].sort(compareImported)
  }
}

/** The poll or the list that it opens. */
function openingOf({ opening }: ForeignMessage): Pick<MessageSent, 'submessage'> {
  return opening === undefined || opening.length > SUBMESSAGES_LENGTH_MAX ? {} : { submessage: opening }
}
