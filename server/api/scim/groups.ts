/** User groups as SCIM's groups. All are there but those of the roles, so that the provider finds and adopts them. */

import { readGoneScimUsers } from '../../../db/accounts/scim-users.ts'
import { findScimGroups, readScimGroups } from '../../../db/organization/scim-groups.ts'
import { foldCase } from '../../../packages/rules/fold-case.ts'
import {
  changeGroup,
  createGroup,
  differenceOf,
  removeGroup,
  type SeenGroup,
} from '../../changes/scim/provision-groups.ts'
import { isPerson } from '../../changes/scim/provision-people.ts'
import type { GroupState } from '../../domain/groups/group-graph.ts'
import type { GroupId, UserId } from '../../domain/ids.ts'
import { type JsonObject, readId, SCIM_PATH } from '../../domain/scim/attributes.ts'
import { GROUP_COMPARED, GROUP_SHAPES, readGroup } from '../../domain/scim/groups.ts'
import { applyPatch } from '../../domain/scim/patch.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import type { Services } from '../services.ts'
import { findCandidates } from './candidates.ts'
import { type Resources, type ShownMembers, withMeta } from './resources.ts'
import { GROUP_SCHEMA } from './schemas.ts'

export const GROUPS: Resources<GroupState, SeenGroup> = {
  type: 'Group',
  compared: GROUP_COMPARED,

  async find(services, filter) {
    const { sql, state } = services
    const { groups } = state.groups
    const ids = filter
      ? await findCandidates(filter, (path, value) => findByAttribute(services, path, value))
      : [...groups.keys()]
    if (!ids) return undefined
    const shown = ids.flatMap((id) => groups.get(id) ?? []).filter(isShown)
    const known = await readScimGroups(sql, shown.map(idOf))
    return shown.filter((one) => !known.get(idOf(one))?.isGone).sort((a, b) => idOf(a) - idOf(b))
  },

  async get({ sql, state }, text) {
    const found = state.groups.groups.get(readId(text) as GroupId)
    if (!found || !isShown(found)) return undefined
    const stored = (await readScimGroups(sql, [idOf(found)])).get(idOf(found))
    return stored?.isGone ? undefined : { state: found, stored }
  },

  countMembers: ({ directMembers }) => directMembers.size,

  async load({ sql }, groups) {
    const rows = await readScimGroups(sql, groups.map(idOf))
    return groups.map((state) => ({ state, stored: rows.get(idOf(state)) }))
  },

  async view(services, groups, members) {
    const people = await findPeople(
      services,
      groups.map(({ state }) => state),
    )
    return groups.map(({ state, stored }) => {
      const parts = { people: state.directMembers.intersection(people), members }
      return viewGroup(services, state, { externalId: stored?.externalId ?? null, ...parts })
    })
  },

  create: async (services, body) => String(await createGroup(services, readGroup(body))),

  async replace(services, seen, body) {
    const wanted = readGroup(body)
    await changeGroup(services, seen, wanted, {
      name: wanted.name,
      ...differenceOf(services, seen.state, wanted.memberIds),
      isReturning: false,
    })
  },

  /** Only the people that the operations name change, so that requests at the same time do not undo each other. */
  async patch(services, seen, body) {
    const [before = {}] = await GROUPS.view(services, [seen], 'all')
    const wanted = readGroup(applyPatch(before, body, GROUP_SHAPES))
    const [present, next] = [new Set(readGroup(before).memberIds), new Set(wanted.memberIds)]
    await changeGroup(services, seen, wanted, {
      name: wanted.name === seen.state.group.name ? undefined : wanted.name,
      add: wanted.memberIds.filter((one) => !present.has(one)),
      remove: [...present].filter((one) => !next.has(one)),
      isReturning: false,
    })
  },

  remove: removeGroup,
}

function idOf({ group }: GroupState): GroupId {
  return group.id
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
      return findScimGroups(sql, value)
    case 'members':
    case 'members.value':
      return idsOf(groups.filter(({ directMembers }) => directMembers.has(readId(value) as UserId)))
    default:
      return undefined
  }
}

/** The members of some groups whom the provider may know: people whom it has not deleted. */
async function findPeople({ sql, state }: Services, groups: readonly GroupState[]): Promise<UserSet> {
  const members = UserSet.unionOf(groups.map(({ directMembers }) => directMembers))
  const people = members.toArray().filter((id) => isPerson(state.getUser(id)))
  const gone = await readGoneScimUsers(sql, people)
  return UserSet.of(people.filter((id) => !gone.has(id)))
}

interface GroupParts {
  readonly externalId: string | null
  readonly people: UserSet
  /** Those of the people who are listed. */
  readonly members: ShownMembers
}

function viewGroup(
  services: Services,
  { group: { id, name, createdAt } }: GroupState,
  { externalId, people, members: shown }: GroupParts,
): JsonObject {
  const listed = shown === 'all' ? people : people.intersection(shown)
  const members = listed.toArray().map((one) => ({
    value: String(one),
    $ref: `${services.publicUrl}${SCIM_PATH}/Users/${one}`,
    type: 'User',
  }))
  const attributes = { ...(externalId === null ? {} : { externalId }), displayName: name }
  return withMeta(
    services,
    // Lists often leave thousands of members out: the version comes from their ids.
    { type: 'Group', schema: GROUP_SCHEMA, id, created: createdAt, versioned: [attributes, people.encode()] },
    { ...attributes, ...(members.length === 0 ? {} : { members }) },
  )
}
