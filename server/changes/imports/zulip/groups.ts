/**
 * Groups of people in Zulip's tables, and permissions, each of which is a group: one with a name, or one without that only
 * lists its holders.
 */

import { type Fields, toPositive, toText } from '../fields.ts'
import type { ForeignGroup, ForeignPermissions, ForeignSetting } from '../records.ts'
import { idOf, RowsOf } from './rows.ts'

/** Older versions have the names in the first one. */
const GROUPS = new Set(['zerver_usergroup', 'zerver_namedusergroup'])

export class Groups {
  /** Rows with a name, by their ids. */
  readonly #named = new Map<string, Fields>()
  readonly #members = new RowsOf<string>()
  readonly #subgroups = new RowsOf<string>()

  /** Notes a row, if it is of groups. */
  note(table: string, fields: Fields): void {
    const id = idOf(fields['usergroup_ptr']) ?? idOf(fields['id'])
    if (GROUPS.has(table) && id !== undefined && toText(fields['name']) !== '') this.#named.set(id, fields)
    if (table === 'zerver_usergroupmembership')
      this.#members.add(idOf(fields['user_group']), idOf(fields['user_profile']))
    if (table === 'zerver_groupgroupmembership')
      this.#subgroups.add(idOf(fields['supergroup']), idOf(fields['subgroup']))
  }

  /** The groups that people made; those of the server follow from roles. */
  *made(): Generator<ForeignGroup> {
    for (const [id, fields] of this.#named) {
      if (fields['is_system_group'] === true) continue
      yield {
        id,
        name: toText(fields['name']),
        description: toText(fields['description']),
        members: this.#members.of(id),
        subgroups: this.#subgroups.of(id).map((one) => this.#nameOf(one)),
        creator: idOf(fields['creator']),
        createdAt: toPositive(fields['date_created']),
        permissions: this.permissionsOf(fields),
        isDeactivated: fields['deactivated'] === true,
      }
    }
  }

  /** The permissions that a row has, by the names of the API. */
  permissionsOf(row: Fields): ForeignPermissions {
    const names = Object.keys(row).filter((name) => name.startsWith('can_') || name.endsWith('_group'))
    return new Map(
      names.flatMap((name): [string, ForeignSetting][] => {
        const id = idOf(row[name])
        if (id === undefined) return []
        if (this.#named.has(id)) return [[name, { users: [], groups: [this.#nameOf(id)] }]]
        const groups = this.#subgroups.of(id).map((one) => this.#nameOf(one))
        return [[name, { users: this.#members.of(id), groups }]]
      }),
    )
  }

  /** Groups of the server have the same names everywhere. */
  #nameOf(id: string): string {
    const group = this.#named.get(id)
    return group?.['is_system_group'] === true ? toText(group['name']) : id
  }
}
