/** Which process uses a queue: whoever takes it tells the others by signals, and they let go of it. */

import type { Broadcast, QueueSignal } from '../log/broadcast.ts'
import type { Session } from './session.ts'

/** What this process has told others of its queues. */
export class QueueClaims {
  readonly #broadcast: Broadcast
  /** Tells this process from others in signals. */
  readonly #origin: string
  /** Counts the times at which signals may have been lost: claims made before count no more. */
  #count = 0

  constructor(broadcast: Broadcast, origin: string) {
    this.#broadcast = broadcast
    this.#origin = origin
  }

  /** A queue that was just made: nobody else knows of it. */
  own(session: Session): void {
    session.claim = this.#count
  }

  /** Tells the others that a queue is used here; while none of them has said so of itself, once is enough. */
  take(session: Session): void {
    if (session.claim !== this.#count) this.#signal(session, 'taken')
    session.claim = this.#count
  }

  /** Tells the others that a queue is no more. */
  tellDeleted(session: Session): void {
    this.#signal(session, 'deleted')
  }

  /** Whether a signal comes from another process. */
  isFromAnother({ origin }: QueueSignal): boolean {
    return origin !== this.#origin
  }

  /** Another process uses the queue; whether what waits for it here is to end. */
  yield(session: Session, { cursor }: QueueSignal): boolean {
    session.claim = -1
    // The signal of an earlier poll may come after the client has come here with what that one told it.
    const isEarlier = session.phase.kind === 'parked' && cursor < session.acknowledgedId
    return !isEarlier
  }

  /** Signals may have been lost: who uses which queue is told anew. */
  onGap(): void {
    this.#count++
  }

  #signal(session: Session, kind: QueueSignal['kind']): void {
    const { queueId, acknowledgedId: cursor } = session
    this.#broadcast.signal({ queueId, kind, origin: this.#origin, cursor })
  }
}
