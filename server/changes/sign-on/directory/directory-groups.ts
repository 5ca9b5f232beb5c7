/** The groups of a person in the directory, of those that have a meaning here. */

import type { Client, Filter } from 'ldapts'
import { type GroupRules, hasGroupRules } from '../../../domain/accounts/group-rules.ts'
import type { DirectorySettings } from '../../../domain/accounts/directory-settings.ts'
import type { DirectoryPerson } from './directory-people.ts'

/** Asks for no attributes (RFC 4511, 4.5.1.8): a group may have thousands of members. */
const NO_ATTRIBUTES = ['1.1']
const NO_SUCH_OBJECT = 32

/**
 * The groups of the rules that a person is in; undefined without rules. A directory may list groups with people, people
 * with groups, or both, so each group that the person does not name is asked for them.
 */
export async function readGroups(
  client: Client,
  { groupRules }: DirectorySettings,
  person: DirectoryPerson,
): Promise<readonly string[] | undefined> {
  if (!hasGroupRules(groupRules)) return undefined
  const groups = groupsOf(groupRules)
  const members = await Promise.all(
    groups.map(async (group) => person.memberOf.includes(group) || hasMember(client, group, person)),
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

function groupsOf({ roles, userGroups }: GroupRules): readonly string[] {
  return [...new Set([...roles.keys(), ...userGroups.keys()])]
}

async function hasMember(client: Client, group: string, { dn, uids }: DirectoryPerson): Promise<boolean> {
  const { EqualityFilter, OrFilter } = await import('ldapts')
  const names = [
    ...['member', 'uniqueMember'].map((attribute) => new EqualityFilter({ attribute, value: dn })),
    ...uids.map((value) => new EqualityFilter({ attribute: 'memberUid', value })),
  ]
  return matches(client, group, new OrFilter({ filters: names }))
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
