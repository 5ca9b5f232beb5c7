/** The groups of a person in the directory, with the groups that these are in, and so on. */

import type { Client, Filter } from 'ldapts'
import {
  commonParent,
  type DirectorySettings,
  normalizeName,
} from '../../../domain/accounts/directory-settings.ts'
import type { GroupRules } from '../../../domain/accounts/group-rules.ts'
import type { DirectoryPerson } from './directory-people.ts'

/** Asks for no attributes (RFC 4511, 4.5.1.8): a group may have thousands of members. */
export const NO_ATTRIBUTES = ['1.1']
/** Groups within groups that are followed: companies have three or four. */
const DEPTH_MAX = 10
/** Groups of a person: Active Directory logs nobody in with more than 1,010. */
const GROUPS_MAX = 1_000
/** Groups of an answer: larger ones come in pages. */
const PAGE_LENGTH = 500
/** Searches at once on a connection: OpenLDAP closes an anonymous one with more than 100 that wait. */
const SEARCHES_AT_ONCE = 20
/** Statuses of a place that does not exist, that another server has, or where this account may not search. */
const NOTHING_THERE: readonly number[] = [10, 32, 50]

/**
 * Finds groups by a search for those that name a member, in the part of the directory that has all people and all groups of the
 * rules: a group between them may be anywhere there. If there is no such part, the one with all groups of the rules is
 * searched. The answers are cached as long as the connection: a sync asks about each group once.
 */
export class GroupChains {
  /** Parts to search, the first that can be. */
  #bases: readonly string[]
  readonly #parents = new Map<string, Promise<readonly string[]>>()

  constructor({ groupRules, base }: DirectorySettings) {
    const groups = groupsOf(groupRules)
    const parts = [commonParent([...groups, `cn=anyone,${normalizeName(base)}`]), commonParent(groups)]
    this.#bases = groups.length === 0 ? [] : [...new Set(parts.filter((part) => part !== undefined))]
  }

  /** All groups of a person, by their normalized names; undefined if there are too many. */
  async groupsOf(client: Client, person: DirectoryPerson): Promise<ReadonlySet<string> | undefined> {
    const found = new Set([...person.memberOf, ...(await this.#search(client, person))])
    let level: readonly string[] = [...found]
    for (let depth = 1; depth <= DEPTH_MAX && level.length > 0; depth++) {
      if (found.size > GROUPS_MAX) return undefined
      const above = new Set<string>()
      for (let start = 0; start < level.length; start += SEARCHES_AT_ONCE) {
        const slice = level.slice(start, start + SEARCHES_AT_ONCE)
        const parents = await Promise.all(slice.map((group) => this.#parentsOf(client, group)))
        for (const group of parents.flat()) above.add(group)
      }
      // A group that was found before is followed already, also if groups are in each other.
      level = [...above].filter((group) => !found.has(group))
      for (const group of level) found.add(group)
    }
    return found.size > GROUPS_MAX ? undefined : found
  }

  #parentsOf(client: Client, group: string): Promise<readonly string[]> {
    const known = this.#parents.get(group)
    if (known) return known
    const asked = this.#search(client, { dn: group, uids: [] })
    this.#parents.set(group, asked)
    return asked
  }

  async #search(client: Client, member: Pick<DirectoryPerson, 'dn' | 'uids'>): Promise<readonly string[]> {
    for (const base of this.#bases) {
      const found = await this.#searchUnder(client, base, member)
      if (found) return found
      this.#bases = this.#bases.filter((one) => one !== base)
    }
    return []
  }

  /** The groups in a part of the directory; undefined if it cannot be searched. */
  async #searchUnder(
    client: Client,
    base: string,
    member: Pick<DirectoryPerson, 'dn' | 'uids'>,
  ): Promise<readonly string[] | undefined> {
    const { ResultCodeError } = await import('ldapts')
    const groups: string[] = []
    try {
      for await (const { searchEntries } of client.searchPaginated(base, {
        filter: await filterForMember(member),
        attributes: NO_ATTRIBUTES,
        paged: { pageSize: PAGE_LENGTH },
      })) {
        groups.push(...searchEntries.map(({ dn }) => normalizeName(dn)))
        if (groups.length > GROUPS_MAX) break
      }
    } catch (error) {
      if (!(error instanceof ResultCodeError) || !NOTHING_THERE.includes(error.code)) throw error
      return undefined
    }
    return groups
  }
}

/** The names of the groups that have a meaning. */
export function groupsOf({ roles, userGroups }: GroupRules): readonly string[] {
  return [...new Set([...roles.keys(), ...userGroups.keys()])]
}

/** The filter for groups that name a member: by its name, or as Unix does by a short one. */
export async function filterForMember({ dn, uids }: Pick<DirectoryPerson, 'dn' | 'uids'>): Promise<Filter> {
  const { EqualityFilter, OrFilter } = await import('ldapts')
  const names = [
    ...['member', 'uniqueMember'].map((attribute) => new EqualityFilter({ attribute, value: dn })),
    ...uids.map((value) => new EqualityFilter({ attribute: 'memberUid', value })),
  ]
  return new OrFilter({ filters: names })
}
