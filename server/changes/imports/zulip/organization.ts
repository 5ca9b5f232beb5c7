/** The organization itself in Zulip's tables. */

import { type Fields, toText } from '../fields.ts'
import type { ForeignOrganization } from '../records.ts'
import type { Groups } from './groups.ts'
import { idOf, parseField } from './rows.ts'
import { organizationSettingsOf, userSettingsOf } from './settings.ts'

export class Organization {
  #row: Fields = {}
  readonly #linkifiers: { readonly order: number; readonly fields: Fields }[] = []
  readonly #playgrounds: Fields[] = []
  readonly #emailDomains: Fields[] = []
  readonly #defaultChannels: string[] = []
  #defaults: Fields = {}

  /** Notes a row, if it is of the organization. */
  note(table: string, row: Fields): void {
    switch (table) {
      case 'zerver_realm':
        this.#row = row
        return
      case 'zerver_realmfilter': {
        const templates = parseField(row['alternative_url_templates'])
        const fields = { ...row, alternative_url_templates: templates }
        this.#linkifiers.push({ order: Number(row['order']) || 0, fields })
        return
      }
      case 'zerver_realmplayground':
        this.#playgrounds.push({ ...row, language: row['pygments_language'] })
        return
      case 'zerver_realmdomain':
        this.#emailDomains.push({ domain: row['domain'], allows_subdomains: row['allow_subdomains'] })
        return
      case 'zerver_defaultstream': {
        const channel = idOf(row['stream'])
        if (channel !== undefined) this.#defaultChannels.push(channel)
        return
      }
      case 'zerver_realmuserdefault':
        this.#defaults = userSettingsOf(row)
    }
  }

  /** Once all rows are noted. */
  read(groups: Groups): ForeignOrganization {
    const row = this.#row
    const settings = organizationSettingsOf(row)
    return {
      fields: { name: toText(row['name']), description: toText(row['description']) },
      settings,
      permissions: groups.permissionsOf(row),
      linkifiers: this.#linkifiers.sort((one, other) => one.order - other.order).map(({ fields }) => fields),
      playgrounds: this.#playgrounds,
      emailDomains: this.#emailDomains,
      defaultUserSettings: this.#defaults,
      defaultChannels: this.#defaultChannels,
    }
  }
}
