/** The user groups that a request is about, and their names. */

import { findGroupNameProblem, isGroupNameTaken } from '../domain/group-names.ts'
import type { GroupState } from '../domain/group-graph.ts'
import type { GroupId } from '../domain/ids.ts'
import { GROUP_NAME_LENGTH_MAX } from '../domain/limits.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import type { Fail } from './errors.ts'

/** The group of an id. All groups are known to everyone. */
export function findGroup(
  id: GroupId,
  { groups }: OrganizationState,
  fail: Fail<'GROUP_UNKNOWN'>,
): GroupState {
  const found = groups.groups.get(id)
  if (!found) throw fail('GROUP_UNKNOWN')
  return found
}

/** How a name for a group can be wrong. */
export const GROUP_NAME_ERRORS = [
  'GROUP_NAME_EMPTY',
  'GROUP_NAME_TOO_LONG',
  'GROUP_NAME_PREFIX',
  'GROUP_NAME_CHARACTER',
  'GROUP_NAME_TAKEN',
] as const

/** Throws what is wrong with a name for a new group, or for the one that it is given to. */
export function checkGroupName(
  name: string,
  { groups }: OrganizationState,
  fail: Fail<(typeof GROUP_NAME_ERRORS)[number]>,
  groupId?: GroupId,
): void {
  const problem = findGroupNameProblem(name)
  switch (problem?.kind) {
    case 'empty':
      throw fail('GROUP_NAME_EMPTY')
    case 'too_long':
      throw fail('GROUP_NAME_TOO_LONG', { lengthMax: GROUP_NAME_LENGTH_MAX })
    case 'prefix':
      throw fail('GROUP_NAME_PREFIX', { prefix: problem.prefix })
    case 'character':
      throw fail('GROUP_NAME_CHARACTER', { position: problem.position })
    case undefined:
      if (isGroupNameTaken(name, groups.groups, groupId)) throw fail('GROUP_NAME_TAKEN', { name })
  }
}
