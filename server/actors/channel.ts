/** The channels of this process: each orders its sends and holds its newest messages. */

import type { Sql } from '../../db/connect.ts'
import { readNewestOfChannel } from '../../db/message-pages.ts'
import type { LogEntry, LogEvent } from '../domain/events.ts'
import type { ChannelId, EventId } from '../domain/ids.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { messageOf } from '../views/message-view.ts'
import { RECENT_LENGTH_MAX, RecentMessages } from './recent-messages.ts'
import { SendOrder } from './send-order.ts'

/** Characters of messages held over all channels; the least recently read channels are dropped first. */
const TEXT_LENGTH_MAX = 32 * 1024 * 1024

/** One channel: its order of sends, and its newest messages once somebody has read them. */
interface ChannelActor {
  readonly order: SendOrder
  recent: RecentMessages | undefined
  loading: Promise<RecentMessages> | undefined
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
  #textLength = 0

  constructor(sql: Sql, state: OrganizationState) {
    this.#sql = sql
    this.#state = state
  }

  /** The order in which sends to a channel are committed. */
  orderOf(channelId: ChannelId): SendOrder {
    return this.#actor(channelId).order
  }

  /** The newest messages of a channel; the first call reads them from the database. */
  async recentOf(channelId: ChannelId): Promise<RecentMessages> {
    const actor = this.#actor(channelId)
    this.#actors.delete(channelId)
    this.#actors.set(channelId, actor)
    if (actor.recent) return actor.recent
    actor.loading ??= this.#load(channelId, actor).finally(() => {
      actor.loading = undefined
    })
    return actor.loading
  }

  /** Takes an entry that was just applied to the state. */
  push({ id, event }: LogEntry): void {
    if (!isOfMessages(event) || event.channelId === null) return
    if (event.type === 'update_message' && event.move?.toChannel) this.#forget(event.move.toChannel.channelId)
    const actor = this.#actors.get(event.channelId)
    if (actor?.recent) {
      const { recent } = actor
      const before = recent.textLength
      take(recent, { id, event })
      this.#textLength += recent.textLength - before
      if (recent.isWorn) this.#drop(actor)
      this.#makeRoom(undefined)
    } else if (actor?.loading) actor.arrived.push({ id, event })
  }

  /** Whether one of the newest messages of a channel, as far as they are in memory, is in a topic. */
  hasRecentTopic(channelId: ChannelId, topic: string): boolean {
    return this.#actors.get(channelId)?.recent?.hasTopic(topic) ?? false
  }

  async #load(channelId: ChannelId, actor: ChannelActor): Promise<RecentMessages> {
    let recent: RecentMessages
    do {
      actor.arrived = []
      actor.isStale = false
      const asOf = this.#state.appliedId
      recent = new RecentMessages(await readNewestOfChannel(this.#sql, channelId, asOf, RECENT_LENGTH_MAX))
    } while (actor.isStale)
    for (const entry of actor.arrived) take(recent, entry)
    actor.arrived = []
    actor.recent = recent
    this.#textLength += recent.textLength
    this.#makeRoom(actor)
    return recent
  }

  /** Messages were moved there, of which the event tells only the ids: they are read anew. */
  #forget(channelId: ChannelId): void {
    const actor = this.#actors.get(channelId)
    if (actor?.recent) this.#drop(actor)
    else if (actor?.loading) actor.isStale = true
  }

  #makeRoom(kept: ChannelActor | undefined): void {
    if (this.#textLength <= TEXT_LENGTH_MAX) return
    for (const actor of this.#actors.values()) {
      if (this.#textLength <= TEXT_LENGTH_MAX) return
      if (actor === kept || !actor.recent) continue
      this.#drop(actor)
    }
  }

  #drop(actor: ChannelActor): void {
    this.#textLength -= actor.recent?.textLength ?? 0
    actor.recent = undefined
  }

  #actor(channelId: ChannelId): ChannelActor {
    let actor = this.#actors.get(channelId)
    if (!actor) {
      actor = { order: new SendOrder(), recent: undefined, loading: undefined, arrived: [], isStale: false }
      this.#actors.set(channelId, actor)
    }
    return actor
  }
}

function isOfMessages(event: LogEvent): event is MessageEntry['event'] {
  return (MESSAGE_EVENT_TYPES as readonly string[]).includes(event.type)
}

function take(recent: RecentMessages, { id, event }: MessageEntry): void {
  switch (event.type) {
    case 'message':
      return recent.push(messageOf(id, event))
    case 'delete_message':
      return recent.remove(event.messageIds)
    case 'update_message':
      return recent.update(id, event)
    case 'reaction/add':
    case 'reaction/remove':
      return recent.react(event)
    case 'submessage':
      return recent.attach(id, event)
  }
}
