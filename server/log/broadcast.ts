/** The broadcast of new events, and of signals about single queues, between processes. */

import type { LogEntry } from '../domain/events.ts'
import type { EventId, QueueId } from '../domain/ids.ts'

/** A signal about one queue to all processes: another poll took it over, or it was deleted. */
export interface QueueSignal {
  readonly queueId: QueueId
  readonly kind: 'taken' | 'deleted'
  /** The sender's process id: a process ignores its own signals. */
  readonly origin: string
  /** The last event that the queue's client acknowledged. */
  readonly cursor: EventId
}

/** A receiver of the broadcast. */
export interface Listener {
  /** Consecutive entries. A batch may arrive twice, late or never: their numbers show it. */
  onEntries(entries: readonly LogEntry[]): void
  onSignal(signal: QueueSignal): void
  /** Something may be missing, for example after a lost connection: compare with the log. */
  onGap(): void
}

/**
 * Sends entries and signals to every process, including this one. At most once; in order per publisher. The broadcast
 * makes delivery fast; the log makes it certain.
 */
export interface Broadcast {
  publish(entries: readonly LogEntry[]): void
  signal(signal: QueueSignal): void
  /** Resolves once the listener receives everything that is published next, or `onGap` will follow. */
  listen(listener: Listener): Promise<void>
  /** After it, nothing is sent or received. */
  close(): Promise<void>
}
