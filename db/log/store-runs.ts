/**
 * Stores consecutive events together that one request may cause in numbers: one by one, they would hold the log's lock
 * for long.
 */

import type { EventOf, LogEvent, NewEvent } from '../../server/domain/events.ts'
import type { EventId } from '../../server/domain/ids.ts'
import { storeUserSettings } from '../accounts/users.ts'
import { storeMailedInvitations } from '../mail/mailed-invitations.ts'
import { storeProfileValues } from '../organization/profile-fields.ts'
import { type SettingStored, storeSubscriptionSettings } from '../organization/subscriptions.ts'
import { storeDrafts } from '../personal/drafts.ts'
import type { InSql, WriteBatch } from './write-batch.ts'

/** Stores events from one on, and returns how many; 0 if that one is stored alone. `id` is its number. */
export type StoreRun = (
  writes: WriteBatch,
  id: InSql<EventId>,
  events: readonly NewEvent[],
  start: number,
) => number

/** Settings of subscriptions, of any users. */
export const storeSubscriptionRun: StoreRun = (writes, _, events, start) => {
  const run = takeRun(events, start, settingOf)
  storeSubscriptionSettings(writes, run)
  return run.length
}

/** Settings of a user. Some are followed by a notice, which has no row. */
export const storeSettingRun: StoreRun = (writes, _, events, start) => {
  const { userId } = firstOf<'user_settings/update'>(events, start)
  const run = takeRun(events, start, (event) =>
    (event.type === 'user_settings/update' ||
      event.type === 'update_display_settings' ||
      event.type === 'update_global_notifications') &&
    event.userId === userId
      ? event
      : undefined,
  )
  const facts = run.filter((event) => event.type === 'user_settings/update')
  storeUserSettings(
    writes,
    userId,
    facts.map(({ change }) => change),
  )
  return run.length
}

/** Fields of a user's profile. */
export const storeProfileRun: StoreRun = (writes, _, events, start) => {
  const { userId } = firstOf<'realm_user/profile'>(events, start)
  const run = takeRun(events, start, (event) =>
    event.type === 'realm_user/profile' && event.userId === userId ? event : undefined,
  )
  storeProfileValues(writes, userId, run)
  return run.length
}

/** Drafts of a user. */
export const storeDraftRun: StoreRun = (writes, id, events, start) => {
  const { userId } = firstOf<'drafts/add'>(events, start)
  const run = takeRun(events, start, (event) =>
    event.type === 'drafts/add' && event.userId === userId ? event.draft : undefined,
  )
  storeDrafts(writes, id, userId, run)
  return run.length
}

/** Invitations by mail of one request. */
export const storeInvitationRun: StoreRun = (writes, id, events, start) => {
  const { change } = firstOf<'invites_changed'>(events, start)
  if (change.kind !== 'mailed') return 0
  const { invitation } = change
  const run = takeRun(events, start, (event) =>
    event.type === 'invites_changed' &&
    event.change.kind === 'mailed' &&
    event.change.invitation === invitation
      ? event.change.invitee.reveal()
      : undefined,
  )
  storeMailedInvitations(writes, id, invitation, run)
  return run.length
}

/** The first event of a run, which is of this type. */
function firstOf<Type extends LogEvent['type']>(events: readonly NewEvent[], start: number): EventOf<Type> {
  return events[start]?.event as EventOf<Type>
}

/** The parts of consecutive events, up to the first event that has none. */
function takeRun<Part>(
  events: readonly NewEvent[],
  start: number,
  partOf: (event: LogEvent) => Part | undefined,
): Part[] {
  const run: Part[] = []
  for (let index = start; index < events.length; index++) {
    const part = partOf((events[index] as NewEvent).event)
    if (part === undefined) break
    run.push(part)
  }
  return run
}

/** The subscription setting of an event. */
function settingOf(event: LogEvent): SettingStored | undefined {
  if (event.type !== 'subscription/update') return undefined
  const { userId, channelId, change } = event
  return { userId, channelId, settings: { [change.property]: change.value } }
}
