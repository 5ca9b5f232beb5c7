/** Counts in the report of a dry run which people would get an account, and who has one here. */

import { findImported, importKey } from '../../../db/imports/imported-ids.ts'
import type { NamesInto } from './channel-names.ts'
import { findAccount, hasFreeAddress } from './load-users.ts'
import type { ForeignSource, ForeignUser } from './records.ts'
import type { Report } from './report.ts'

/** Users whose keys are looked up together. */
const BATCH = 500

/** Returns the ids of all users of the lists. Without an organization nobody is here. */
export async function planPeople(
  { origin, lists }: ForeignSource,
  report: Report,
  into: NamesInto | undefined,
): Promise<Set<string>> {
  const users = [...lists.users.values()]
  const keyOf = ({ id }: ForeignUser) => importKey(origin, 'user', id)
  for (let start = 0; start < users.length; start += BATCH) {
    const batch = users.slice(start, start + BATCH)
    const known = into && (await findImported(into.sql, batch.map(keyOf)))
    for (const user of batch) {
      if (known?.has(keyOf(user))) report.users.already_imported++
      else planPerson(user, report, into)
    }
  }
  return new Set(users.map(({ id }) => id))
}

/** As `People` in load-users.ts brings one over. */
function planPerson(user: ForeignUser, { users, planned }: Report, into: NamesInto | undefined): void {
  const account = into && findAccount(into.state, user)
  if (user.isSystem || account) {
    users.matched++
    if (account && account.botType === null) planned.matched.push({ name: user.name, userId: account.id })
    return
  }
  users.created++
  const hasAddress = into ? hasFreeAddress(into.state, user) : user.email !== undefined
  if (user.kind === 'bot') users.bots++
  else if (!hasAddress) users.placeholders++
  else if (!user.isActive) users.deactivated++
}
