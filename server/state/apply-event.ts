/** Applies the log to the state, one event at a time. */

import { isStructural } from '../domain/event-traits.ts'
import type { LogEntry, LogEvent } from '../domain/events.ts'
import type { Applier, Appliers } from './apply/appliers.ts'
import { CALL_APPLIERS } from './apply/calls.ts'
import { ATTACHMENT_APPLIERS } from './apply/attachments.ts'
import { CHANNEL_APPLIERS } from './apply/channels.ts'
import { DEVICE_APPLIERS } from './apply/devices.ts'
import { GROUP_APPLIERS } from './apply/groups.ts'
import { INVITE_APPLIERS } from './apply/invites.ts'
import { MESSAGE_APPLIERS } from './apply/messages.ts'
import { ORGANIZATION_APPLIERS } from './apply/organization.ts'
import { PERSONAL_APPLIERS } from './apply/personal.ts'
import { PRESENCE_APPLIERS } from './apply/presence.ts'
import { SCHEDULED_APPLIERS } from './apply/scheduled-messages.ts'
import { USER_APPLIERS } from './apply/users.ts'
import type { EventId } from '../domain/ids.ts'
import { OrganizationState } from './organization-state.ts'

/** The applier of each event type. */
const APPLIERS: Appliers<LogEvent> = {
  ...MESSAGE_APPLIERS,
  ...USER_APPLIERS,
  ...CHANNEL_APPLIERS,
  ...GROUP_APPLIERS,
  ...ORGANIZATION_APPLIERS,
  ...PRESENCE_APPLIERS,
  ...PERSONAL_APPLIERS,
  ...SCHEDULED_APPLIERS,
  ...DEVICE_APPLIERS,
  ...ATTACHMENT_APPLIERS,
  ...CALL_APPLIERS,
  ...INVITE_APPLIERS,
}

/** The state after some events, as an overlay; the given state stays unchanged. */
export function overlay(state: OrganizationState, events: readonly LogEvent[]): OrganizationState {
  const after = new OrganizationState(state)
  for (const event of events) {
    after.appliedId = (after.appliedId + 1) as EventId
    change(after, event)
  }
  return after
}

/** Applies the entry that follows the last applied one. */
export function applyEvent(state: OrganizationState, { id, event }: LogEntry): void {
  if (id !== state.appliedId + 1) throw new Error(`event ${id} does not follow event ${state.appliedId}`)
  state.appliedId = id
  change(state, event)
}

function change(state: OrganizationState, event: LogEvent): void {
  if (isStructural(event)) state.structuralId = state.appliedId
  // Event types of a newer release change nothing in this state.
  const apply = APPLIERS[event.type] as Applier<LogEvent> | undefined
  apply?.(state, event, state.appliedId)
}
