/** Marks due messages that cannot be sent as failed, and notifies their senders. */

import { StaleScheduledError } from '../../../db/messages/scheduled-messages.ts'
import type { Notice } from '../../decisions/messages/notices.ts'
import {
  decideGivingUp,
  type GivenUp,
  type Refused,
  wordFailure,
} from '../../decisions/scheduled-messages/give-up-due.ts'
import { noticeTexts } from '../../decisions/notice-wording.ts'
import { composeNotice } from '../messages/send-notice.ts'
import type { Due } from '../../domain/messages/scheduled-messages.ts'
import type { Sending } from '../sending.ts'
import { submitForServer } from '../submit.ts'

/** Failures in one transaction: each takes some statements, and all other writers wait. */
const FAILURES_MAX = 50

/** Marks all of them as failed, each together with its notice; answers those that had not changed meanwhile. */
export async function giveUp(refused: readonly Refused[], services: Sending): Promise<readonly Due[]> {
  const failed: Due[] = []
  const notices = new Map<string, Promise<Notice | undefined>>()
  for (let start = 0; start < refused.length; start += FAILURES_MAX) {
    const part = refused.slice(start, start + FAILURES_MAX)
    const givenUp = await Promise.all(
      part.map(async ({ due, reason }): Promise<GivenUp> => {
        if (reason === undefined) return { due, notice: undefined }
        const text = wordFailure(noticeTexts(services.state, due.userId), due, reason)
        const key = `${due.userId} ${text}` // Notices with the same text for the same sender differ only in their ids.
        if (!notices.has(key)) notices.set(key, composeNotice(services, due.userId, text))
        return { due, notice: await notices.get(key) }
      }),
    )
    failed.push(...(await commit(givenUp, services)))
  }
  return failed
}

/** If a user has changed one since, the batch is halved until that one is alone. */
async function commit(givenUp: readonly GivenUp[], services: Sending): Promise<readonly Due[]> {
  try {
    await submitForServer(services, (scope) => decideGivingUp(scope, givenUp))
  } catch (error) {
    if (!(error instanceof StaleScheduledError)) throw error
    if (givenUp.length === 1) return []
    const half = givenUp.length >> 1
    const first = await commit(givenUp.slice(0, half), services)
    return [...first, ...(await commit(givenUp.slice(half), services))]
  }
  return givenUp.map(({ due }) => due)
}
