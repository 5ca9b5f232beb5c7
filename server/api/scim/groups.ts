/** User groups as SCIM's groups. All are there but those of the roles, so that the provider finds and adopts them. */

import { readGoneScimUsers } from '../../../db/accounts/scim-users.ts'
import { findScimGroup, readScimGroups } from '../../../db/organization/scim-groups.ts'
import { foldCase } from '../../../packages/rules/fold-case.ts'
import {
  changeGroup,
  createGroup,
  differenceOf,
  peopleOf,
  removeGroup,
} from '../../changes/scim/provision-groups.ts'
import type { GroupState } from '../../domain/groups/group-graph.ts'
import type { GroupId, UserId } from '../../domain/ids.ts'
import { type JsonObject, readId, SCIM_PATH } from '../../domain/scim/attributes.ts'
import { GROUP_COMPARED, GROUP_SHAPES, readGroup } from '../../domain/scim/groups.ts'
import { applyPatch } from '../../domain/scim/patch.ts'
import type { Services } from '../services.ts'
import { findCandidates } from './candidates.ts'
import { type Resources, withMeta } from './resources.ts'
import { GROUP_SCHEMA } from './schemas.ts'

export const GROUPS: Resources<GroupState> = {
  type: 'Group',
  compared: GROUP_COMPARED,

  async find(services, filter) {
    const { sql, state } = services
    const { groups } = state.groups
    const ids = filter
      ? await findCandidates(filter, (path, value) => findByAttribute(services, path, value))
      : [...groups.keys()]
    if (!ids) return undefined
    const known = await readScimGroups(sql)
    return [...ids]
      .sort((a, b) => a - b)
      .flatMap((id) => groups.get(id) ?? [])
      .filter((one) => isShown(one) && !known.get(one.group.id)?.isGone)
  },

  async get({ sql, state }, text) {
    const found = state.groups.groups.get(readId(text) as GroupId)
    if (!found || !isShown(found)) return undefined
    return (await findScimGroup(sql, found.group.id))?.isGone ? undefined : found
  },

  async view(services, groups) {
    const [known, gone] = [await readScimGroups(services.sql), await readGoneScimUsers(services.sql)]
    return groups.map((one) => viewGroup(services, one, known.get(one.group.id)?.externalId ?? null, gone))
  },

  create: async (services, body) => String(await createGroup(services, readGroup(body))),

  async replace(services, group, body) {
    const wanted = readGroup(body)
    await changeGroup(services, group.group.id, wanted, {
      name: wanted.name,
      ...differenceOf(services, group, wanted.memberIds),
      isReturning: false,
    })
  },

  /** Only the people that the operations name change, so that requests at the same time do not undo each other. */
  async patch(services, group, body) {
    const { id } = group.group
    const externalId = (await findScimGroup(services.sql, id))?.externalId ?? null
    const before = viewGroup(services, group, externalId, await readGoneScimUsers(services.sql))
    const wanted = readGroup(applyPatch(before, body, GROUP_SHAPES))
    const [present, next] = [new Set(readGroup(before).memberIds), new Set(wanted.memberIds)]
    await changeGroup(services, id, wanted, {
      name: wanted.name === group.group.name ? undefined : wanted.name,
      add: wanted.memberIds.filter((one) => !present.has(one)),
      remove: [...present].filter((one) => !next.has(one)),
      isReturning: false,
    })
  },

  remove: (services, { group }) => removeGroup(services, group.id),
}

function isShown({ group }: GroupState): boolean {
  return !group.isSystem && !group.isDeactivated
}

async function findByAttribute(
  { sql, state }: Services,
  path: string,
  value: string,
): Promise<readonly GroupId[] | undefined> {
  const groups = [...state.groups.groups.values()]
  const idsOf = (found: readonly GroupState[]) => found.map(({ group }) => group.id)
  switch (path) {
    case 'id':
      return [readId(value) as GroupId]
    case 'displayname':
      return idsOf(groups.filter(({ group }) => foldCase(group.name) === foldCase(value)))
    case 'externalid':
      return [...(await readScimGroups(sql)).values()]
        .filter(({ externalId }) => externalId === value)
        .map(({ groupId }) => groupId)
    case 'members':
    case 'members.value':
      return idsOf(groups.filter(({ directMembers }) => directMembers.has(readId(value) as UserId)))
    default:
      return undefined
  }
}

function viewGroup(
  services: Services,
  state: GroupState,
  externalId: string | null,
  gone: ReadonlySet<UserId>,
): JsonObject {
  const { id, name, createdAt } = state.group
  const people = peopleOf(services, state).filter((one) => !gone.has(one))
  const members = people.map((one) => ({
    value: String(one),
    $ref: `${services.publicUrl}${SCIM_PATH}/Users/${one}`,
    type: 'User',
  }))
  return withMeta(
    services,
    { type: 'Group', schema: GROUP_SCHEMA, id, created: createdAt },
    {
      ...(externalId === null ? {} : { externalId }),
      displayName: name,
      ...(members.length === 0 ? {} : { members }),
    },
  )
}
