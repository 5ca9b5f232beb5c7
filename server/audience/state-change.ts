/** A change of the organization: its facts, and the state before and after them. */

import { observersOf } from '../domain/channels/channel-access.ts'
import type { Fact } from '../domain/events.ts'
import { lazy } from '../domain/messages/derived.ts'
import type { User } from '../domain/entities.ts'
import type { ChannelId } from '../domain/ids.ts'
import { UserSet } from '../domain/users/user-set.ts'
import type { OrganizationState } from '../state/organization-state.ts'

export class StateChange {
  readonly before: OrganizationState
  readonly facts: readonly Fact[]
  readonly #after: () => OrganizationState
  readonly #staying = lazy(() => {
    const [before, after] = [this.before.rights.activeUsers, this.after.rights.activeUsers]
    return before === after ? before : before.intersection(after)
  })
  readonly #newcomers = lazy(() =>
    UserSet.of(this.facts.flatMap((fact) => (fact.type === 'realm_user/add' ? [fact.user.id] : []))),
  )
  readonly #observersBefore = new Map<ChannelId, UserSet>()
  readonly #observersAfter = new Map<ChannelId, UserSet>()

  /** `after` makes the state after the facts. */
  constructor(before: OrganizationState, facts: readonly Fact[], after: () => OrganizationState) {
    this.before = before
    this.facts = facts
    this.#after = lazy(after)
  }

  /** Made on first use; the state before stays as it is. */
  get after(): OrganizationState {
    return this.#after()
  }

  /** Users who are active before and after: the others have no clients to notify. */
  get staying(): UserSet {
    return this.#staying()
  }

  /** Users who stay and see a channel before; none for a new channel. */
  observersBefore(id: ChannelId): UserSet {
    return computed(this.#observersBefore, id, () => this.#observersIn(this.before, id))
  }

  /** Users who stay and see a channel after. */
  observersAfter(id: ChannelId): UserSet {
    return computed(this.#observersAfter, id, () => this.#observersIn(this.after, id))
  }

  #observersIn({ channels, rights }: OrganizationState, id: ChannelId): UserSet {
    const channel = channels.get(id)
    const observers = channel ? observersOf(channel, rights) : UserSet.empty
    return this.staying === rights.activeUsers ? observers : observers.intersection(this.staying)
  }

  /** Users of new accounts. */
  get newcomers(): UserSet {
    return this.#newcomers()
  }

  /** Active users who get another role, in the order of the facts. */
  get roleChanges(): readonly RoleChange[] {
    return this.facts.flatMap((fact) => this.#roleChangeOf(fact))
  }

  #roleChangeOf(fact: Fact): RoleChange[] {
    if (fact.type !== 'realm_user/update' || fact.changes.role === undefined) return []
    const before = this.before.getUser(fact.userId)
    return before.isActive ? [{ before, after: this.after.getUser(fact.userId) }] : []
  }
}

/** A user before and after getting another role. */
export interface RoleChange {
  readonly before: User
  readonly after: User
}

function computed<Key, Value>(known: Map<Key, Value>, key: Key, compute: () => Value): Value {
  const value = known.get(key) ?? compute()
  known.set(key, value)
  return value
}
