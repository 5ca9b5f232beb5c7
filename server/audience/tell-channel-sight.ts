/** Notices of channels that come into sight, or go from it, since users' rights changed. */

import type { Fact } from '../domain/event-traits.ts'
import type { NewEvent } from '../domain/events.ts'
import type { StateChange } from './state-change.ts'
import { tellVisibility } from './tell-visibility.ts'

/** The types of facts by which users come into groups or leave them. */
const TYPES: ReadonlySet<Fact['type']> = new Set([
  'user_group/add_members',
  'user_group/remove_members',
  'user_group/add_subgroups',
  'user_group/remove_subgroups',
])

export function tellChannelSight(change: StateChange): readonly NewEvent[] {
  const { before, after, facts, newcomers, roleChanges } = change
  const isOfOthers = (fact: Fact) => !('userIds' in fact) || fact.userIds?.some((id) => !newcomers.has(id))
  // Newcomers have no clients yet.
  const changesRights = facts.some((fact) => TYPES.has(fact.type) && isOfOthers(fact))
  if (!changesRights && roleChanges.length === 0) return []
  return tellVisibility(
    [...before.channels.values()].map((channel) => ({ before: channel, after: channel })),
    before.rights,
    after.rights,
  )
}
