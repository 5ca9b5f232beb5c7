/** Makes and changes the accounts of people whom the company's provider of identities writes by SCIM. */

import { isDeepStrictEqual } from 'node:util'
import { readScimUsers, type StoredScimUser } from '../../../db/accounts/scim-users.ts'
import { isUniqueViolation } from '../../../db/connection/connect.ts'
import type { Decision } from '../../decisions/decision.ts'
import type { ServerScope } from '../../decisions/scope.ts'
import {
  decideProvisionedAccount,
  decideProvisionedUser,
  freeName,
  type ProvisionedUserRequest,
} from '../../decisions/users/provision-user.ts'
import { ROLES, type User } from '../../domain/entities.ts'
import type { UserId } from '../../domain/ids.ts'
import {
  fullNameOf,
  type Rewritten,
  type ScimPerson,
  type ScimUser,
  userKeyOf,
} from '../../domain/scim/people.ts'
import { refuse, ScimError, StaleScimError } from '../../domain/scim/scim-error.ts'
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
 * role; answers its user. Throws a `ScimError`, a `StaleScimError` or an error of the API.
 */
export async function createPerson(services: Provisioning, person: ScimPerson): Promise<UserId> {
  const { state } = services
  const { email, isActive, role = ROLES.member } = person
  if (email === undefined)
    throw refuse('invalidValue', 'An account needs an address, in emails or as the userName.')
  const gone = await findGone(services, person, email)
  if (gone) {
    await changePerson(services, gone, person, { ...person, fullName: nameFrom(person), role })
    return gone.user.id
  }
  const fullName = fullNameOf(person)
  const free = freeName(services, fullName) ?? fullName
  const account = await prepareAccountByProvider(services, { email, fullName: free, role }, fail)
  const request = { account, fullName, isActive, person: rowOf(person) }
  const { id } = await submitPerson(services, person, (scope) =>
    decideProvisionedAccount({ ...scope, fail }, request),
  )
  if (isActive) await greet(services, state.getUser(id), null)
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
): Promise<SeenPerson | undefined> {
  const { state } = services
  const { externalId } = person
  const holder = state.findUserByEmail(email)
  const rows = await readRows(services, person, holder?.id)
  if (holder && !(isPerson(holder) && rows.get(holder.id)?.isGone)) throw taken('emails', email)
  const key = userKeyOf(person.userName)
  const same = [...rows.values()].find(
    (row) => row.isGone && row.userKey === key && externalId !== undefined && row.externalId === externalId,
  )
  const gone = holder ?? (same && state.getUser(same.userId))
  checkUserName(services, person, gone?.id, rows)
  return gone && { user: gone, stored: rows.get(gone.id) }
}

/** A person as a request saw them: the account, and what was stored of them. */
export interface SeenPerson {
  readonly user: User
  readonly stored: StoredScimUser | undefined
}

/** Changes of an account; undefined keeps the present value. */
export type AccountChange = Omit<ProvisionedUserRequest, 'seen' | 'person'>

/**
 * Changes an account and what is stored of its person. Throws a `ScimError`, an error of the API, or a `StaleScimError` if one
 * of both is another one by now.
 */
export async function changePerson(
  services: Provisioning,
  { user: seen, stored }: SeenPerson,
  person: ScimPerson,
  { email, fullName, isActive, role }: AccountChange,
): Promise<void> {
  const rows = await readRows(services, person, seen.id)
  if (rows.get(seen.id)?.revision !== stored?.revision)
    throw new StaleScimError('the stored person has changed')
  checkUserName(services, person, seen.id, rows)
  const row = rewrite<ScimUser>(stored, rowOf(person))
  const request = { seen, email, fullName, isActive, role, person: row }
  await submitPerson(services, person, (scope) => decideProvisionedUser({ ...scope, fail }, request))
}

/** Deactivates an account whose person the provider has deleted. Throws a `StaleScimError` if it is another one by now. */
export async function removePerson(
  services: Provisioning,
  { user: seen, stored }: SeenPerson,
): Promise<void> {
  const { email } = seen
  const { userName, userKey, externalId, names } = stored ?? {
    userName: email,
    userKey: userKeyOf(email),
    externalId: null,
    names: {},
  }
  const person = rewrite<ScimUser>(stored, { userName, userKey, externalId, names, isGone: true })
  const request = { ...UNCHANGED, seen, isActive: false, person }
  await submitForServer(services, (scope) => decideProvisionedUser({ ...scope, fail }, request), BY_SCIM)
}

const UNCHANGED: AccountChange = {
  email: undefined,
  fullName: undefined,
  isActive: undefined,
  role: undefined,
}

/** The row to write in place of a stored one; undefined if it stays the same, so that repeated requests write nothing. */
export function rewrite<Row extends object>(
  stored: (Row & { readonly revision: string }) | undefined,
  row: Row,
): Rewritten<Row> | undefined {
  if (stored && isDeepStrictEqual({ ...stored, ...row }, stored)) return undefined
  return { revision: stored?.revision ?? null, row }
}

/** The name that an account gets; undefined if the provider names none. */
export function nameFrom(person: ScimPerson): string | undefined {
  return Object.keys(person.names).length === 0 ? undefined : fullNameOf(person)
}

/** Throws if the provider knows somebody else by the user name: as theirs, or as the address of an account. */
function checkUserName(
  { state }: Provisioning,
  { userName }: ScimPerson,
  ownId: UserId | undefined,
  rows: ReadonlyMap<UserId, StoredScimUser>,
): void {
  const key = userKeyOf(userName)
  const isTaken = [...rows.values()].some(
    ({ userId, userKey, isGone }) => userKey === key && userId !== ownId && !isGone,
  )
  const holder = isEmailAddress(userName) ? state.findUserByEmail(userName) : undefined
  const isAddress = holder && holder.id !== ownId && isPerson(holder) && !rows.has(holder.id)
  if (isTaken || isAddress) throw taken('userName', userName)
}

/** The rows of an account, and of people with the user name, as theirs or as the address of their account. */
function readRows(
  { sql, state }: Provisioning,
  { userName }: ScimPerson,
  userId: UserId | undefined,
): Promise<ReadonlyMap<UserId, StoredScimUser>> {
  const holder = isEmailAddress(userName) ? state.findUserByEmail(userName) : undefined
  const ids = [userId, holder?.id].filter((id) => id !== undefined)
  return readScimUsers(sql, ids, userKeyOf(userName))
}

function rowOf({ userName, externalId, names }: ScimPerson): ScimUser {
  return {
    userName,
    userKey: userKeyOf(userName),
    externalId: externalId ?? null,
    names,
    isGone: false,
  }
}

/** Submits a decision that writes a person; another process may have given the user name to somebody else meanwhile. */
function submitPerson<Result>(
  services: Provisioning,
  { userName }: ScimPerson,
  decide: (scope: ServerScope) => Decision<Result>,
): Promise<Result> {
  return submitForServer(services, decide, BY_SCIM).catch((error: unknown) => {
    throw isUniqueViolation(error) ? taken('userName', userName) : error
  })
}

function taken(attribute: string, value: string): ScimError {
  return new ScimError(409, `Another account has the ${attribute} ${value}.`, 'uniqueness')
}
