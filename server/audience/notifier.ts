/** The form of what finds recipients, and the commonest audiences. */

import type { Audience, Fact, NewEvent, Notice } from '../domain/events.ts'
import type { UserId } from '../domain/ids.ts'
import { UserSet } from '../domain/users/user-set.ts'
import type { StateChange } from './state-change.ts'

/**
 * Answers the log's entries for consecutive facts of one type: each fact with its audience, and its notices, in the
 * order for clients.
 */
export type Notifier<Event extends Fact> = (
  facts: readonly Event[],
  change: StateChange,
) => readonly NewEvent[]

/** An audience of some users. */
export function toUsers(users: UserSet): Audience {
  return { kind: 'users', users }
}

export const NOBODY: Audience = { kind: 'nobody' }

/** A notice for some users; none without users. */
export function noticeTo(users: UserSet, event: Notice): NewEvent[] {
  return users.size === 0 ? [] : [{ event, audience: toUsers(users) }]
}

/** Of facts that every active user sees. */
export const everyone: Notifier<Fact> = (facts, { before }) => {
  const audience = toUsers(before.rights.activeUsers)
  return facts.map((event) => ({ event, audience }))
}

/** Of facts that active administrators and owners see. */
export const administrators: Notifier<Fact> = (facts, { before }) => {
  const audience = toUsers(before.rights.activeAdministrators)
  return facts.map((event) => ({ event, audience }))
}

/** Of facts that active owners see. */
export const owners: Notifier<Fact> = (facts, { before }) => {
  const audience = toUsers(before.rights.activeOwners)
  return facts.map((event) => ({ event, audience }))
}

/** Of facts that only the clients of one user see. */
export const owner = <Event extends Fact & { readonly userId: UserId }>(
  facts: readonly Event[],
): readonly NewEvent[] => facts.map((event) => ({ event, audience: toUsers(UserSet.of([event.userId])) }))

/** Of facts that no client sees. */
export const nobody: Notifier<Fact> = (facts) => facts.map((event) => ({ event, audience: NOBODY }))
