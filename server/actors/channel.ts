/** The channels of this process: each orders its sends and caches its messages. */

import type { Sql } from '../../db/connection/connect.ts'
import { readNewestOfChannel } from '../../db/messages/message-pages.ts'
import type { Message } from '../domain/entities.ts'
import type { LogEntry, LogEvent } from '../domain/events.ts'
import type { ChannelId } from '../domain/ids.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { messageOf } from '../views/message-view.ts'
import { ChannelMessages, RECENT_LENGTH_MAX } from './channel-messages.ts'
import { CachedPages, type PageQuery } from './cached-pages.ts'
import { LoadedProjections } from './loaded-projections.ts'
import { SendOrder } from './send-order.ts'
import { cacheBytes } from '../domain/cache-share.ts'

/** Bytes of messages and pages of all channels; channels that were used longest ago are dropped first. */
export const CHANNELS_BYTES_MAX = cacheBytes(48)

/** A channel that a user has read. */
class ReadChannel {
  readonly messages: ChannelMessages
  readonly pages = new CachedPages()

  constructor(newest: readonly Message[]) {
    this.messages = new ChannelMessages(newest)
  }

  get bytes(): number {
    return this.messages.bytes + this.pages.bytes
  }
}

const MESSAGE_EVENT_TYPES = [
  'message',
  'delete_message',
  'update_message',
  'update_message/rendering',
  'reaction/add',
  'reaction/remove',
  'submessage',
] as const

/** An event that changes the messages of a channel. */
type MessageEvent = Extract<LogEvent, { type: (typeof MESSAGE_EVENT_TYPES)[number] }>

/** All channels. */
export class Channels {
  readonly #state: OrganizationState
  readonly #orders = new Map<ChannelId, SendOrder>()
  readonly #read: LoadedProjections<ChannelId, ReadChannel>

  constructor(sql: Sql, state: OrganizationState) {
    this.#state = state
    this.#read = new LoadedProjections({
      bytesMax: CHANNELS_BYTES_MAX,
      load: async (channelId) => {
        const asOf = state.appliedId
        const newest = await readNewestOfChannel(sql, channelId, asOf, RECENT_LENGTH_MAX)
        return { projection: new ReadChannel(newest), asOf }
      },
      apply: ({ messages }, entry) => {
        change(messages, entry)
        return !messages.isDepleted
      },
    })
  }

  /** Bytes of all messages and pages that are held, about. */
  get bytes(): number {
    return this.#read.bytes
  }

  /** The order in which sends to a channel are committed. */
  orderOf(channelId: ChannelId): SendOrder {
    let order = this.#orders.get(channelId)
    if (!order) this.#orders.set(channelId, (order = new SendOrder()))
    return order
  }

  /** The messages of a channel that are in memory; the first call reads the newest from the database. */
  messagesOf(channelId: ChannelId): ChannelMessages | Promise<ChannelMessages> {
    const channel = this.#read.get(channelId)
    return channel instanceof Promise ? channel.then(({ messages }) => messages) : channel.messages
  }

  /** A page of a channel, if all that it may hold is in memory. */
  readPage(channelId: ChannelId, query: PageQuery): Buffer | undefined {
    return this.#read.use(channelId, ({ messages, pages }) => pages.read(messages, query, this.#state))
  }

  /**
   * Prepares to hold a page that is about to be read from the database: the answer takes all the channel's messages
   * between two ids, ascending. Nothing is held if any of them changed meanwhile.
   */
  expectPage(channelId: ChannelId): (from: number, through: number, messages: readonly Message[]) => void {
    const channel = this.#read.peek(channelId)
    const changeCount = channel?.messages.changeCount
    return (from, through, messages) => {
      if (!channel || this.#read.peek(channelId) !== channel) return
      if (channel.messages.changeCount !== changeCount) return
      this.#read.use(channelId, () => channel.messages.keep(from, through, messages))
    }
  }

  /** Applies an entry that the state has just applied. */
  push(entry: LogEntry): void {
    const { event } = entry
    if (!isOfMessages(event) || event.channelId === null) return
    // The event has only the ids of messages that were moved there: they are read again.
    if (event.type === 'update_message' && event.move?.toChannel)
      this.#read.invalidate(event.move.toChannel.channelId)
    this.#read.push(event.channelId, entry)
  }

  /** Whether one of a channel's messages in memory is in a topic. */
  hasRecentTopic(channelId: ChannelId, topic: string): boolean {
    return this.#read.peek(channelId)?.messages.hasTopic(topic) ?? false
  }
}

function isOfMessages(event: LogEvent): event is MessageEvent {
  return (MESSAGE_EVENT_TYPES as readonly string[]).includes(event.type)
}

function change(messages: ChannelMessages, { id, event }: LogEntry): void {
  switch (event.type) {
    case 'message':
      return messages.push(messageOf(id, event))
    case 'delete_message':
      return messages.remove(event.messageIds)
    case 'update_message':
      return messages.update(id, event)
    case 'update_message/rendering':
      return messages.render(event)
    case 'reaction/add':
    case 'reaction/remove':
      return messages.react(event)
    case 'submessage':
      return messages.attach(id, event)
    default:
  }
}
