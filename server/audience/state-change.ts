/** A change of the organization: its facts, and the state before and after them. */

import type { Fact } from '../domain/event-traits.ts'
import { lazy } from '../domain/derived.ts'
import type { User } from '../domain/entities.ts'
import { UserSet } from '../domain/user-set.ts'
import { overlay } from '../state/apply-event.ts'
import type { OrganizationState } from '../state/organization-state.ts'

export class StateChange {
  readonly before: OrganizationState
  readonly facts: readonly Fact[]
  readonly #after: () => OrganizationState
  readonly #staying = lazy(() => this.before.rights.activeUsers.intersection(this.after.rights.activeUsers))
  readonly #newcomers = lazy(() =>
    UserSet.of(this.facts.flatMap((fact) => (fact.type === 'realm_user/add' ? [fact.user.id] : []))),
  )
  readonly #roleChanges = lazy(() => this.facts.flatMap((fact) => this.#roleChangeOf(fact)))

  constructor(before: OrganizationState, facts: readonly Fact[]) {
    this.before = before
    this.facts = facts
    this.#after = lazy(() => overlay(before, facts))
  }

  /** Made when it is first asked for; the state before stays as it is. */
  get after(): OrganizationState {
    return this.#after()
  }

  /** Users who are active before and after: the others have no clients to notify. */
  get staying(): UserSet {
    return this.#staying()
  }

  /** Users whose accounts are made by it. */
  get newcomers(): UserSet {
    return this.#newcomers()
  }

  /** Active users who get another role, in the order of the facts. */
  get roleChanges(): readonly RoleChange[] {
    return this.#roleChanges()
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
