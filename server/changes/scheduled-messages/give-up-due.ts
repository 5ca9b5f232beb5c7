/** What becomes of that which is due and cannot be sent: it is kept as failed, and its sender is told why. */

import { StaleScheduledError } from '../../../db/scheduled-messages.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { UserId } from '../../domain/ids.ts'
import type { Due } from '../../domain/scheduled-messages.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { NewMessage } from '../../decisions/messages/decide-send.ts'
import { quote } from '../../decisions/notice-wording.ts'
import { composeNotice } from '../messages/send-notice.ts'
import type { Sending } from '../sending.ts'

/** Failures in one transaction: each takes some statements, while all other writers wait. */
const FAILURES_MAX = 50

/** One that cannot be sent; of those whose sender is not there any more nobody is told why. */
export interface Refused {
  readonly kind: 'refused'
  readonly due: Due
  readonly reason: string | undefined
}

/** Gives up all of them, each together with the notice of it. */
export async function giveUp(refused: readonly Refused[], services: Sending): Promise<void> {
  const notices = new Map<string, Promise<NewMessage | undefined>>()
  for (let start = 0; start < refused.length; start += FAILURES_MAX) {
    const part = refused.slice(start, start + FAILURES_MAX)
    const events = await Promise.all(part.map((one) => compose(one, notices, services)))
    await commit(events, services)
  }
}

/** Notices of the same words for the same sender differ only in their ids. */
async function compose(
  { due, reason }: Refused,
  notices: Map<string, Promise<NewMessage | undefined>>,
  services: Sending,
): Promise<readonly NewEvent[]> {
  const event = due.kind === 'message' ? failureOf(due) : removalOf(due, false)
  if (reason === undefined) return [event]
  const text = wordFailure(due, reason)
  const key = `${due.userId} ${text}`
  if (!notices.has(key)) notices.set(key, composeNotice(services, due.userId, text))
  const notice = await notices.get(key)
  return notice ? [event, notice] : [event]
}

/** Whoever has changed one meanwhile has decided otherwise: halves are tried until it stands alone. */
async function commit(parts: readonly (readonly NewEvent[])[], services: Sending): Promise<void> {
  try {
    await services.committer.submit({
      kind: 'structure',
      decide: () => ({ events: parts.flat(), reply: () => undefined }),
    })
  } catch (error) {
    if (!(error instanceof StaleScheduledError)) throw error
    if (parts.length === 1) return
    const half = parts.length >> 1
    await commit(parts.slice(0, half), services)
    await commit(parts.slice(half), services)
  }
}

/** That it no longer waits: because it is sent, or given up, as a reminder is whose owner is not there any more. */
export function removalOf(due: Due, isSent: boolean): NewEvent {
  const { userId, changedId } = due
  const sentAsOf = isSent ? { sentAsOf: changedId } : {}
  return {
    event:
      due.kind === 'message'
        ? { type: 'scheduled_messages/remove', userId, scheduledId: due.id, ...sentAsOf }
        : { type: 'reminders/remove', userId, scheduledId: due.id, ...sentAsOf },
    audience: onlyTo(userId),
  }
}

function failureOf(due: Due & { readonly kind: 'message' }): NewEvent {
  const { kind: _, ...scheduled } = due
  const { userId } = scheduled
  return {
    event: { type: 'scheduled_messages/update', userId, scheduled: { ...scheduled, hasFailed: true } },
    audience: onlyTo(userId),
  }
}

const onlyTo = (userId: UserId) => ({ kind: 'users', users: UserSet.of([userId]) }) as const

function wordFailure({ deliverAt }: Due, reason: string): string {
  const time = new Date(deliverAt * 1_000).toISOString()
  return `The message you scheduled for <time:${time}> was not sent, for this reason:\n\n${quote(reason)}\n\n[Your scheduled messages](/#scheduled)`
}
