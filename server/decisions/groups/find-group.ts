/** The user group of a request, and the names that a group may have. */

import { findGroupNameProblem, isGroupNameTaken } from '../../domain/groups/group-names.ts'
import type { GroupState } from '../../domain/groups/group-graph.ts'
import type { GroupId } from '../../domain/ids.ts'
import { GROUP_NAME_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import type { Scope } from '../scope.ts'

/** The group of an id. All groups are known to everyone. */
export function findGroup(
  { state, fail }: Pick<Scope<'GROUP_UNKNOWN'>, 'state' | 'fail'>,
  id: GroupId,
): GroupState {
  const found = state.groups.groups.get(id)
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

/** Throws if a name is not valid for a new group, or for the group of an id. */
export function checkGroupName(
  { state, fail }: Pick<Scope<(typeof GROUP_NAME_ERRORS)[number]>, 'state' | 'fail'>,
  name: string,
  id?: GroupId,
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
      if (isGroupNameTaken(name, state.groups.groups, id)) throw fail('GROUP_NAME_TAKEN', { name })
  }
}
