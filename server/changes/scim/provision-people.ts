/** Makes and changes the accounts of people whom the company's provider of identities writes by SCIM. */

import {
  findScimUsers,
  readScimUsers,
  type ScimUser,
  storeScimUser,
} from '../../../db/accounts/scim-users.ts'
import { isUniqueViolation } from '../../../db/connection/connect.ts'
import {
  decideProvisionedAccount,
  decideProvisionedUser,
  freeName,
  type ProvisionedUserRequest,
} from '../../decisions/users/provision-user.ts'
import { ROLES, type User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import { fullNameOf, type ScimPerson, userKeyOf } from '../../domain/scim/people.ts'
import { refuse, ScimError } from '../../domain/scim/scim-error.ts'
import { SCIM_ACTOR } from '../../domain/users/audit.ts'
import { isEmailAddress } from '../../domain/users/email-addresses.ts'
import { fail } from '../../errors/api-error.ts'
import { greet } from '../invitations/join-by-invitation.ts'
import type { Sending } from '../sending.ts'
import { submitForServer } from '../submit.ts'
import { prepareAccountByProvider } from '../users/prepare-account.ts'

/** The services that write accounts. */
export type Provisioning = Sending

/** The actor of these changes, for the audit log. */
export const BY_SCIM = { actorId: SCIM_ACTOR } as const

/** Whether a user can be a person of the provider: bots and users of the server are none. */
export function isPerson({ botType, isSystem }: User): boolean {
  return botType === null && !isSystem
}

/**
 * Makes an account, or brings back the one of a person whom the provider had deleted, as a member unless the provider names a
 * role; answers its user. Throws a `ScimError` or an error of the API.
 */
export async function createPerson(services: Provisioning, person: ScimPerson): Promise<UserId> {
  const { state } = services
  const { email, role, isActive } = person
  if (email === undefined)
    throw refuse('invalidValue', 'An account needs an address, in emails or as the userName.')
  const gone = await findGone(services, person, email)
  if (gone) {
    const change = { ...person, fullName: nameFrom(person), role: role ?? ROLES.member }
    await changePerson(services, gone.id, person, change)
    return gone.id
  }
  const fullName = freeName(services, fullNameOf(person)) ?? fullNameOf(person)
  const wanted = { email, fullName, role: role ?? ROLES.member }
  const account = await prepareAccountByProvider(services, wanted, fail)
  const { id } = await submitForServer(
    services,
    (scope) => decideProvisionedAccount({ ...scope, fail }, account),
    BY_SCIM,
  )
  await storePerson(services, id, person)
  if (isActive) await greet(services, state.getUser(id), null)
  else
    await changeAccount(services, {
      userId: id,
      email: undefined,
      fullName: undefined,
      isActive,
      role: undefined,
    })
  return id
}

/**
 * The account of a person whom the provider had deleted, by the address. Under another address the user name and the external
 * id must both be theirs: companies give a free user name to somebody else. Throws if another account has the address or
 * the user name.
 */
async function findGone(
  services: Provisioning,
  person: ScimPerson,
  email: string,
): Promise<User | undefined> {
  const { sql, state } = services
  const { userName, externalId } = person
  const holder = state.findUserByEmail(email)
  const named = await findScimUsers(sql, { userKey: userKeyOf(userName) })
  const rows = await readScimUsers(sql, holder ? [...named, holder.id] : named)
  if (holder && !(isPerson(holder) && rows.get(holder.id)?.isGone)) throw taken('emails', email)
  const same = [...rows.values()].find(
    (row) => row.isGone && externalId !== undefined && row.externalId === externalId,
  )
  const gone = holder ?? (same && state.getUser(same.userId))
  await checkUserName(services, person, gone?.id)
  return gone
}

/** Changes of an account; undefined keeps the present value. */
export type AccountChange = Omit<ProvisionedUserRequest, 'userId'>

/** Changes an account and what is stored of its person. Throws a `ScimError` or an error of the API. */
export async function changePerson(
  services: Provisioning,
  userId: UserId,
  person: ScimPerson,
  { email, fullName, isActive, role }: AccountChange,
): Promise<void> {
  await checkUserName(services, person, userId)
  await changeAccount(services, { userId, email, fullName, isActive, role })
  await storePerson(services, userId, person)
}

/** Deactivates an account whose person the provider has deleted. */
export async function removePerson(services: Provisioning, userId: UserId): Promise<void> {
  const { sql, state } = services
  await changeAccount(services, {
    userId,
    email: undefined,
    fullName: undefined,
    isActive: false,
    role: undefined,
  })
  const { email } = state.getUser(userId)
  const row = (await readScimUsers(sql, [userId])).get(userId)
  const person: Omit<ScimUser, 'isGone'> = row ?? {
    userId,
    userName: email,
    userKey: userKeyOf(email),
    externalId: null,
    names: {},
  }
  await storeScimUser(sql, { ...person, isGone: true })
}

/** The name that an account gets; undefined if the provider names none. */
export function nameFrom(person: ScimPerson): string | undefined {
  return Object.keys(person.names).length === 0 ? undefined : fullNameOf(person)
}

async function changeAccount(services: Provisioning, request: ProvisionedUserRequest): Promise<void> {
  await submitForServer(services, (scope) => decideProvisionedUser({ ...scope, fail }, request), BY_SCIM)
}

/** Throws if the provider knows somebody else by the user name: as theirs, or as the address of an account. */
async function checkUserName(
  { sql, state }: Provisioning,
  { userName }: ScimPerson,
  ownId: UserId | undefined,
): Promise<void> {
  const ids = await findScimUsers(sql, { userKey: userKeyOf(userName) })
  const rows = await readScimUsers(sql, ids)
  if ([...rows.values()].some(({ userId, isGone }) => userId !== ownId && !isGone))
    throw taken('userName', userName)
  const holder = isEmailAddress(userName) ? state.findUserByEmail(userName) : undefined
  if (!holder || holder.id === ownId || !isPerson(holder)) return
  if (!(await readScimUsers(sql, [holder.id])).has(holder.id)) throw taken('userName', userName)
}

async function storePerson(
  { sql }: Provisioning,
  userId: UserId,
  { userName, externalId, names }: ScimPerson,
): Promise<void> {
  const userKey = userKeyOf(userName)
  const row: ScimUser = { userId, userName, userKey, externalId: externalId ?? null, names, isGone: false }
  await storeScimUser(sql, row).catch((error: unknown) => {
    throw isUniqueViolation(error) ? taken('userName', userName) : error
  })
}

function taken(attribute: string, value: string): ScimError {
  return new ScimError(409, `Another account has the ${attribute} ${value}.`, 'uniqueness')
}
