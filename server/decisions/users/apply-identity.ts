/** Brings an account up to what the identity provider of the company says about its user. */

import { findRole, type GroupRules } from '../../domain/accounts/group-rules.ts'
import type { User } from '../../domain/entities.ts'
import type { Fact } from '../../domain/events.ts'
import type { GroupId, UserId } from '../../domain/ids.ts'
import { findNameFault } from '../../domain/users/full-names.ts'
import { isLastOwner } from '../../domain/users/user-access.ts'
import { foldCase } from '../../../packages/rules/fold-case.ts'
import { changeRoleWithBots } from '../bots/bot-roles.ts'
import { answering, type Decision } from '../decision.ts'
import type { ServerScope } from '../scope.ts'
import { isNameTaken } from './check-names.ts'

/** The provider's data; undefined changes nothing. */
export interface IdentityRequest {
  readonly userId: UserId
  readonly fullName?: string | undefined
  /** The names or ids of their groups at the provider. */
  readonly groups?: readonly string[] | undefined
  readonly rules: GroupRules
}

/** The parts that could not be applied, for the operator's log. */
export interface UnappliedParts {
  /** The last owner keeps the role. */
  readonly isLastOwner: boolean
  /** User groups of the rules that do not exist here. */
  readonly missingGroups: readonly string[]
}

/**
 * Applies the name, the role and the user groups. User groups without a rule, and those that are deactivated, stay as they
 * are; a name that cannot be used changes nothing.
 */
export function decideIdentity(
  scope: ServerScope,
  { userId, fullName, groups, rules }: IdentityRequest,
): Decision<UnappliedParts> {
  const { state } = scope
  const user = state.getUser(userId)
  const nothing = { isLastOwner: false, missingGroups: [] }
  if (!user.isActive || user.isSystem || user.botType !== null) return answering(nothing, [])
  const named = fullName === undefined ? [] : changeName(scope, user, fullName)
  if (groups === undefined) return answering(nothing, named)
  const role = findRole(rules, groups, user.role)
  const isNewRole = role !== undefined && role !== user.role
  const isLast = isNewRole && isLastOwner(user, state.users.values())
  const changedRole = isNewRole && !isLast ? changeRoleWithBots(scope, user, role) : []
  const { facts, missingGroups } = changeUserGroups(scope, user, groups, rules)
  return answering({ isLastOwner: isLast, missingGroups }, [...named, ...changedRole, ...facts])
}

function changeName(scope: ServerScope, user: User, fullName: string): Fact[] {
  if (fullName === user.fullName || findNameFault(fullName) || isNameTaken(scope, fullName, user.id))
    return []
  return [{ type: 'realm_user/update', userId: user.id, changes: { fullName } }]
}

/** Makes the user a direct member of exactly those groups of the rules that the provider's groups name. */
function changeUserGroups(
  { state }: ServerScope,
  { id }: User,
  groups: readonly string[],
  { userGroups }: GroupRules,
): { readonly facts: Fact[]; readonly missingGroups: string[] } {
  const isWanted = new Map<string, boolean>()
  for (const [group, name] of userGroups) {
    const folded = foldCase(name)
    isWanted.set(folded, isWanted.get(folded) === true || groups.includes(group))
  }
  const known = new Map<string, GroupId>()
  for (const { group } of state.groups.groups.values())
    if (!group.isSystem && !group.isDeactivated) known.set(foldCase(group.name), group.id)
  const facts: Fact[] = []
  for (const [name, isMember] of isWanted) {
    const groupId = known.get(name)
    if (groupId === undefined || state.groups.get(groupId).directMembers.has(id) === isMember) continue
    const type = isMember ? 'user_group/add_members' : 'user_group/remove_members'
    facts.push({ type, groupId, userIds: [id] })
  }
  const missingGroups = [...new Set(userGroups.values())].filter((name) => !known.has(foldCase(name)))
  return { facts, missingGroups }
}
