/** All types of events, and look-ups by an event, which may have a type that only a newer release knows. */

import type { Fact, LogEvent } from '../domain/events.ts'
import type { UserId } from '../domain/ids.ts'
import { ATTACHMENT_EVENTS } from './attachments.ts'
import { BOT_EVENTS } from './bots.ts'
import { CALL_EVENTS } from './calls.ts'
import { CHANNEL_EVENTS } from './channels.ts'
import { CREDENTIAL_EVENTS } from './credentials.ts'
import { DEVICE_EVENTS } from './devices.ts'
import type { Entries, FactEntry, NoticeEntry } from './entry.ts'
import { GROUP_EVENTS } from './groups.ts'
import { HOLD_EVENTS } from './holds.ts'
import { INVITE_EVENTS } from './invites.ts'
import { MESSAGE_EVENTS } from './messages.ts'
import { ORGANIZATION_EVENTS } from './organization.ts'
import { PERSONAL_EVENTS } from './personal.ts'
import { PIN_EVENTS } from './pins.ts'
import { PRESENCE_EVENTS } from './presence.ts'
import { SCHEDULED_EVENTS } from './scheduled-messages.ts'
import { SUBSCRIPTION_EVENTS } from './subscriptions.ts'
import { USER_EVENTS } from './users.ts'

/** The entry of each type; the reference lists them in this order. */
export const EVENTS: Entries<LogEvent> = {
  ...MESSAGE_EVENTS,
  ...ORGANIZATION_EVENTS,
  ...USER_EVENTS,
  ...BOT_EVENTS,
  ...CREDENTIAL_EVENTS,
  ...CHANNEL_EVENTS,
  ...PIN_EVENTS,
  ...SUBSCRIPTION_EVENTS,
  ...GROUP_EVENTS,
  ...HOLD_EVENTS,
  ...INVITE_EVENTS,
  ...PRESENCE_EVENTS,
  ...PERSONAL_EVENTS,
  ...SCHEDULED_EVENTS,
  ...DEVICE_EVENTS,
  ...ATTACHMENT_EVENTS,
  ...CALL_EVENTS,
}

type AnyEntry = FactEntry<Fact> | NoticeEntry<never>

/** The entry of an event; undefined for a type that only a newer release knows. */
export function entryOf(event: LogEvent): AnyEntry | undefined {
  return (EVENTS as unknown as Readonly<Record<string, AnyEntry>>)[event.type]
}

/** The entry of a fact; undefined for notices, too. */
export function factEntryOf(event: LogEvent): FactEntry<Fact> | undefined {
  const entry = entryOf(event)
  return entry?.kind === 'fact' ? entry : undefined
}

/** Whether an event changes the input of decisions, so that earlier decisions must be decided again. */
export function isStructural(event: LogEvent): boolean {
  const entry = entryOf(event)
  if (entry?.kind !== 'fact') return entry === undefined
  const { isStructural: is } = entry
  return typeof is === 'function' ? is(event as Fact) : is
}

/** The users whose account, activity or status an event shows. */
export function subjectsOf(event: LogEvent): readonly UserId[] {
  return (entryOf(event) as FactEntry<Fact> | undefined)?.subjects(event as Fact) ?? []
}

/** Whether an event is useless for a recipient who no longer knows its subjects. */
export function isUselessIfUnknown(event: LogEvent): boolean {
  return entryOf(event)?.isUselessIfUnknown === true
}
