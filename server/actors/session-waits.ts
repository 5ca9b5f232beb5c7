/** Sessions that wait for something to tell, by a parked poll or a stream: how they begin to wait, and what ends it. */

import type { Clock } from '../domain/clock.ts'
import type { EventId } from '../domain/ids.ts'
import { CLOSE_CODES, closeSocket } from './close-codes.ts'
import { LiveSessions } from './fan-out.ts'
import { HeldReply } from './held-reply.ts'
import {
  heartbeat,
  pollReply,
  type Session,
  type SessionPhase,
  type SessionSocket,
  socketFrames,
} from './session.ts'

/** The sessions of this process that wait. */
export class SessionWaits {
  readonly live = new LiveSessions()
  /** Sessions that were used since that was last noted; those that wait are in use all the while. */
  readonly used = new Set<Session>()
  /** Parked and streaming sessions in the order of their deadlines: all wait equally long. */
  readonly #waiting = new Set<Session>()
  readonly #clock: Clock
  readonly #holdMs: number

  constructor(clock: Clock, holdMs: number) {
    this.#clock = clock
    this.#holdMs = holdMs
  }

  [Symbol.iterator](): IterableIterator<Session> {
    return this.#waiting.values()
  }

  /** Holds a poll until there is something to tell. */
  park(session: Session): HeldReply {
    const reply = new HeldReply(() => {
      if (session.phase === phase) this.end(session, CLOSE_CODES.taken)
    })
    const phase: SessionPhase = { kind: 'parked', deadlineMs: this.#deadlineMs(), reply }
    this.#begin(session, phase)
    return reply
  }

  /** From now on, a socket is told what happens. */
  stream(session: Session, socket: SessionSocket): void {
    this.#begin(session, { kind: 'streaming', deadlineMs: this.#deadlineMs(), socket })
  }

  /** Ends the wait of a session: a poll with an empty list, a socket with a reason. */
  end(session: Session, closeCode: number): void {
    const { phase } = session
    if (phase.kind === 'idle') return
    this.setIdle(session)
    if (phase.kind === 'parked') phase.reply.end(pollReply(session.queueId, []))
    else if (phase.socket) closeSocket(phase.socket, closeCode)
  }

  /** The session waits no more; its queue waits for its client to come back. */
  setIdle(session: Session): void {
    session.phase = { kind: 'idle', sinceMs: this.#clock.nowMs() }
    this.live.remove(session)
    this.#waiting.delete(session)
    this.used.add(session)
  }

  /**
   * Answers polls whose time is over, and says on streams that they live; up to `deliveredId` all is delivered. A client
   * that was told that number waits for a later one, where there will be one; answers whether one does.
   */
  endOverdue(deliveredId: EventId, hasLater = true): boolean {
    let isLaterNeeded = false
    const nowMs = this.#clock.nowMs()
    for (const session of this.#waiting) {
      const { phase } = session
      if (phase.kind === 'idle' || phase.kind === 'replaying' || phase.deadlineMs > nowMs) break
      const id = Math.max(session.scannedId, deliveredId) as EventId
      const isNews = id > Math.max(session.sentId, session.acknowledgedId)
      if (!isNews && hasLater) {
        isLaterNeeded = true
        continue
      }
      session.scannedId = id
      if (isNews) session.sentId = id
      const events = isNews ? [heartbeat(id)] : []
      this.#waiting.delete(session)
      if (phase.kind === 'parked') {
        this.setIdle(session)
        phase.reply.end(pollReply(session.queueId, events))
      } else {
        session.phase = { ...phase, deadlineMs: nowMs + this.#holdMs }
        this.#waiting.add(session)
        for (const frame of socketFrames(phase.socket, events)) phase.socket.send(frame)
      }
    }
    return isLaterNeeded
  }

  #begin(session: Session, phase: SessionPhase): void {
    session.phase = phase
    this.live.add(session)
    this.#waiting.add(session)
  }

  #deadlineMs(): number {
    return this.#clock.nowMs() + this.#holdMs
  }
}
