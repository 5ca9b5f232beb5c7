/** Brings a session to the end of the log: what its client has missed is found, noted, and sent to a stream in pieces. */

import type { EventId } from '../domain/ids.ts'
import { collectMissed, collectRecent, type Missed, type ReplayContext } from './replay.ts'
import { type Session, type SessionPhase, type SessionSocket, socketFrames } from './session.ts'
import type { UserId } from '../domain/ids.ts'
import type { Turns } from './turns.ts'

/** Where what was missed is found, and whose turn it is to look for it in the database. */
export interface CatchUpContext extends ReplayContext {
  readonly turns: Turns<UserId>
}

/** Reads what a session has missed from the log, when it is its user's turn; undefined where the log no longer holds it. */
export function collectInTurn(
  context: CatchUpContext,
  session: Session,
  afterId: EventId,
  isWanted: () => boolean,
): Promise<Missed | undefined> {
  return context.turns.take(session.userId, () => collectMissed(context, session, afterId, isWanted))
}

/** Notes that a client is sent what it had missed. */
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
 * Sends a socket what its client has missed: `caught_up`, without a wait after the last look, `left` where the socket
 * is no longer the queue's, or `lost` where the log no longer holds it all.
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
      await socket.drained() // A client takes a large backlog at its own pace.
      if (!isWanted()) return 'left'
      socket.send(frame)
    }
  }
}
