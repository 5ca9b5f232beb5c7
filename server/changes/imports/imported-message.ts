/** The event of an imported message: its place, HTML, mentions, edits and reactions as of here. */

import { LRUCache } from 'lru-cache'
import type { ImportKey } from '../../../db/imports/imported-ids.ts'
import { compareImported } from '../../../db/messages/imported-messages.ts'
import { openConversation } from '../../../db/unread/conversations.ts'
import { idsOfLinked, renderNotice } from '../messages/compose-message.ts'
import { gatherSnapshot } from '../messages/mention-snapshot.ts'
import type { Reaction } from '../../domain/entities.ts'
import type { ImportedEdit, MessageSent } from '../../domain/events/messages.ts'
import type { ConversationId, UserId } from '../../domain/ids.ts'
import { EDITS_SHOWN_MAX, REACTIONS_PER_MESSAGE_MAX, SUBMESSAGES_LENGTH_MAX } from '../../domain/limits.ts'
import { MESSAGE_FLAGS, type Mention } from '../../domain/messages/message-flags.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import { escapeHtml } from '../../domain/text/escape-html.ts'
import { findReactionEmoji } from './emoji-names.ts'
import type { ImportedChannels } from './load-channels.ts'
import type { ImportPlace, Loading } from './loading.ts'
import { textsOf } from './message-texts.ts'
import type { ForeignMessage } from './records.ts'
import { parseForeignTopic } from './topic-names.ts'

/** Seconds that a clock may be ahead of this one. */
const AHEAD_SECONDS_MAX = 60
const CONVERSATIONS_CACHED_MAX = 10_000
const CLIENT = 'import'
const NO_READERS: readonly UserId[] = []

/** A message that no earlier run has imported. */
export interface FreshMessage {
  readonly message: ForeignMessage
  readonly place: ImportPlace
  readonly key: ImportKey
  readonly sender: UserId
  readonly texts: readonly string[]
}

export class MessageWriter {
  readonly #loading: Loading
  readonly #channels: ImportedChannels
  readonly #conversations = new LRUCache<string, { id: ConversationId; userIds: readonly UserId[] }>({
    max: CONVERSATIONS_CACHED_MAX,
  })

  constructor(loading: Loading, channels: ImportedChannels) {
    this.#loading = loading
    this.#channels = channels
  }

  /** The event of one part of a message. Its first part has the reactions. */
  async write(one: FreshMessage, text: string, topic: string, isFirst: boolean): Promise<MessageSent> {
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
      ...(isFirst ? this.#openingOf(one) : {}),
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

  async #render({ sender, place, message }: FreshMessage, text: string) {
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
  async #editsOf(one: FreshMessage): Promise<ImportedEdit[]> {
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

  async #textBefore(one: FreshMessage, text: string) {
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
  #timeOf({ message, place }: FreshMessage): number {
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

  #reactionsOf({ message, place }: FreshMessage): Reaction[] {
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

  /** The poll or the list that it opens. */
  #openingOf({ message: { key, opening }, place }: FreshMessage): Pick<MessageSent, 'submessage'> {
    if (opening === undefined) return {}
    if (opening.length <= SUBMESSAGES_LENGTH_MAX) return { submessage: opening }
    this.#loading.report.lose({
      place: place.label,
      reason: 'a poll or a list that is too long',
      example: key,
    })
    return {}
  }
}
