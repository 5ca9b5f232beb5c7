/** The groups of a person in the directory, of those that have a meaning here. */

import type { Client, Filter } from 'ldapts'
import { hasGroupRules } from '../../../domain/accounts/group-rules.ts'
import type { DirectorySettings } from '../../../domain/accounts/directory-settings.ts'
import type { DirectoryPerson } from './directory-people.ts'
import { filterForMember, type GroupChains, groupsOf, NO_ATTRIBUTES } from './group-chains.ts'

const NO_SUCH_OBJECT = 32

/**
 * The groups of the rules that a person is in, also by a group within them; undefined without rules, or if there are too many
 * groups to know. A directory may list groups with people, people with groups, or both, so each group that was not found
 * is asked for the person.
 */
export async function readGroups(
  client: Client,
  { groupRules }: DirectorySettings,
  person: DirectoryPerson,
  chains: GroupChains,
): Promise<readonly string[] | undefined> {
  if (!hasGroupRules(groupRules)) return undefined
  const found = await chains.groupsOf(client, person)
  if (!found) return undefined
  const groups = groupsOf(groupRules)
  const members = await Promise.all(
    groups.map(async (group) => found.has(group) || hasMember(client, group, person)),
  )
  return groups.filter((_, index) => members[index])
}

/** The groups of the rules that the directory does not have. */
export async function findMissingGroups(
  client: Client,
  { groupRules }: DirectorySettings,
): Promise<readonly string[]> {
  const { PresenceFilter } = await import('ldapts')
  const filter = new PresenceFilter({ attribute: 'objectClass' })
  const groups = groupsOf(groupRules)
  const isThere = await Promise.all(groups.map((group) => matches(client, group, filter)))
  return groups.filter((_, index) => !isThere[index])
}

async function hasMember(client: Client, group: string, person: DirectoryPerson): Promise<boolean> {
  return matches(client, group, await filterForMember(person))
}

/** Whether an entry exists and matches. */
async function matches(client: Client, name: string, filter: Filter): Promise<boolean> {
  const { ResultCodeError } = await import('ldapts')
  try {
    const { searchEntries } = await client.search(name, {
      scope: 'base',
      filter,
      attributes: NO_ATTRIBUTES,
    })
    return searchEntries.length > 0
  } catch (error) {
    if (error instanceof ResultCodeError && error.code === NO_SUCH_OBJECT) return false
    throw error
  }
}
