/** The broadcast among several processes, through Redis publish and subscribe. */

import type { Redis } from 'ioredis'
import type { Audience, LogEntry, LogEvent } from '../domain/events.ts'
import type { EventId } from '../domain/ids.ts'
import { UserSet } from '../domain/user-set.ts'
import type { Broadcast, QueueSignal } from './broadcast.ts'

/** Entries as they travel: the first number, then each event with its audience. */
interface EntriesText {
  readonly first: number
  readonly events: readonly LogEvent[]
  /** Users as `UserSet.encode` writes them, the empty text for nobody, a number for a channel's subscribers. */
  readonly audiences: readonly (string | number)[]
}

/**
 * Publishes through one connection and listens on a second, both given and not closed here beyond
 * `close`. Errors are left to the connections' own listeners: what is lost is read from the log.
 */
export function createRedisBroadcast(publisher: Redis, subscriber: Redis, prefix: string): Broadcast {
  const entriesChannel = `${prefix}:log`
  const signalsChannel = `${prefix}:signals`
  let isClosed = false
  let stopListening = () => {}
  const send = (channel: string, text: string) => {
    if (isClosed || publisher.status !== 'ready') return // Not queued: it would come late, and the log is faster.
    publisher.publish(channel, text).catch(() => {
      // The connection broke under it; its error listener has told, and the log holds the entries.
    })
  }
  return {
    publish: (entries) => send(entriesChannel, encodeEntries(entries)),
    signal: (signal) => send(signalsChannel, JSON.stringify(signal)),
    async listen(listener) {
      const onMessage = (channel: string, text: string) => {
        const told = channel === entriesChannel ? decodeEntries(text) : decodeSignal(text)
        if (told === undefined)
          listener.onGap() // Not ours, or cut short: the log has what is true.
        else if ('queueId' in told) listener.onSignal(told)
        else listener.onEntries(told)
      }
      // Only what is published after the subscription is heard, so the look at the log comes after it.
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
      // Without a connection there is nothing to hear: once it is there, the log is looked at.
      if (subscriber.status === 'ready') await subscriber.subscribe(entriesChannel, signalsChannel)
      subscriber.on('ready', onReady)
    },
    async close() {
      isClosed = true
      stopListening()
      if (subscriber.status !== 'ready') return // A command to a lost Redis waits for it to come back.
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

/** The entries of a text; undefined where it is none of ours. */
function decodeEntries(text: string): LogEntry[] | undefined {
  const { first, events, audiences } = parseObject<EntriesText>(text)
  if (!Number.isSafeInteger(first) || !Array.isArray(events) || !Array.isArray(audiences)) return undefined
  if (events.length !== audiences.length || !events.every(isEvent) || !audiences.every(isAudience))
    return undefined
  return events.map((event, index) => ({
    id: ((first as number) + index) as EventId,
    event,
    audience: decodeAudience(audiences[index] as string | number),
  }))
}

function isEvent(event: unknown): event is LogEvent {
  return typeof (event as { type?: unknown } | null)?.type === 'string'
}

function isAudience(encoded: unknown): encoded is string | number {
  return typeof encoded === 'string' || typeof encoded === 'number'
}

/** The signal of a text; undefined where it is none of ours. */
function decodeSignal(text: string): QueueSignal | undefined {
  const { queueId, kind, origin, cursor } = parseObject<QueueSignal>(text)
  if (queueId === undefined || origin === undefined || (kind !== 'taken' && kind !== 'deleted'))
    return undefined
  return typeof cursor === 'number' ? { queueId, kind, origin, cursor } : undefined
}

/** The fields of a JSON object, if the text is one; none may be there. */
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
