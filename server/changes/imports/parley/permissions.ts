/** Permissions of an export of this server's kind. */

import { toFields } from '../fields.ts'
import type { ForeignPermissions, ForeignSetting } from '../records.ts'

/** Each is the id of a group, or an object with users and groups. `systemNames` has system groups by their ids. */
export function readPermissions(
  given: unknown,
  systemNames: ReadonlyMap<string, string>,
): ForeignPermissions {
  const nameOf = (id: unknown) => systemNames.get(String(id)) ?? String(id)
  const settings = Object.entries(toFields(given)).flatMap(([name, value]): [string, ForeignSetting][] => {
    if (typeof value === 'number') return [[name, { users: [], groups: [nameOf(value)] }]]
    const { direct_members: users, direct_subgroups: groups } = toFields(value)
    if (!Array.isArray(users) || !Array.isArray(groups)) return []
    return [[name, { users: users.map(String), groups: groups.map(nameOf) }]]
  })
  return new Map(settings)
}
