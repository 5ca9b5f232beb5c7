/** Push work, by the names of its jobs. */

import type { NextDue } from '../../../db/due-work.ts'
import type { PushWork } from '../../../db/personal/push-devices.ts'
import { readRelayState } from '../../../db/notifications/relay-state.ts'
import { findUnclaimedPushTests } from '../../../db/personal/push-tests.ts'
import { announceOrganization } from './announce-organization.ts'
import { noteRelayAnswer } from './note-relay-answer.ts'
import { hasRelay, type PushContext, type RelayContext } from './push-context.ts'
import { registerDevices } from './register-devices.ts'
import { registerTokens } from './register-tokens.ts'
import { sendPushTest } from './send-push-test.ts'

/** A job: a piece of work, or the sweep that finds work without a notice. */
export interface PushJob {
  readonly name: PushWork | 'sweep-push'
  /** The id of a test. */
  readonly id?: string | undefined
  /** The request that asked for it, and its place in a trace. */
  readonly requestId?: string | undefined
  readonly traceParent?: string | undefined
}

/** The job that a database notice asks for; undefined for a job of a newer release. */
export function readPushNotice(notice: string): { job: PushJob; jobId: string } | undefined {
  const [name, id = '', requestId, traceParent] = notice.split(' ')
  const isKnown = name === 'register-devices' || name === 'register-tokens' || name === 'send-push-test'
  return isKnown ? { job: { name, id, requestId, traceParent }, jobId: `${name}-${id}` } : undefined
}

/** Registers, and announces the organization to a relay that answers again but is not known to serve it. */
async function registered(
  context: RelayContext,
  register: (context: RelayContext) => Promise<NextDue | undefined>,
): Promise<NextDue | undefined> {
  const due = await register(context)
  const { canPush, failingSeconds } = await readRelayState(context.sql)
  if (!canPush && failingSeconds === null) await announceOrganization(context)
  return due
}

/** Asks a relay that does not serve or did not answer: it may do so now. */
async function askAgain(context: RelayContext): Promise<void> {
  const { canPush, failingSeconds } = await readRelayState(context.sql)
  if (!canPush || failingSeconds !== null) await announceOrganization(context)
}

/** Work that becomes due again. */
export interface DueWork {
  readonly name: PushWork
  readonly due: NextDue
}

/** Does the work; returns the next due work and its time. */
export async function runPushWork(context: PushContext, { name, id }: PushJob): Promise<readonly DueWork[]> {
  const then = (work: PushWork, due: NextDue | undefined) => (due ? [{ name: work, due }] : [])
  switch (name) {
    case 'register-devices':
      return hasRelay(context) ? then(name, await registered(context, registerDevices)) : []
    case 'register-tokens':
      return hasRelay(context) ? then(name, await registered(context, registerTokens)) : []
    case 'send-push-test':
      if (id !== undefined) await sendPushTest(context, id)
      return []
    case 'sweep-push':
      await Promise.all((await findUnclaimedPushTests(context.sql)).map((one) => sendPushTest(context, one)))
      // Clients that heard of a relay learn that the operator removed it.
      if (!hasRelay(context)) await noteRelayAnswer(context, false)
      if (!hasRelay(context)) return []
      await askAgain(context)
      return [
        ...then('register-devices', await registerDevices(context)),
        ...then('register-tokens', await registerTokens(context)),
      ]
  }
}
