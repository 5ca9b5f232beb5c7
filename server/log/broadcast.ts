/** How processes tell each other of new events, and of what concerns one queue. */

import type { LogEntry } from '../domain/events.ts'
import type { EventId, QueueId } from '../domain/ids.ts'

/** Something that concerns one queue, wherever it is open: another poll took it over, or it was deleted. */
export interface QueueSignal {
  readonly queueId: QueueId
  readonly kind: 'taken' | 'deleted'
  /** Which process says so: it does not heed its own. */
  readonly origin: string
  /** How far the queue's client was by its own word. */
  readonly cursor: EventId
}

/** What a process wants to hear. */
export interface Listener {
  /** Consecutive entries. A batch may come twice, late, or never: numbers tell. */
  onEntries(entries: readonly LogEntry[]): void
  onSignal(signal: QueueSignal): void
  /** Something may have been missed, as after a lost connection: time to compare with the log. */
  onGap(): void
}

/**
 * Spreads entries and signals to every process, this one included. At most once; in order for each
 * publisher. It makes things fast: the log, not the broadcast, makes them certain.
 */
export interface Broadcast {
  publish(entries: readonly LogEntry[]): void
  signal(signal: QueueSignal): void
  /** Resolves when what is published from now on will be heard, or `onGap` follows once it is. */
  listen(listener: Listener): Promise<void>
  /** What is published after it is neither sent nor heard. */
  close(): Promise<void>
}
