/**
 * Turns the facts of a decision into entries of the log: each fact with its audience, and the notices that follow from
 * the facts. No other module decides on recipients of facts.
 */

import { notifyEmailsByRole } from '../audience/addresses.ts'
import { notifyBotsByRole, notifyNewBots } from '../audience/bots.ts'
import { notifyRights } from '../audience/channel-visibility.ts'
import { notifyDefaultChannels } from '../audience/default-channels.ts'
import type { Notifier } from '../audience/notifier.ts'
import { notifySeenPins } from '../audience/pins.ts'
import { StateChange } from '../audience/state-change.ts'
import type { Fact, NewEvent } from '../domain/events.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { overlay } from './apply-event.ts'
import { limitToKnown } from './limit-to-known.ts'
import { factEntryOf } from './table.ts'

/** Notices that depend on a change as a whole. They follow its facts in this order. */
const FOLLOWERS: readonly ((change: StateChange) => readonly NewEvent[])[] = [
  notifyRights,
  notifySeenPins,
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
  const facts = decided.map(factOf)
  const change = new StateChange(before, facts, () => overlay(before, facts))
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
  const leadCount = limited.leadCount + lead
  return { entries: placeMark(limited.entries, decided.at(-1), leadCount), leadCount }
}

/** The entries with the place of what an agent wrote, the first fact, in the mark of the agent, the last. */
function placeMark(
  entries: readonly NewEvent[],
  last: Fact | NewEvent | undefined,
  firstIndex: number,
): readonly NewEvent[] {
  if (!last || factOf(last).type !== 'agent_wrote') return entries
  return entries.map((one, index) =>
    one.event.type === 'agent_wrote'
      ? { ...one, event: { ...one.event, entriesBack: index - firstIndex } }
      : one,
  )
}

function notifierOf(fact: Fact): Notifier<never> {
  const audience = factEntryOf(fact)?.audience
  if (typeof audience !== 'function') throw new Error(`nothing says who is notified of ${fact.type}`)
  return audience
}

function factOf(one: Fact | NewEvent): Fact {
  return 'audience' in one ? (one.event as Fact) : one
}

function isOfType(one: Fact | NewEvent | undefined, type: Fact['type']): boolean {
  return one !== undefined && !('audience' in one) && one.type === type
}
