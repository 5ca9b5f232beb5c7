/** Sessions that wait for events, by a parked poll or a stream: how a wait begins and ends. */

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

/** The waiting sessions of this process. */
export class SessionWaits {
  readonly live = new LiveSessions()
  /** Sessions used since the last stored use; waiting sessions count as used. */
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

  /** Holds a poll until there is an event. */
  park(session: Session): HeldReply {
    const reply = new HeldReply(() => {
      if (session.phase === phase) this.end(session, CLOSE_CODES.taken)
    })
    const phase: SessionPhase = { kind: 'parked', deadlineMs: this.#deadlineMs(), reply }
    this.#begin(session, phase)
    return reply
  }

  /** Sends events to a socket from now on. */
  stream(session: Session, socket: SessionSocket): void {
    this.#begin(session, { kind: 'streaming', deadlineMs: this.#deadlineMs(), socket })
  }

  /** Ends a session's wait: a poll with an empty list, a socket with a reason. */
  end(session: Session, closeCode: number): void {
    const { phase } = session
    if (phase.kind === 'idle') return
    this.setIdle(session)
    if (phase.kind === 'parked') phase.reply.end(pollReply(session.queueId, []))
    else if (phase.socket) closeSocket(phase.socket, closeCode)
  }

  /** Ends the session's wait; its queue waits for the client. */
  setIdle(session: Session): void {
    session.phase = { kind: 'idle', sinceMs: this.#clock.nowMs() }
    this.live.remove(session)
    this.#waiting.delete(session)
    this.used.add(session)
  }

  /**
   * Answers polls whose time is over, and sends heartbeats to streams; everything up to `deliveredId` is delivered. A
   * client that has that id already waits for a later one, if there will be one. Returns whether a client does.
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
