/** The broadcast among several processes, through Redis publish and subscribe. */

import type { Audience, LogEntry, LogEvent } from '../domain/events.ts'
import type { EventId } from '../domain/ids.ts'
import { readEvent } from '../domain/read-event.ts'
import { UserSet } from '../domain/users/user-set.ts'
import type { Broadcast, QueueSignal } from './broadcast.ts'
import type { RedisClient } from './connect-redis.ts'

/** Entries on the wire: the first number, then each event with its audience. */
interface EntriesText {
  readonly first: number
  readonly events: readonly LogEvent[]
  /** Users as encoded by `UserSet.encode`, empty text for nobody, a number for a channel's subscribers. */
  readonly audiences: readonly (string | number)[]
}

/**
 * Publishes through one connection and subscribes through another; the caller owns and closes both. The connections'
 * own listeners handle errors: lost entries are read from the log.
 */
export function createRedisBroadcast(
  publisher: RedisClient,
  subscriber: RedisClient,
  prefix: string,
): Broadcast {
  const entriesChannel = `${prefix}:log`
  const signalsChannel = `${prefix}:signals`
  let isClosed = false
  let stopListening = () => {}
  const send = (channel: string, text: string) => {
    if (isClosed || publisher.status !== 'ready') return // A queued entry would be late: the log is faster.
    publisher.publish(channel, text).catch(() => {
      // The connection broke meanwhile; its error listener reports it, and the log holds the entries.
    })
  }
  return {
    publish: (entries) => send(entriesChannel, encodeEntries(entries)),
    signal: (signal) => send(signalsChannel, JSON.stringify(signal)),
    async listen(listener) {
      const onMessage = (channel: string, text: string) => {
        const received = channel === entriesChannel ? decodeEntries(text) : decodeSignal(text)
        if (received === undefined)
          listener.onGap() // Foreign or truncated text: read the log instead.
        else if ('queueId' in received) listener.onSignal(received)
        else listener.onEntries(received)
      }
      // A subscription receives only what is published after it, so check the log afterwards.
      const onReady = () => {
        subscriber.subscribe(entriesChannel, signalsChannel).then(
          () => isClosed || listener.onGap(),
          () => {
            // The connection broke again; its next `ready` follows.
          },
        )
      }
      stopListening = () => subscriber.off('message', onMessage).off('ready', onReady)
      subscriber.on('message', onMessage)
      // Without a connection nothing arrives; the next `ready` checks the log.
      if (subscriber.status === 'ready') await subscriber.subscribe(entriesChannel, signalsChannel)
      subscriber.on('ready', onReady)
    },
    async close() {
      isClosed = true
      stopListening()
      if (subscriber.status !== 'ready') return // A command would wait until a lost Redis is back.
      subscriber.unsubscribe(entriesChannel, signalsChannel).catch(() => {
        // Without a connection there is nothing to unsubscribe from.
      })
    },
  }
}

function encodeEntries(entries: readonly LogEntry[]): string {
  const text: EntriesText = {
    first: entries[0]?.id ?? 0,
    events: entries.map(({ event }) => event),
    audiences: entries.map(({ audience }) => encodeAudience(audience)),
  }
  return JSON.stringify(text)
}

/** The entries of a text, or undefined for foreign text. */
function decodeEntries(text: string): LogEntry[] | undefined {
  const { first, events, audiences } = parseObject<EntriesText>(text)
  if (!Number.isSafeInteger(first) || !Array.isArray(events) || !Array.isArray(audiences)) return undefined
  if (events.length !== audiences.length || !events.every(isEvent) || !audiences.every(isAudience))
    return undefined
  return events.map((event, index) => ({
    id: ((first as number) + index) as EventId,
    event: readEvent(event),
    audience: decodeAudience(audiences[index] as string | number),
  }))
}

function isEvent(event: unknown): event is LogEvent {
  return typeof (event as { type?: unknown } | null)?.type === 'string'
}

function isAudience(encoded: unknown): encoded is string | number {
  return typeof encoded === 'string' || typeof encoded === 'number'
}

/** The signal of a text, or undefined for foreign text. */
function decodeSignal(text: string): QueueSignal | undefined {
  const { queueId, kind, origin, cursor } = parseObject<QueueSignal>(text)
  if (queueId === undefined || origin === undefined || (kind !== 'taken' && kind !== 'deleted'))
    return undefined
  return typeof cursor === 'number' ? { queueId, kind, origin, cursor } : undefined
}

/** The fields of a JSON object, all possibly missing; empty if the text is not one. */
function parseObject<Fields>(text: string): Partial<Fields> {
  try {
    return (JSON.parse(text) ?? {}) as Partial<Fields>
  } catch {
    return {}
  }
}

function encodeAudience(audience: Audience): string | number {
  if (audience.kind === 'users') return audience.users.encode()
  return audience.kind === 'subscribers' ? audience.channelId : ''
}

function decodeAudience(encoded: string | number): Audience {
  if (typeof encoded === 'number') return { kind: 'subscribers', channelId: encoded as never }
  return encoded === '' ? { kind: 'nobody' } : { kind: 'users', users: UserSet.decode(encoded) }
}
