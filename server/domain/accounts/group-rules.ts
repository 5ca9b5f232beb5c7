/** The meaning here of groups at the identity provider of a company. Off unless the operator names groups. */

import { type Role, type RoleName, ROLES } from '../../../packages/rules/roles.ts'

/** Roles and user groups by the names, or the ids, of groups at the provider. */
export interface GroupRules {
  readonly roles: ReadonlyMap<string, Role>
  /** The names of user groups here. */
  readonly userGroups: ReadonlyMap<string, string>
}

export const NO_GROUP_RULES: GroupRules = { roles: new Map(), userGroups: new Map() }

/** Groups of one list: each is looked at in each log-in. */
const GROUPS_MAX = 500
/** Characters of the name of a group at the provider; names of directories (LDAP) are the longest. */
const NAME_LENGTH_MAX = 1_000

/** Whether any group has a meaning. */
export function hasGroupRules({ roles, userGroups }: GroupRules): boolean {
  return roles.size > 0 || userGroups.size > 0
}

/**
 * Reads rules from two JSON objects, `{"group at the provider": "role"}` and `{"group at the provider": "user group"}`;
 * answers a text that says why they are invalid.
 */
export function readGroupRules(roles: unknown = {}, userGroups: unknown = {}): GroupRules | string {
  const roleNames = readTexts('roles', roles)
  if (typeof roleNames === 'string') return roleNames
  const groupNames = readTexts('user_groups', userGroups)
  if (typeof groupNames === 'string') return groupNames
  const known = new Map<string, Role>()
  for (const [group, name] of roleNames) {
    if (!isRoleName(name)) return `must have one of ${Object.keys(ROLES).join(', ')} for each group in roles`
    known.set(group, ROLES[name])
  }
  return { roles: known, userGroups: groupNames }
}

function readTexts(field: string, value: unknown): ReadonlyMap<string, string> | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `must have a JSON object as ${field}`
  const texts = new Map<string, string>()
  for (const [name, one] of Object.entries(value)) {
    if (typeof one !== 'string' || one === '' || name === '' || name.length > NAME_LENGTH_MAX)
      return `must have names with names in ${field}`
    texts.set(name, one)
  }
  return texts.size > GROUPS_MAX ? `must have at most ${GROUPS_MAX} groups in ${field}` : texts
}

function isRoleName(name: string): name is RoleName {
  return Object.hasOwn(ROLES, name)
}

/**
 * The role of a person in these groups, the highest of several. A person in none of them is a member if the rules give
 * their role and it is above that: a right that came from a group goes with it. Undefined keeps the present role.
 */
export function findRole({ roles }: GroupRules, groups: readonly string[], present: Role): Role | undefined {
  const given = groups.flatMap((group) => roles.get(group) ?? [])
  // A smaller number may do more.
  if (given.length > 0) return given.reduce((highest, role) => (role < highest ? role : highest))
  return present < ROLES.member && [...roles.values()].includes(present) ? ROLES.member : undefined
}
