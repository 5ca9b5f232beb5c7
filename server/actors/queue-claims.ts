/** The process that uses a queue: a process that takes it signals the others, which then release it. */

import type { Broadcast, QueueSignal } from '../log/broadcast.ts'
import type { Session } from './session.ts'

/** The signals of this process about its queues. */
export class QueueClaims {
  readonly #broadcast: Broadcast
  /** Identifies this process in signals. */
  readonly #origin: string
  /** Counts the gaps in which signals may have been lost: claims made before a gap are void. */
  #count = 0

  constructor(broadcast: Broadcast, origin: string) {
    this.#broadcast = broadcast
    this.#origin = origin
  }

  /** A new queue, which no other process uses. */
  own(session: Session): void {
    session.claim = this.#count
  }

  /** Signals that this process uses a queue; once is enough until another process claims it. */
  take(session: Session): void {
    if (session.claim !== this.#count) this.#signal(session, 'taken')
    session.claim = this.#count
  }

  /** Signals that a queue is deleted. */
  signalDeleted(session: Session): void {
    this.#signal(session, 'deleted')
  }

  /** Whether a signal comes from another process. */
  isFromAnother({ origin }: QueueSignal): boolean {
    return origin !== this.#origin
  }

  /** Another process uses the queue; returns whether this process's wait must end. */
  yield(session: Session, { cursor }: QueueSignal): boolean {
    session.claim = -1
    // A signal of an earlier poll may arrive after the client has come here with that poll's result.
    const isEarlier = session.phase.kind === 'parked' && cursor < session.acknowledgedId
    return !isEarlier
  }

  /** Signals may be lost: all processes announce their queues again. */
  onGap(): void {
    this.#count++
  }

  #signal(session: Session, kind: QueueSignal['kind']): void {
    const { queueId, acknowledgedId: cursor } = session
    this.#broadcast.signal({ queueId, kind, origin: this.#origin, cursor })
  }
}
