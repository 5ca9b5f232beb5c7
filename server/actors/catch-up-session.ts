/**
 * Brings a session to the end of the log: finds the missed events, records them, and sends them to a stream in pieces.
 */

import type { EventId } from '../domain/ids.ts'
import { collectMissed, collectRecent, type Missed, type ReplayContext } from './replay.ts'
import { type Session, type SessionPhase, type SessionSocket, socketFrames } from './session.ts'
import type { UserId } from '../domain/ids.ts'
import type { Turns } from './turns.ts'

/** The dependencies, and the turns for reading from the database. */
export interface CatchUpContext extends ReplayContext {
  readonly turns: Turns<UserId>
}

/** Reads a session's missed events from the log in its user's turn; undefined if the log no longer has them. */
export function collectInTurn(
  context: CatchUpContext,
  session: Session,
  afterId: EventId,
  isWanted: () => boolean,
): Promise<Missed | undefined> {
  return context.turns.take(session.userId, () => collectMissed(context, session, afterId, isWanted))
}

/** Records that a client is sent its missed events. */
export function noteSent(session: Session, { lastId, scannedId }: Missed): void {
  if (lastId !== undefined) session.sentId = lastId
  session.scannedId = scannedId
}

/** A socket that takes what its client has missed since an event. */
interface SocketReplay {
  readonly session: Session
  readonly socket: SessionSocket
  /** The session's phase while the socket is the queue's. */
  readonly phase: SessionPhase
  readonly startId: EventId
}

/**
 * Sends a socket its client's missed events. Resolves to `caught_up` in the same turn as the last check. Resolves to
 * `left` if the socket no longer has the queue, and to `lost` if the log no longer has all events.
 */
export async function replayTo(
  context: CatchUpContext,
  { session, socket, phase, startId }: SocketReplay,
): Promise<'caught_up' | 'left' | 'lost'> {
  const isWanted = () => session.phase === phase
  for (let afterId = startId; ; afterId = session.scannedId) {
    const recent = collectRecent(context, session, afterId)
    const missed = recent ?? (await collectInTurn(context, session, afterId, isWanted))
    if (!isWanted()) return 'left'
    if (!missed) return 'lost'
    noteSent(session, missed)
    if (missed.events.length === 0 && recent) return 'caught_up'
    for (const frame of socketFrames(socket, missed.events)) {
      await socket.drained() // A client receives a large backlog at its own pace.
      if (!isWanted()) return 'left'
      socket.send(frame)
    }
  }
}
