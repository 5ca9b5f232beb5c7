/** Marks due messages that cannot be sent as failed, and notifies their senders. */

import type { Fact } from '../../domain/events.ts'
import type { Due } from '../../domain/messages/scheduled-messages.ts'
import { ApiError } from '../../errors/api-error.ts'
import { type Decision, done } from '../decision.ts'
import { createNotice, type Notice } from '../messages/notices.ts'
import { quote } from '../notice-wording.ts'
import type { ServerTexts } from '../../texts/texts.ts'
import type { ServerScope } from '../scope.ts'

/** A message that cannot be sent; a deactivated sender gets no notice. */
export interface Refused {
  readonly kind: 'refused'
  readonly due: Due
  readonly reason: string | undefined
}

/** Why a message cannot be sent; rethrows errors that are not about the message. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.errorName !== 'OVERLOADED') return error.message
  throw error
}

/** A failed message, with its notice. */
export interface GivenUp {
  readonly due: Due
  readonly notice: Notice | undefined
}

/** Marks all of them as failed, or none if one has changed since it was loaded. */
export function decideGivingUp(scope: ServerScope, givenUp: readonly GivenUp[]): Decision<void> {
  return done(
    givenUp.flatMap(({ due, notice }) => [
      due.kind === 'message' ? failureOf(due) : removalOf(due, false),
      ...(notice ? [createNotice(scope, notice)] : []),
    ]),
  )
}

/** The fact that it left the schedule: it was sent, or it was a reminder and failed. */
export function removalOf(due: Due, isSent: boolean): Fact {
  const { userId, changedId } = due
  const sentAsOf = isSent ? { sentAsOf: changedId } : {}
  return due.kind === 'message'
    ? { type: 'scheduled_messages/remove', userId, scheduledId: due.id, ...sentAsOf }
    : { type: 'reminders/remove', userId, scheduledId: due.id, ...sentAsOf }
}

function failureOf(due: Due & { readonly kind: 'message' }): Fact {
  const { kind: _, ...scheduled } = due
  const { userId } = scheduled
  return { type: 'scheduled_messages/update', userId, scheduled: { ...scheduled, hasFailed: true } }
}

/** The text of the notice to its sender. */
export function wordFailure({ t }: ServerTexts, { deliverAt }: Due, reason: string): string {
  const time = `<time:${new Date(deliverAt * 1_000).toISOString()}>`
  const sentence = t('The message you scheduled for {time} was not sent:', { time })
  return `${sentence}\n\n${quote(reason)}\n\n[${t('Your scheduled messages')}](/#scheduled)`
}
