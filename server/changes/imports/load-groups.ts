/** Brings groups of people over, if their names are free. */

import { findImported, importKey, type ImportKey } from '../../../db/imports/imported-ids.ts'
import { answering, type Decision } from '../../decisions/decision.ts'
import { decideNewGroup } from '../../decisions/groups/create-group.ts'
import { scopeFor } from '../../decisions/scope.ts'
import type { UserGroup } from '../../domain/entities.ts'
import type { Fact } from '../../domain/events.ts'
import { GROUP_PERMISSIONS } from '../../domain/groups/permissions.ts'
import type { GroupId, UserId } from '../../domain/ids.ts'
import { GROUP_DESCRIPTION_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { ApiError } from '../../errors/api-error.ts'
import { cutText } from './fields.ts'
import type { Loading } from './loading.ts'
import { findSystemGroup, permissionsHere } from './load-permissions.ts'
import type { ForeignGroup } from './records.ts'

type NewFact = Decision<unknown>['events'][number]

/** Makes the groups that no earlier run has made, those without others in them first. */
export async function loadGroups(loading: Loading): Promise<void> {
  const { source, target, groups } = loading
  const waiting = [...source.lists.groups.values()]
  const listed = new Set(waiting.map(({ id }) => id))
  const done = new Set<string>()
  const isReady = ({ subgroups }: ForeignGroup) => subgroups.every((id) => !listed.has(id) || done.has(id))
  while (waiting.length > 0) {
    // None is ready only in a circle, which no honest archive has.
    const [group] = waiting.splice(Math.max(waiting.findIndex(isReady), 0), 1)
    if (!group) break
    const key = importKey(source.origin, 'group', group.id)
    const known = (await findImported(target.sql, [key])).get(key)
    const id = known === undefined ? await makeGroup(loading, group, key) : (known as GroupId)
    done.add(group.id)
    if (id !== undefined) groups.set(group.id, id)
  }
  for (const group of source.lists.groups.values()) await setPermissions(loading, group)
}

async function makeGroup(
  { target, people, report, groups }: Loading,
  group: ForeignGroup,
  key: ImportKey,
): Promise<GroupId | undefined> {
  const { name, members, subgroups } = group
  const description = cutText(group.description, GROUP_DESCRIPTION_LENGTH_MAX)
  const memberIds = members
    .map((id) => people.find(id))
    .filter((id) => id !== undefined && target.state.getUser(id).isActive)
  const subgroupIds = subgroups
    .map((id) => groups.get(id) ?? findSystemGroup(target.state, id))
    .filter((id) => id !== undefined)
  const origin = {
    creatorId: (group.creator === undefined ? undefined : people.find(group.creator)) ?? target.owner.id,
    createdAt: Math.min(Math.floor(group.createdAt ?? target.now), target.now),
    isDeactivated: group.isDeactivated,
  }
  if (subgroupIds.length < subgroups.length)
    report.lose({ place: undefined, reason: 'a group in another group', example: name })
  try {
    const id = await target.change(
      (scope) => {
        const request = { name, description, memberIds: memberIds as UserId[], subgroupIds, permissions: {} }
        const decision = decideNewGroup(scopeFor(scope, target.owner.id), request)
        return { ...decision, events: decision.events.map((event) => withOrigin(event, origin)) }
      },
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

/** The group with the creator and the time that it had there, and deactivated if it was. */
function withOrigin(
  event: NewFact,
  origin: Pick<UserGroup, 'creatorId' | 'createdAt' | 'isDeactivated'>,
): NewFact {
  return 'type' in event && event.type === 'user_group/add'
    ? { ...event, group: { ...event.group, ...origin } }
    : event
}

/** Once all groups are there: permissions may name any of them. */
async function setPermissions(loading: Loading, group: ForeignGroup): Promise<void> {
  const { target, source, groups } = loading
  const groupId = groups.get(group.id)
  const key = importKey(source.origin, 'group permissions', group.id)
  if (groupId === undefined || (await findImported(target.sql, [key])).has(key)) return
  const permissions = permissionsHere(loading, group.permissions, {
    rules: GROUP_PERMISSIONS,
    name: group.name,
  })
  const facts: Fact[] =
    Object.keys(permissions).length === 0
      ? []
      : [{ type: 'user_group/update', groupId, changes: { permissions } }]
  await target.change(
    () => answering(undefined, facts),
    () => [[key, 0]],
  )
}
