/** Notes whether the relay serves the organization, and notifies clients of a change. */

import {
  clearRelayFailure,
  readRelayState,
  storeRelayFailure,
} from '../../../db/notifications/relay-state.ts'
import { submitForServer } from '../../../server/changes/submit.ts'
import { decideRelayAnswer } from '../../../server/decisions/push/note-reach.ts'
import type { PushContext } from './push-context.ts'
import type { RelayAnswer } from './push-relay.ts'

/**
 * Seconds without an answer of the relay after which clients hear that phones get nothing: five tries of a push, the waits
 * between which double from five seconds, so that a restart of the relay goes unnoticed.
 */
const FAILING_SECONDS_MAX = 120

type NoteContext = Pick<PushContext, 'sql' | 'openSender'>

/** The relay said whether it serves. Most answers are the same as before: these cost one small query, and no state. */
export async function noteRelayAnswer(context: NoteContext, canPush: boolean): Promise<void> {
  const state = await readRelayState(context.sql)
  if (state.failingSeconds !== null) await clearRelayFailure(context.sql)
  if (state.canPush !== canPush) await tell(context, canPush)
}

/**
 * Notes whether the relay answered a request at all: without an answer for long, it reaches no phones. Most requests go as the one
 * before: these write nothing.
 */
export async function noteRelayReach(context: NoteContext, { kind }: RelayAnswer): Promise<void> {
  const state = await readRelayState(context.sql)
  if (kind !== 'unreachable' && kind !== 'failed') {
    if (state.failingSeconds !== null) await clearRelayFailure(context.sql)
    return
  }
  const { canPush, failingSeconds } =
    state.failingSeconds === null ? await storeRelayFailure(context.sql) : state
  if (canPush && (failingSeconds ?? 0) >= FAILING_SECONDS_MAX) await tell(context, false)
}

async function tell({ openSender }: NoteContext, canPush: boolean): Promise<void> {
  const sender = await openSender()
  await submitForServer(sender.services, (scope) => decideRelayAnswer(scope, canPush))
  await sender.tell()
}
