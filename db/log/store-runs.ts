/** Stores events together that one request may cause in numbers: one by one, they would hold the log's lock for long. */

import type { NewEvent } from '../../server/domain/events.ts'
import type { EventId } from '../../server/domain/ids.ts'
import { storeDrafts } from '../personal/drafts.ts'
import { storeMailedInvitations } from '../mail/mailed-invitations.ts'
import { storeProfileValues } from '../organization/profile-fields.ts'
import { type SettingStored, storeSubscriptionSettings } from '../organization/subscriptions.ts'
import { storeUserSettings } from '../accounts/users.ts'
import type { InSql, WriteBatch } from './write-batch.ts'

/** Stores consecutive events of one kind, and returns how many; 0 if the first is stored alone. `id` is its number. */
export function storeRun(
  writes: WriteBatch,
  id: InSql<EventId>,
  events: readonly NewEvent[],
  start: number,
): number {
  const first = events[start]?.event
  switch (first?.type) {
    case 'subscription/update': {
      const run = takeRun(events, start, settingOf)
      storeSubscriptionSettings(writes, run)
      return run.length
    }
    case 'user_settings/update': {
      // Some settings are followed by a notice, which has no row.
      const run = takeRun(events, start, (event) =>
        (event.type === 'user_settings/update' ||
          event.type === 'update_display_settings' ||
          event.type === 'update_global_notifications') &&
        event.userId === first.userId
          ? event
          : undefined,
      )
      const facts = run.filter((event) => event.type === 'user_settings/update')
      storeUserSettings(
        writes,
        first.userId,
        facts.map(({ change }) => change),
      )
      return run.length
    }
    case 'realm_user/profile': {
      const run = takeRun(events, start, (event) =>
        event.type === 'realm_user/profile' && event.userId === first.userId ? event : undefined,
      )
      storeProfileValues(writes, first.userId, run)
      return run.length
    }
    case 'drafts/add': {
      const run = takeRun(events, start, (event) =>
        event.type === 'drafts/add' && event.userId === first.userId ? event.draft : undefined,
      )
      storeDrafts(writes, id, first.userId, run)
      return run.length
    }
    case 'invites_changed': {
      if (first.change.kind !== 'mailed') return 0
      const { invitation } = first.change
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
    default:
      return 0
  }
}

/** The parts of consecutive events, up to the first event that has none. */
function takeRun<Part>(
  events: readonly NewEvent[],
  start: number,
  partOf: (event: NewEvent['event']) => Part | undefined,
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
function settingOf(event: NewEvent['event']): SettingStored | undefined {
  if (event.type !== 'subscription/update') return undefined
  const { userId, channelId, change } = event
  return { userId, channelId, settings: { [change.property]: change.value } }
}
