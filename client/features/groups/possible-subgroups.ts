/** The groups that may become members of a group. */

import type { UserGroup } from '../../../packages/client/src/wire-types.ts'
import type { State } from '../../store/apply.ts'

/** Role groups that have no members of their own choice, and would make no sense as members. */
const NEVER: ReadonlySet<string> = new Set(['role:internet', 'role:nobody'])

/** Active groups; without the group itself and all that contain it, which would be a circle. */
export function possibleSubgroups(state: State, groupId: number | undefined): readonly UserGroup[] {
  const groups = state.realm_user_groups ?? []
  const above = new Set<number>(groupId === undefined ? [] : [groupId])
  for (let size = -1; size !== above.size; ) {
    size = above.size
    for (const one of groups) if (one.direct_subgroup_ids.some((id) => above.has(id))) above.add(one.id)
  }
  return groups.filter((one) => !above.has(one.id) && !one.deactivated && !NEVER.has(one.name))
}
