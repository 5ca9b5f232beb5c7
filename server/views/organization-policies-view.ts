/** Permissions of the organization for clients older than group settings: a number for each. */

import { describe, INTEGER, type Schema } from '../domain/json-schema.ts'
import type { OrganizationPermission, OrganizationPermissions } from '../domain/groups/permissions.ts'
import type { GroupId } from '../domain/ids.ts'
import { SYSTEM_GROUPS } from '../domain/groups/system-groups.ts'
import { permissionName } from './permission-view.ts'

const { administrators, owners, nobody, fullMembers, moderators, members } = SYSTEM_GROUPS

/** The older form of a permission: a name, and a number for each system group. */
interface PolicyView {
  readonly name: string
  readonly numbers: Readonly<Partial<Record<GroupId, number>>>
  /** For all other groups. */
  readonly otherwise: number
}

/** Users whom no number describes are offered the choice, and the server refuses those without permission. */
const CREATOR_POLICY = {
  numbers: { [administrators]: 2, [owners]: 2, [nobody]: 2, [fullMembers]: 3, [moderators]: 4 },
  otherwise: 1,
}

const POLICY_VIEWS = {
  canCreatePublicChannel: { name: 'create_public_stream_policy', ...CREATOR_POLICY },
  canCreatePrivateChannel: { name: 'create_private_stream_policy', ...CREATOR_POLICY },
  canCreateWebPublicChannel: {
    name: 'create_web_public_stream_policy',
    numbers: { [administrators]: 2, [moderators]: 4, [nobody]: 6 },
    otherwise: 7,
  },
  canMentionManyUsers: {
    name: 'wildcard_mention_policy',
    numbers: {
      [members]: 2,
      [fullMembers]: 3,
      [administrators]: 5,
      [owners]: 5,
      [nobody]: 6,
      [moderators]: 7,
    },
    otherwise: 1,
  },
  canMoveMessagesBetweenTopics: {
    name: 'edit_topic_policy',
    numbers: {
      [members]: 1,
      [administrators]: 2,
      [owners]: 2,
      [fullMembers]: 3,
      [moderators]: 4,
      [nobody]: 6,
    },
    otherwise: 5,
  },
} as const satisfies { readonly [Name in OrganizationPermission]?: PolicyView }

type PolicyName = (typeof POLICY_VIEWS)[keyof typeof POLICY_VIEWS]['name']

/** The schemas of `viewPolicies`. */
export const POLICY_FIELDS = Object.fromEntries(
  Object.entries(POLICY_VIEWS).map(([permission, { name }]) => [
    name,
    describe(
      INTEGER,
      `\`${permissionName(permission as OrganizationPermission)}\` as a number, for older clients.`,
    ),
  ]),
) as { readonly [Name in PolicyName]: Schema<number> }

/** The older form of the given permissions, by wire names with `prefix`. */
export function viewPolicies(
  permissions: Partial<OrganizationPermissions>,
  prefix: string,
): Record<string, number> {
  const view: Record<string, number> = {}
  for (const [permission, setting] of Object.entries(permissions)) {
    const policy = (POLICY_VIEWS as Partial<Record<string, PolicyView>>)[permission]
    if (!policy) continue
    const number = typeof setting === 'number' ? policy.numbers[setting] : undefined
    view[prefix + policy.name] = number ?? policy.otherwise
  }
  return view
}
