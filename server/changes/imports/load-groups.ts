/** Brings groups of people over, if their names are free. */

import { findImported, importKey, type ImportKey } from '../../../db/imports/imported-ids.ts'
import { decideNewGroup } from '../../decisions/groups/create-group.ts'
import { scopeFor } from '../../decisions/scope.ts'
import type { GroupId, UserId } from '../../domain/ids.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Loading } from './load-channels.ts'
import type { ForeignGroup } from './records.ts'

/** The groups here by their ids there; undefined for those that did not come. */
type Made = Map<string, GroupId | undefined>

/** Makes the groups that no earlier run has made, those without others in them first. */
export async function loadGroups(loading: Loading): Promise<void> {
  const { source, target } = loading
  const waiting = [...source.lists.groups.values()]
  const listed = new Set(waiting.map(({ id }) => id))
  const made: Made = new Map()
  const isReady = ({ subgroups }: ForeignGroup) => subgroups.every((id) => !listed.has(id) || made.has(id))
  while (waiting.length > 0) {
    // None is ready only in a circle, which no honest archive has.
    const [group] = waiting.splice(Math.max(waiting.findIndex(isReady), 0), 1)
    if (!group) return
    const key = importKey(source.origin, 'group', group.id)
    const known = (await findImported(target.sql, [key])).get(key)
    made.set(
      group.id,
      known === undefined ? await makeGroup(loading, { group, key, made }) : (known as GroupId),
    )
  }
}

async function makeGroup(
  { target, people, report }: Loading,
  { group, key, made }: { readonly group: ForeignGroup; readonly key: ImportKey; readonly made: Made },
): Promise<GroupId | undefined> {
  const { name, description, members, subgroups } = group
  const memberIds = members
    .map((id) => people.find(id))
    .filter((id) => id !== undefined && target.state.getUser(id).isActive)
  const subgroupIds = subgroups
    .map((id) => made.get(id) ?? findSystemGroup(target.state.groups.groups.values(), id))
    .filter((id) => id !== undefined)
  if (subgroupIds.length < subgroups.length)
    report.lose({ place: undefined, reason: 'a group in another group', example: name })
  try {
    const id = await target.change(
      (scope) =>
        decideNewGroup(scopeFor(scope, target.owner.id), {
          name,
          description,
          memberIds: memberIds as UserId[],
          subgroupIds,
          permissions: {},
        }),
      (groupId) => [[key, groupId]],
    )
    report.groups.created++
    return id
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    report.lose({ place: undefined, reason: 'a group of people', example: `${name}: ${error.message}` })
    return undefined
  }
}

/** System groups have the same names everywhere. */
function findSystemGroup(
  groups: Iterable<{
    readonly group: { readonly id: GroupId; readonly name: string; readonly isSystem: boolean }
  }>,
  name: string,
): GroupId | undefined {
  for (const { group } of groups) if (group.isSystem && group.name === name) return group.id
  return undefined
}
