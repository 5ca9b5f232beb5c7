/** Gives up what is due and cannot be sent, and tells its sender why. */

import { StaleScheduledError } from '../../../db/scheduled-messages.ts'
import type { Notice } from '../../decisions/messages/notices.ts'
import {
  decideGivingUp,
  type GivenUp,
  type Refused,
  wordFailure,
} from '../../decisions/scheduled-messages/give-up-due.ts'
import { composeNotice } from '../messages/send-notice.ts'
import type { Sending } from '../sending.ts'
import { submitForServer } from '../submit.ts'

/** Failures in one transaction: each takes some statements, while all other writers wait. */
const FAILURES_MAX = 50

/** Gives up all of them, each together with the notice of it. */
export async function giveUp(refused: readonly Refused[], services: Sending): Promise<void> {
  const notices = new Map<string, Promise<Notice | undefined>>()
  for (let start = 0; start < refused.length; start += FAILURES_MAX) {
    const part = refused.slice(start, start + FAILURES_MAX)
    const givenUp = await Promise.all(
      part.map(async ({ due, reason }): Promise<GivenUp> => {
        if (reason === undefined) return { due, notice: undefined }
        const text = wordFailure(due, reason)
        const key = `${due.userId} ${text}` // Notices of the same words for the same sender differ only in their ids.
        if (!notices.has(key)) notices.set(key, composeNotice(services, due.userId, text))
        return { due, notice: await notices.get(key) }
      }),
    )
    await commit(givenUp, services)
  }
}

/** A user who has changed one meanwhile has decided otherwise: halves are tried until it stands alone. */
async function commit(givenUp: readonly GivenUp[], services: Sending): Promise<void> {
  try {
    await submitForServer(services, (scope) => decideGivingUp(scope, givenUp))
  } catch (error) {
    if (!(error instanceof StaleScheduledError)) throw error
    if (givenUp.length === 1) return
    const half = givenUp.length >> 1
    await commit(givenUp.slice(0, half), services)
    await commit(givenUp.slice(half), services)
  }
}
