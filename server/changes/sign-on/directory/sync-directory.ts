/** Brings accounts up to the company's directory: names, addresses, roles, groups, and who has left. */

import { linkAccount, readLinksOf } from '../../../../db/accounts/login-links.ts'
import { decideAddressByDirectory, decideDeactivationBySync } from '../../../decisions/users/sync-account.ts'
import type { User } from '../../../domain/entities.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { Sending } from '../../sending.ts'
import { submitForServer } from '../../submit.ts'
import { updateByIdentity } from '../apply-identity.ts'
import type { DirectoryPerson } from './directory-people.ts'
import type { Directory, KnownPerson } from './directory.ts'

/** People who may leave at once without a word of the operator: a wrong setting looks like many who left. */
const LEAVING_SHARE_MAX = 0.1
/** The same in a small organization. */
const LEAVING_COUNT_MAX = 3

type SyncServices = Pick<Sending, 'sql' | 'state' | 'committer' | 'clock'> & {
  readonly onWarning: (message: string) => void
}

interface SyncRequest {
  /** Whether it only says what it would do. */
  readonly isDry: boolean
  /** Whether any number of people may have left. */
  readonly deactivatesMany: boolean
}

/** The result; users are named by their addresses before. */
export interface SyncResult {
  readonly is_dry: boolean
  /** People in the directory, and those of them with an account here. */
  readonly people: number
  readonly accounts: number
  /** Accounts that belong to an entry from now on. */
  readonly joined: readonly string[]
  readonly new_names: readonly string[]
  readonly new_addresses: readonly string[]
  /** Accounts whose new address belongs to another account. */
  readonly taken_addresses: readonly string[]
  readonly deactivated: readonly string[]
  /** People who left, but stay active: too many at once, or the last owner. */
  readonly kept_active: readonly string[]
}

interface Lists {
  readonly joined: string[]
  readonly newNames: string[]
  readonly newAddresses: string[]
  readonly takenAddresses: string[]
}

/** Runs a sync. Accounts are neither made nor reactivated: the first happens at a log-in, the second is for people to do. */
export async function syncDirectory(
  services: SyncServices,
  directory: Directory,
  request: SyncRequest,
): Promise<SyncResult> {
  const { sql, state } = services
  const links = await readLinksOf(sql, directory.issuer)
  const linkedIds = new Set(links.values())
  const accountOf = (person: DirectoryPerson) => findAccountOf(services, { links, linkedIds }, person)
  const people = await directory.readPeople((person) => accountOf(person) !== undefined)
  const lists: Lists = { joined: [], newNames: [], newAddresses: [], takenAddresses: [] }
  const running = { isDry: request.isDry, lists }
  let accounts = 0
  for (const person of people) {
    const user = accountOf(person)
    if (!user) continue
    accounts++
    await syncPerson(services, directory, { person, user, isLinked: links.has(person.subject) }, running)
  }
  const present = new Set(people.map(({ subject }) => subject))
  const linked = [...links].filter(([, id]) => state.getUser(id).isActive)
  const gone = linked.filter(([subject]) => !present.has(subject)).map(([, id]) => id)
  const leaving = await endAccounts(services, gone, {
    ...request,
    isEmpty: people.length === 0,
    linked: linked.length,
  })
  return {
    is_dry: request.isDry,
    people: people.length,
    accounts,
    joined: lists.joined,
    new_names: lists.newNames,
    new_addresses: lists.newAddresses,
    taken_addresses: lists.takenAddresses,
    ...leaving,
  }
}

/** The active account of an entry, or the one that it would join. */
function findAccountOf(
  { state }: SyncServices,
  {
    links,
    linkedIds,
  }: { readonly links: ReadonlyMap<string, UserId>; readonly linkedIds: ReadonlySet<UserId> },
  { subject, emails }: DirectoryPerson,
): User | undefined {
  const linkedId = links.get(subject)
  const user =
    linkedId === undefined
      ? emails.map((email) => state.findUserByEmail(email)).find((one) => one && !linkedIds.has(one.id))
      : state.getUser(linkedId)
  return user?.isActive && user.botType === null && !user.isSystem ? user : undefined
}

interface Synced {
  readonly person: KnownPerson
  readonly user: User
  readonly isLinked: boolean
}

interface Running {
  readonly isDry: boolean
  readonly lists: Lists
}

async function syncPerson(
  services: SyncServices,
  { issuer, settings: { groupRules } }: Directory,
  { person, user, isLinked }: Synced,
  { isDry, lists }: Running,
): Promise<void> {
  const { sql, state, clock } = services
  const { id, email: former, fullName } = user
  if (!isLinked) {
    if (!isDry) {
      const ownerId = await linkAccount(sql, { issuer, subject: person.subject }, id, clock.nowMs())
      if (ownerId !== id) return // A log-in was faster.
    }
    lists.joined.push(former)
  }
  const isSame = person.emails.some((email) => email.toLowerCase() === former.toLowerCase())
  const [email] = isSame ? [] : person.emails
  if (email !== undefined) {
    const isTaken = isDry
      ? state.findUserByEmail(email) !== undefined
      : !(await submitForServer(services, (scope) => decideAddressByDirectory(scope, { userId: id, email })))
    ;(isTaken ? lists.takenAddresses : lists.newAddresses).push(former)
  }
  if (isDry) {
    if (person.fullName !== undefined && person.fullName !== fullName) lists.newNames.push(former)
    return
  }
  await updateByIdentity(services, id, person, { groupRules, updatesName: true })
  if (state.getUser(id).fullName !== fullName) lists.newNames.push(former)
}

async function endAccounts(
  services: SyncServices,
  gone: readonly UserId[],
  {
    isDry,
    deactivatesMany,
    isEmpty,
    linked,
  }: SyncRequest & { readonly isEmpty: boolean; readonly linked: number },
): Promise<Pick<SyncResult, 'deactivated' | 'kept_active'>> {
  const { state } = services
  const countMax = Math.max(LEAVING_COUNT_MAX, Math.floor(linked * LEAVING_SHARE_MAX))
  const emailOf = (id: UserId) => state.getUser(id).email
  // A directory without anybody is a wrong setting, whatever the operator allows.
  if (isEmpty || (gone.length > countMax && !deactivatesMany))
    return { deactivated: [], kept_active: gone.map(emailOf) }
  const deactivated: string[] = []
  const kept: string[] = []
  for (const id of gone) {
    const isDone = isDry || (await submitForServer(services, (scope) => decideDeactivationBySync(scope, id)))
    ;(isDone ? deactivated : kept).push(emailOf(id))
  }
  return { deactivated, kept_active: kept }
}
