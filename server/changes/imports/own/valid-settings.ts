/** Settings of another server, of which any may be missing, unknown or invalid here. */

import { SERVER_URL_LENGTH_MAX } from '../../../domain/limits.ts'
import { isWebAddress } from '../../../domain/organization/profile-fields.ts'
import type { Setting } from '../../../domain/settings/setting-kinds.ts'
import { languageName } from '../../../domain/users/user-settings.ts'
import { countCodePoints } from '../../../../packages/rules/count-code-points.ts'
import { snakeCase } from '../../../views/snake-case.ts'
import { type Fields, toText } from '../fields.ts'

/** The values that the settings of a table may have, by their names here. */
export function readValidSettings<Name extends string>(
  table: Readonly<Record<Name, Setting<unknown>>>,
  given: Fields,
): [name: Name, value: unknown][] {
  return (Object.keys(table) as Name[]).flatMap((name): [Name, unknown][] => {
    const value = given[snakeCase(name)]
    return value !== undefined && isValid(table[name], value) ? [[name, value]] : []
  })
}

function isValid(setting: Setting<unknown>, value: unknown): boolean {
  switch (setting.kind) {
    case 'flag':
      return typeof value === 'boolean'
    case 'number':
      return Number.isInteger(value) && Number(value) >= setting.min && Number(value) <= setting.max
    case 'choice':
      return setting.options.includes(value)
    case 'language':
      return typeof value === 'string' && languageName(value) !== undefined
    case 'text':
      return isText(value, setting.lengthMax)
    case 'formed':
      return isText(value, setting.lengthMax) && setting.isValid(value)
    case 'server':
      return value === null || (isText(value, SERVER_URL_LENGTH_MAX) && isWebAddress(value))
  }
}

function isText(value: unknown, lengthMax: number): value is string {
  return typeof value === 'string' && value === toText(value) && countCodePoints(value) <= lengthMax
}
