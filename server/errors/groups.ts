/** Failures of user groups. */

import { badRequest, type ErrorCase, type ErrorCases, type Extra, worded } from './error-case.ts'

export const GROUP_ERRORS = {
  GROUP_UNKNOWN: badRequest('Invalid user group'),
  GROUP_ID_UNKNOWN: badRequest(({ id }: { id: number }) => `Invalid user group ID: ${id}`),
  GROUP_MEMBER_UNKNOWN: badRequest(({ id }: { id: number }) => `Invalid user ID: ${id}`),
  GROUP_FORBIDDEN: badRequest(
    ({ setting, group }: { setting: string; group: string }) =>
      `'${setting}' setting cannot be set to '${group}' group.`,
  ),
  SYSTEM_GROUP_REQUIRED: worded(
    400,
    'SYSTEM_GROUP_REQUIRED',
    ({ setting }: { setting: string }) => `'${setting}' must be a system user group.`,
    ({ setting }) => ({ setting_name: setting }),
  ),
  GROUP_NAME_EMPTY: badRequest("User group name can't be empty!"),
  GROUP_NAME_TOO_LONG: badRequest(
    ({ lengthMax }: { lengthMax: number }) => `User group name cannot exceed ${lengthMax} characters.`,
  ),
  GROUP_NAME_PREFIX: badRequest(
    ({ prefix }: { prefix: string }) => `User group name cannot start with '${prefix}'.`,
  ),
  GROUP_NAME_CHARACTER: badRequest(
    ({ position }: { position: number }) => `Invalid character in user group name, at position ${position}.`,
  ),
  GROUP_NAME_TAKEN: badRequest(({ name }: { name: string }) => `User group '${name}' already exists.`),
  GROUP_DEACTIVATED: badRequest('User group is deactivated.'),
  GROUP_UNCHANGED: badRequest('No new data supplied'),
  GROUP_MEMBERS_UNCHANGED: badRequest(
    ({ options }: { options: string }) => `Nothing to do. Specify at least one of ${options}.`,
  ),
  GROUP_MEMBER_ALREADY: badRequest(
    ({ id }: { id: number }) => `User ${id} is already a member of this group`,
  ),
  GROUP_MEMBER_MISSING: badRequest(
    ({ id }: { id: number }) => `There is no member '${id}' in this user group`,
  ),
  SUBGROUP_ALREADY: badRequest(
    ({ id }: { id: number }) => `User group ${id} is already a subgroup of this group.`,
  ),
  SUBGROUP_MISSING: badRequest(
    ({ id }: { id: number }) => `User group ${id} is not a subgroup of this group.`,
  ),
  SUBGROUP_CYCLE: badRequest(
    ({ id }: { id: number }) => `User group ${id} is already a subgroup of one of the passed subgroups.`,
  ),
  SUBGROUP_TOO_DEEP: badRequest(
    ({ depthMax }: { depthMax: number }) => `User groups are nested too deeply (maximum ${depthMax} levels).`,
  ),
  TOO_MANY_SUBGROUPS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many subgroups in all user groups (maximum ${countMax}).`,
  ),
  GROUP_IN_USE: {
    status: 400,
    code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
    message: () => 'To deactivate this user group, please remove all usages of it.',
    extra: ({ objections }) => ({ objections }),
  } as ErrorCase<{ objections: readonly Extra[] }>,
} satisfies ErrorCases
