/** Brings scheduled messages and reminders over: rendered first, since they are stored with their HTML. */

import { findImportedMessages, importKey } from '../../../../db/imports/imported-ids.ts'
import { cut } from '../../../decisions/notice-wording.ts'
import type { Fact } from '../../../domain/events.ts'
import type { UserId } from '../../../domain/ids.ts'
import { REMINDER_NOTE_LENGTH_MAX } from '../../../domain/limits.ts'
import { fail } from '../../../errors/api-error.ts'
import { composeScheduled } from '../../scheduled-messages/compose-scheduled.ts'
import { wordReminder } from '../../scheduled-messages/reminder-wording.ts'
import type { Loading } from '../loading.ts'
import type { OwnOf } from './choices.ts'
import { type OwnNames, targetHere } from './lists.ts'

const CLIENT = 'import'

/** Whether a time is still to come: what is due would be sent at once. */
export function isToCome(deliverAt: number | undefined, now: number): deliverAt is number {
  return deliverAt !== undefined && Number.isSafeInteger(deliverAt) && deliverAt > now
}

/** A message that is still to be sent, if its sender may schedule it now; rejects with an `ApiError`. */
export async function scheduledFact(
  { target }: Loading,
  userId: UserId,
  { target: there, isReadBySender, deliverAt }: OwnOf<'scheduled message'>,
  { text, names }: { readonly text: string; readonly names: OwnNames },
): Promise<Fact> {
  const { state, services, now } = target
  const destination = targetHere(there, names)
  if (!destination) throw fail('CHANNEL_UNKNOWN')
  if (!isToCome(deliverAt, now)) throw fail('DELIVERY_TIME_PAST')
  const sender = { state, caller: state.getUser(userId), fail }
  const composed = await composeScheduled(services, sender, text, destination)
  const scheduled = { target: destination, ...composed, deliverAt, isReadBySender, client: CLIENT }
  return { type: 'scheduled_messages/add', userId, scheduled }
}

/** A reminder that is still to come, of a message that its owner may read here. */
export async function reminderFact(
  { target, source }: Loading,
  userId: UserId,
  { place, message, note: given, deliverAt }: OwnOf<'reminder'>,
): Promise<Fact> {
  const key = importKey(source.origin, 'message', place, message)
  const targetId = (await findImportedMessages(target.sql, [key])).get(key)?.id
  if (!isToCome(deliverAt, target.now)) throw fail('DELIVERY_TIME_PAST')
  const note = cut(given, REMINDER_NOTE_LENGTH_MAX)
  const owner = target.state.getUser(userId)
  const worded =
    targetId === undefined ? undefined : await wordReminder(targetId, note, owner, target.services)
  if (targetId === undefined || !worded) throw fail('MESSAGE_UNKNOWN')
  return { type: 'reminders/add', userId, reminder: { targetId, note, ...worded, deliverAt } }
}
