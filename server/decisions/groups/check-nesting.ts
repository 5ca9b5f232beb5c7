/** The limits of groups within groups. */

import { isAdministrator } from '../../../packages/rules/roles.ts'
import type { GroupGraph } from '../../domain/groups/group-graph.ts'
import type { GroupId, UserId } from '../../domain/ids.ts'
import { GROUP_NESTING_MAX, SUBGROUPS_MAX, SUBGROUPS_PER_PERSON_MAX } from '../../domain/limits.ts'
import type { Scope } from '../scope.ts'

/** Throws if one of the groups does not exist or is deactivated, so it cannot be a subgroup. */
export function checkSubgroups({ state, fail }: Scope<'GROUP_ID_UNKNOWN'>, ids: readonly GroupId[]): void {
  for (const id of ids) {
    const known = state.groups.groups.get(id)
    if (!known || known.group.isDeactivated) throw fail('GROUP_ID_UNKNOWN', { id })
  }
}

/** How nested groups can fail. */
export const NESTING_ERRORS = ['SUBGROUP_TOO_DEEP', 'TOO_MANY_SUBGROUPS', 'SHARE_SPENT'] as const

/** Throws if a change leaves too many subgroups, or nests groups too deep. */
export function checkNesting(
  { caller, fail }: Scope<(typeof NESTING_ERRORS)[number]>,
  groups: GroupGraph,
  creatorId: UserId | null,
): void {
  if (groups.countSubgroups() > SUBGROUPS_MAX) throw fail('TOO_MANY_SUBGROUPS', { countMax: SUBGROUPS_MAX })
  const ofMaker = [...groups.groups.values()].filter(({ group }) => group.creatorId === creatorId)
  const count = ofMaker.reduce((sum, { directSubgroups }) => sum + directSubgroups.length, 0)
  if (count > SUBGROUPS_PER_PERSON_MAX && !isAdministrator(caller))
    throw fail('SHARE_SPENT', { items: 'subgroups', whose: 'person', countMax: SUBGROUPS_PER_PERSON_MAX })
  if (groups.nestingDepth() > GROUP_NESTING_MAX)
    throw fail('SUBGROUP_TOO_DEEP', { depthMax: GROUP_NESTING_MAX })
}
