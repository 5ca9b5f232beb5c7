/**
 * Turns the facts of a decision into entries of the log: each fact with its audience, and the notices that follow from
 * the facts. No other module decides on recipients of facts.
 */

import type { Fact } from '../domain/event-traits.ts'
import type { EventOf, NewEvent } from '../domain/events.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { notifyEmailsByRole } from './addresses.ts'
import { notifyBotsByRole, notifyNewBots } from './bots.ts'
import { notifyRights } from './channel-visibility.ts'
import { CHANNEL_NOTIFIERS } from './channels.ts'
import { GROUP_NOTIFIERS } from './groups.ts'
import { limitToKnown } from './limit-to-known.ts'
import { MESSAGE_NOTIFIERS } from './messages.ts'
import type { Notifier, Notifiers } from './notifier.ts'
import { ORGANIZATION_NOTIFIERS } from './organization.ts'
import { PERSONAL_NOTIFIERS } from './personal.ts'
import { StateChange } from './state-change.ts'
import { notifyDefaultChannels } from './default-channels.ts'
import { TOPIC_NOTIFIERS } from './topics.ts'
import { USER_NOTIFIERS } from './users.ts'

/** Facts on messages: their recipients come from rows that the decision was given, so the decision names them. */
type RowFact = EventOf<
  | 'delete_message'
  | 'delete_message/hidden'
  | 'update_message'
  | 'reaction/add'
  | 'reaction/remove'
  | 'submessage'
>

/** The recipients of every other fact. */
const NOTIFIERS: Notifiers<Exclude<Fact, RowFact>> = {
  ...CHANNEL_NOTIFIERS,
  ...GROUP_NOTIFIERS,
  ...MESSAGE_NOTIFIERS,
  ...ORGANIZATION_NOTIFIERS,
  ...PERSONAL_NOTIFIERS,
  ...TOPIC_NOTIFIERS,
  ...USER_NOTIFIERS,
}

/** Notices that depend on a change as a whole. They follow its facts in this order. */
const FOLLOWERS: readonly ((change: StateChange) => readonly NewEvent[])[] = [
  notifyRights,
  notifyDefaultChannels,
  notifyEmailsByRole,
  notifyBotsByRole,
  notifyNewBots,
]

/** The entries of a decision. */
export interface Notified {
  readonly entries: readonly NewEvent[]
  /** How many of them precede the entry of the first fact. */
  readonly leadCount: number
}

/** The entries of a decision's facts; an entry that has its audience already stays as it is. */
export function notify(before: OrganizationState, decided: readonly (Fact | NewEvent)[]): Notified {
  const change = new StateChange(before, decided.map(factOf))
  const entries: NewEvent[] = []
  for (let start = 0; start < decided.length; ) {
    const one = decided[start] as Fact | NewEvent
    let end = start + 1
    if ('audience' in one) entries.push(one)
    else {
      while (isOfType(decided[end], one.type)) end++
      entries.push(...notifierOf(one)(decided.slice(start, end) as never, change))
    }
    start = end
  }
  if (decided.some((one) => !('audience' in one)))
    for (const follow of FOLLOWERS) entries.push(...follow(change))
  const first = decided[0] && factOf(decided[0])
  const lead = Math.max(
    entries.findIndex(({ event }) => event === first),
    0,
  )
  const limited = limitToKnown(change, entries)
  return { entries: limited.entries, leadCount: limited.leadCount + lead }
}

function notifierOf({ type }: Fact): Notifier<never> {
  const notifier = (NOTIFIERS as Readonly<Record<string, Notifier<never> | undefined>>)[type]
  if (!notifier) throw new Error(`nothing says who is notified of ${type}`)
  return notifier
}

function factOf(one: Fact | NewEvent): Fact {
  return 'audience' in one ? (one.event as Fact) : one
}

function isOfType(one: Fact | NewEvent | undefined, type: Fact['type']): boolean {
  return one !== undefined && !('audience' in one) && one.type === type
}
