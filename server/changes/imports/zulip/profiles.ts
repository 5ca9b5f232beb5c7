/** Profile fields of Zulip's tables, and what people filled in there. */

import { type Fields, toFields, toText } from '../fields.ts'
import type { ForeignProfileField } from '../records.ts'
import { idOf, parseField } from './rows.ts'

const FIELDS = 'zerver_customprofilefield'
const VALUES = 'zerver_customprofilefieldvalue'

export class Profiles {
  readonly #fields: { readonly order: number; readonly field: ForeignProfileField }[] = []
  /** By users. */
  readonly #values = new Map<string, Map<string, string>>()

  /** Notes a row, if it is of profiles. */
  note(table: string, row: Fields): void {
    if (table === FIELDS) this.#noteField(row)
    const [user, field] = [idOf(row['user_profile']), idOf(row['field'])]
    if (table === VALUES && user !== undefined && field !== undefined)
      this.of(user).set(field, toText(row['value']))
  }

  /** The values of a person; those that are noted later appear there, too. */
  of(user: string): Map<string, string> {
    const known = this.#values.get(user) ?? new Map<string, string>()
    this.#values.set(user, known)
    return known
  }

  /** In the order in which profiles show them. */
  fields(): ForeignProfileField[] {
    return this.#fields.sort((one, other) => one.order - other.order).map(({ field }) => field)
  }

  #noteField(row: Fields): void {
    const id = idOf(row['id'])
    if (id === undefined) return
    this.#fields.push({
      order: Number(row['order']) || 0,
      field: {
        id,
        type: Number(row['field_type']),
        name: toText(row['name']),
        hint: toText(row['hint']),
        data: toFields(parseField(row['field_data'])),
        isInSummary: row['display_in_profile_summary'] === true,
        isRequired: row['required'] === true,
        isEditable: row['editable_by_user'] !== false,
      },
    })
  }
}
