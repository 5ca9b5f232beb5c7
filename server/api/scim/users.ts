/** People as SCIM's users. All people are there, also those whom the provider has not written yet: so it finds and adopts them. */

import { findScimUsers, readGoneScimUsers, readScimUsers } from '../../../db/accounts/scim-users.ts'
import { foldCase } from '../../../packages/rules/fold-case.ts'
import {
  changePerson,
  createPerson,
  isPerson,
  nameFrom,
  removePerson,
  type SeenPerson,
} from '../../changes/scim/provision-people.ts'
import { ROLES, type User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import { type JsonObject, readId } from '../../domain/scim/attributes.ts'
import { applyPatch } from '../../domain/scim/patch.ts'
import {
  fullNameOf,
  PERSON_COMPARED,
  PERSON_SHAPES,
  readPerson,
  type ScimNames,
  type ScimUser,
  userKeyOf,
} from '../../domain/scim/people.ts'
import { isEmailAddress } from '../../domain/users/email-addresses.ts'
import { toFullName } from '../../domain/users/full-names.ts'
import type { Services } from '../services.ts'
import { findCandidates } from './candidates.ts'
import { type Resources, withMeta } from './resources.ts'
import { USER_SCHEMA } from './schemas.ts'

export const USERS: Resources<User, SeenPerson> = {
  type: 'User',
  compared: PERSON_COMPARED,

  async find(services, filter) {
    const { sql, state } = services
    const found = filter
      ? (await findCandidates(filter, (path, value) => findByAttribute(services, path, value)))?.map((id) =>
          state.users.get(id),
        )
      : [...state.users.values()]
    const people = found?.filter((user) => user !== undefined).filter(isPerson)
    if (!people) return undefined
    const gone = await readGoneScimUsers(
      sql,
      people.map(({ id }) => id),
    )
    return people.filter(({ id }) => !gone.has(id)).sort((a, b) => a.id - b.id)
  },

  async get({ sql, state }, text) {
    const user = state.users.get(readId(text) as UserId)
    if (!user || !isPerson(user)) return undefined
    const stored = (await readScimUsers(sql, [user.id])).get(user.id)
    return stored?.isGone ? undefined : { user, stored }
  },

  async load({ sql }, users) {
    const ids = users.map(({ id }) => id)
    const rows = await readScimUsers(sql, ids)
    return users.map((user) => ({ user, stored: rows.get(user.id) }))
  },

  view: async (services, people) => people.map((one) => viewUser(services, one)),

  create: async (services, body) => String(await createPerson(services, readPerson(body))),

  /** A role that the provider does not name stays: Okta names none. */
  async replace(services, seen, body) {
    const person = readPerson(body)
    await changePerson(services, seen, person, { ...person, fullName: nameFrom(person) })
  },

  /** Changes of the account that the operations do not ask for are left to others who write at the same time. */
  async patch(services, seen, body) {
    const before = viewUser(services, seen)
    const after = applyPatch(before, body, PERSON_SHAPES)
    const [former, person] = [readPerson(before), readPerson(after)]
    const isFollowing =
      former.email === former.userName && person.email === former.email && isEmailAddress(person.userName)
    const email = isFollowing ? person.userName : person.email
    const fullName = nameFrom(person)
    const role = person.role ?? (former.role === undefined ? undefined : ROLES.member)
    await changePerson(services, seen, person, {
      email: email === former.email ? undefined : email,
      fullName: fullName === nameFrom(former) ? undefined : fullName,
      isActive: person.isActive === former.isActive ? undefined : person.isActive,
      role: role === former.role ? undefined : role,
    })
  },

  remove: removePerson,
}

/** The accounts with a value; undefined if that would take a look at everyone. */
async function findByAttribute(
  { sql, state }: Services,
  path: string,
  value: string,
): Promise<readonly UserId[] | undefined> {
  const byEmail = () => {
    const user = isEmailAddress(value) ? state.findUserByEmail(value) : undefined
    return user ? [user.id] : []
  }
  switch (path) {
    case 'id':
      return [readId(value) as UserId]
    case 'externalid':
      return findScimUsers(sql, { externalId: value })
    case 'username':
      return [...new Set([...byEmail(), ...(await findScimUsers(sql, { userKey: userKeyOf(value) }))])]
    case 'emails':
    case 'emails.value':
      return byEmail()
    case 'displayname': {
      const name = foldCase(toFullName(value) ?? '')
      return [...state.users.values()].filter((user) => foldCase(user.fullName) === name).map(({ id }) => id)
    }
    default:
      return undefined
  }
}

function viewUser(services: Services, { user, stored: row }: SeenPerson): JsonObject {
  const { id, email, isActive, role, joinedAt } = user
  const { displayName, ...name } = namesOf(user, row)
  const [roleName] = Object.entries(ROLES).find(([, one]) => one === role) ?? []
  const attributes = {
    ...(row?.externalId == null ? {} : { externalId: row.externalId }),
    userName: row?.userName ?? email,
    ...(Object.keys(name).length === 0 ? {} : { name }),
    ...(displayName === undefined ? {} : { displayName }),
    active: isActive,
    emails: [{ value: email, type: 'work', primary: true }],
    // To be a member is to have no particular role.
    ...(role === ROLES.member ? {} : { roles: [{ value: roleName }] }),
  }
  const described = {
    type: 'User',
    schema: USER_SCHEMA,
    id,
    created: joinedAt,
    versioned: attributes,
  } as const
  return withMeta(services, described, attributes)
}

/** The parts of the name as the provider wrote them, unless the account has another name by now. */
function namesOf({ fullName, email }: User, row: ScimUser | undefined): ScimNames {
  const names = row?.names ?? {}
  if (row && (Object.keys(names).length === 0 || fullNameOf({ names, email }) === fullName)) return names
  return { ...names, displayName: fullName }
}
