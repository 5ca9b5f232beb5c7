/** The channels of this process: each orders its sends and holds messages that are read. */

import type { Sql } from '../../db/connect.ts'
import { readNewestOfChannel } from '../../db/message-pages.ts'
import type { Message } from '../domain/entities.ts'
import type { LogEntry, LogEvent } from '../domain/events.ts'
import type { ChannelId, EventId } from '../domain/ids.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { messageOf } from '../views/message-view.ts'
import { ChannelMessages, RECENT_LENGTH_MAX } from './channel-messages.ts'
import { CachedPages, type PageQuery } from './cached-pages.ts'
import { SendOrder } from './send-order.ts'

/** Bytes of messages and pages held over all channels; the least recently read channels are dropped first. */
export const CHANNELS_BYTES_MAX = 48 * 1024 * 1024
/** What may be sent and changed while the newest messages are being read; with more they are read again. */
const ARRIVED_MAX = 1_000

/** One channel: its order of sends, and its messages once somebody has read the newest. */
interface ChannelActor {
  readonly order: SendOrder
  readonly pages: CachedPages
  held: ChannelMessages | undefined
  loading: Promise<ChannelMessages> | undefined
  /** What was sent and changed while the newest messages were being read. */
  arrived: MessageEntry[]
  /** Whether messages were moved there meanwhile, which only the database knows. */
  isStale: boolean
}

const MESSAGE_EVENT_TYPES = [
  'message',
  'delete_message',
  'update_message',
  'reaction/add',
  'reaction/remove',
  'submessage',
] as const

/** An entry that changes the messages of a channel. */
interface MessageEntry {
  readonly id: EventId
  readonly event: Extract<LogEvent, { type: (typeof MESSAGE_EVENT_TYPES)[number] }>
}

/** All channels. */
export class Channels {
  readonly #sql: Sql
  readonly #state: OrganizationState
  /** In the order of their last reading. */
  readonly #actors = new Map<ChannelId, ChannelActor>()
  #bytes = 0

  constructor(sql: Sql, state: OrganizationState) {
    this.#sql = sql
    this.#state = state
  }

  /** Bytes of what is held of all of them, about. */
  get bytes(): number {
    return this.#bytes
  }

  /** The order in which sends to a channel are committed. */
  orderOf(channelId: ChannelId): SendOrder {
    return this.#actor(channelId).order
  }

  /** What of a channel's messages is in memory; the first call reads the newest from the database. */
  messagesOf(channelId: ChannelId): ChannelMessages | Promise<ChannelMessages> {
    const actor = this.#touch(channelId)
    if (actor.held) return actor.held
    actor.loading ??= this.#load(channelId, actor).finally(() => {
      actor.loading = undefined
    })
    return actor.loading
  }

  /** A page of a channel, where all that it may hold is in memory. */
  readPage(channelId: ChannelId, query: PageQuery): Buffer | undefined {
    const actor = this.#touch(channelId)
    const { held, pages } = actor
    if (!held) return undefined
    const before = bytesOf(actor)
    const page = pages.read(held, query, this.#state)
    this.#bytes += bytesOf(actor) - before
    this.#makeRoom(actor)
    return page
  }

  /**
   * Prepares to hold a page that is about to be read from the database: the answer takes all the channel's messages
   * between two ids, ascending. What has changed meanwhile is not held.
   */
  expectPage(channelId: ChannelId): (from: number, through: number, messages: readonly Message[]) => void {
    const { held } = this.#actor(channelId)
    const changeCount = held?.changeCount
    return (from, through, messages) => {
      const actor = this.#actor(channelId)
      if (!held || actor.held !== held || held.changeCount !== changeCount) return
      const before = held.bytes
      held.keep(from, through, messages)
      this.#bytes += held.bytes - before
      this.#makeRoom(actor)
    }
  }

  /** Takes an entry that was just applied to the state. */
  push({ id, event }: LogEntry): void {
    if (!isOfMessages(event) || event.channelId === null) return
    if (event.type === 'update_message' && event.move?.toChannel) this.#forget(event.move.toChannel.channelId)
    const actor = this.#actors.get(event.channelId)
    if (actor?.held) {
      const { held } = actor
      const before = held.bytes
      take(held, { id, event })
      this.#bytes += held.bytes - before
      if (held.isWorn) this.#drop(actor)
      this.#makeRoom(undefined)
    } else if (actor?.loading && actor.arrived.length < ARRIVED_MAX) actor.arrived.push({ id, event })
    else if (actor?.loading) actor.isStale = true
  }

  /** Whether one of a channel's messages, as far as they are in memory, is in a topic. */
  hasRecentTopic(channelId: ChannelId, topic: string): boolean {
    return this.#actors.get(channelId)?.held?.hasTopic(topic) ?? false
  }

  async #load(channelId: ChannelId, actor: ChannelActor): Promise<ChannelMessages> {
    let held: ChannelMessages
    do {
      actor.arrived = []
      actor.isStale = false
      const asOf = this.#state.appliedId
      held = new ChannelMessages(await readNewestOfChannel(this.#sql, channelId, asOf, RECENT_LENGTH_MAX))
    } while (actor.isStale)
    for (const entry of actor.arrived) take(held, entry)
    actor.arrived = []
    actor.held = held
    this.#bytes += held.bytes
    this.#makeRoom(actor)
    return held
  }

  /** Messages were moved there, of which the event tells only the ids: they are read anew. */
  #forget(channelId: ChannelId): void {
    const actor = this.#actors.get(channelId)
    if (actor?.held) this.#drop(actor)
    else if (actor?.loading) actor.isStale = true
  }

  #makeRoom(kept: ChannelActor | undefined): void {
    if (this.#bytes <= CHANNELS_BYTES_MAX) return
    for (const actor of this.#actors.values()) {
      if (this.#bytes <= CHANNELS_BYTES_MAX) return
      if (actor === kept || !actor.held) continue
      this.#drop(actor)
    }
  }

  #drop(actor: ChannelActor): void {
    this.#bytes -= bytesOf(actor)
    actor.held = undefined
    actor.pages.clear()
  }

  /** The channel, as the one read last. */
  #touch(channelId: ChannelId): ChannelActor {
    const actor = this.#actor(channelId)
    this.#actors.delete(channelId)
    this.#actors.set(channelId, actor)
    return actor
  }

  #actor(channelId: ChannelId): ChannelActor {
    let actor = this.#actors.get(channelId)
    if (!actor) {
      actor = {
        order: new SendOrder(),
        pages: new CachedPages(),
        held: undefined,
        loading: undefined,
        arrived: [],
        isStale: false,
      }
      this.#actors.set(channelId, actor)
    }
    return actor
  }
}

/** Bytes that are held of a channel. */
function bytesOf({ held, pages }: ChannelActor): number {
  return (held?.bytes ?? 0) + pages.bytes
}

function isOfMessages(event: LogEvent): event is MessageEntry['event'] {
  return (MESSAGE_EVENT_TYPES as readonly string[]).includes(event.type)
}

function take(held: ChannelMessages, { id, event }: MessageEntry): void {
  switch (event.type) {
    case 'message':
      return held.push(messageOf(id, event))
    case 'delete_message':
      return held.remove(event.messageIds)
    case 'update_message':
      return held.update(id, event)
    case 'reaction/add':
    case 'reaction/remove':
      return held.react(event)
    case 'submessage':
      return held.attach(id, event)
  }
}
