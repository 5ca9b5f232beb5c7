/**
 * Limits entries to recipients who know the users in them, and notifies users whose known users change. Every decision
 * passes here, so no other code must consider users who do not know everyone.
 */

import { lazy } from '../domain/messages/derived.ts'
import type { LogEvent, NewEvent } from '../domain/events.ts'
import type { UserId } from '../domain/ids.ts'
import { SYSTEM_GROUPS } from '../domain/groups/system-groups.ts'
import { UserSet } from '../domain/users/user-set.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { UserVisibility } from '../state/user-visibility.ts'
import type { StateChange } from '../audience/state-change.ts'
import { subjectsOf } from './table.ts'

/**
 * The entries to send, and how many precede the first given one. Events of newly known users come first, and events of
 * users who are no longer known come last. Entries between them are for recipients who know their subjects after
 * the change.
 */
export function limitToKnown(
  change: StateChange,
  entries: readonly NewEvent[],
): { readonly entries: readonly NewEvent[]; readonly leadCount: number } {
  const { before, facts } = change
  if (!concernsVisibility(before, facts)) return { entries, leadCount: 0 }
  if (!facts.some((fact) => mayChangeVisibility(fact, before)))
    return { entries: entries.flatMap((one) => cut(before, one, before.userVisibility)), leadCount: 0 }
  const { after, newcomers, staying } = change
  const gained = new Map<UserId, UserId[]>()
  const lost = new Map<UserId, UserId[]>()
  const everyone = lazy(() => UserSet.of(before.users.keys()))
  for (const viewerId of after.userVisibility.changing.intersection(staying)) {
    const knownBefore = before.userVisibility.of(viewerId) ?? everyone()
    const knownAfter = after.userVisibility.of(viewerId) ?? everyone()
    // New users have an event of their own already.
    note(gained, knownAfter.difference(knownBefore).difference(newcomers), viewerId)
    note(lost, knownBefore.difference(knownAfter), viewerId)
  }
  const lead = ascending(gained).flatMap(([userId, viewers]) => reveal(before, userId, viewers))
  return {
    entries: [
      ...lead,
      ...entries.flatMap((one) => cut(before, one, after.userVisibility)),
      ...ascending(lost).flatMap(([userId, viewers]) => conceal(before, userId, viewers)),
    ],
    leadCount: lead.length,
  }
}

/** Whether the events may concern a user who does not know everyone; if not, nothing here applies. */
function concernsVisibility(
  { userVisibility, permissions }: OrganizationState,
  events: readonly LogEvent[],
): boolean {
  if (userVisibility.limited.size > 0) return true
  const isOpen = permissions.canAccessAllUsers === SYSTEM_GROUPS.everyone
  return events.some(({ type }) =>
    isOpen ? type === 'realm/update_dict' : type.startsWith('realm') || type.startsWith('user_group'),
  )
}

/** Whether users may know others after a fact; most facts are messages, reactions and the like. */
function mayChangeVisibility(fact: LogEvent, { partners }: OrganizationState): boolean {
  switch (fact.type) {
    case 'message': {
      const { userIds } = fact
      return userIds?.some((id) => !userIds.every((one) => partners.get(id)?.has(one))) === true
    }
    case 'realm/update_dict':
    case 'stream/update':
    case 'subscription/add':
    case 'subscription/remove':
    case 'realm_user/add':
    case 'realm_user/update':
    case 'user_group/add_members':
    case 'user_group/remove_members':
    case 'user_group/add_subgroups':
    case 'user_group/remove_subgroups':
      return true
    default:
      return false
  }
}

function note(noted: Map<UserId, UserId[]>, userIds: UserSet, viewerId: UserId): void {
  userIds.forEach((id) => {
    const viewers = noted.get(id)
    if (viewers) viewers.push(viewerId)
    else noted.set(id, [viewerId])
  })
}

function ascending(noted: ReadonlyMap<UserId, UserId[]>): [UserId, UserSet][] {
  return [...noted].sort(([a], [b]) => a - b).map(([id, viewers]) => [id, UserSet.of(viewers)])
}

function reveal(state: OrganizationState, userId: UserId, users: UserSet): NewEvent[] {
  const audience = { kind: 'users', users } as const
  const changes = state.userStatuses.get(userId) ?? {}
  const isAway = !state.settingsOf(userId).presenceEnabled
  const events: NewEvent[] = [{ event: { type: 'realm_user/reveal', userId }, audience }]
  if (isAway || state.userStatuses.has(userId)) {
    events.push({ event: { type: 'user_status/shown', userId, changes, isAway }, audience })
  }
  return events
}

function conceal(state: OrganizationState, userId: UserId, users: UserSet): NewEvent[] {
  const audience = { kind: 'users', users } as const
  const events: NewEvent[] = []
  if (state.userStatuses.has(userId) || !state.settingsOf(userId).presenceEnabled) {
    const changes = { text: '', emoji: null }
    events.push({
      event: { type: 'user_status/shown', userId, changes, isAway: false },
      audience,
    })
  }
  return [...events, { event: { type: 'realm_user/conceal', userId }, audience }]
}

/** An event for recipients who know its subjects, and the events for other recipients. */
function cut(state: OrganizationState, one: NewEvent, userVisibility: UserVisibility): NewEvent[] {
  const { event, audience } = one
  if (audience.kind !== 'users') return [one]
  const subjects = subjectsOf(event)
  if (subjects.length === 0 && event.type !== 'presence') return [one]
  const limited = audience.users.intersection(userVisibility.limited)
  if (limited.size === 0) return [one]
  if (event.type === 'presence') {
    if (!state.limitsPresence) return [one]
    // Each of them knows different users, so each user has an event.
    return [
      { event, audience: { kind: 'users', users: audience.users.difference(limited) } },
      ...event.presences.flatMap((presence): NewEvent[] => {
        const users = findKnowingViewers(limited, [presence.userId], userVisibility)
        if (users.size === 0) return []
        return [{ event: { ...event, presences: [presence] }, audience: { kind: 'users', users } }]
      }),
    ]
  }
  if (event.type === 'presence/single' && !state.limitsPresence) return [one]
  const unknowing = limited.difference(findKnowingViewers(limited, subjects, userVisibility))
  if (unknowing.size === 0) return [one]
  const limitedEntry: NewEvent = {
    event,
    audience: { kind: 'users', users: audience.users.difference(unknowing) },
  }
  if (event.type !== 'realm_user/add') return [limitedEntry]
  // Clients that need a whole list of users get a placeholder.
  return [
    limitedEntry,
    {
      event: { type: 'realm_user/reveal', userId: event.user.id, clients: 'without_incomplete_users' },
      audience: { kind: 'users', users: unknowing },
    },
  ]
}

/** The users who will know all of the subjects. */
function findKnowingViewers(
  viewers: UserSet,
  userIds: readonly UserId[],
  userVisibility: UserVisibility,
): UserSet {
  return UserSet.of(
    viewers.toArray().filter((viewerId) => {
      const known = userVisibility.of(viewerId)
      return userIds.every((id) => known?.has(id) ?? true)
    }),
  )
}
