/** The parameters of users' settings, from the table of settings. */

import {
  isTimeZone,
  languageName,
  USER_SETTINGS,
  type UserSettingChange,
} from '../../../domain/users/user-settings.ts'
import { SERVER_URL_LENGTH_MAX } from '../../../domain/limits.ts'
import { isWebAddress } from '../../../domain/organization/profile-fields.ts'
import type { Setting } from '../../../domain/settings/setting-kinds.ts'
import { SETTINGS_BY_WIRE_NAME } from '../../../views/setting-names.ts'
import { fail } from '../../../errors/api-error.ts'
import { oneOfValues } from '../../one-of-values.ts'
import { boolean, integer, optional, type Param, text, type Type } from '../../params.ts'

/** Longer than any language code or name of a time zone. */
const CODE_LENGTH_MAX = 100

/** One parameter per setting, and the time zone. */
export const settingParams: Readonly<Record<string, Param<unknown>>> = {
  ...Object.fromEntries(
    [...SETTINGS_BY_WIRE_NAME].map(([wireName, name]) => [
      wireName,
      optional(typeOfSetting(USER_SETTINGS[name]), USER_SETTINGS[name].meaning),
    ]),
  ),
  timezone: optional(known(isTimeZone), 'An IANA time zone, such as `Europe/Berlin`.'),
}

/** The requested changes, in the order of the table. */
export function readSettings(params: Readonly<Record<string, unknown>>): UserSettingChange[] {
  const names = new Map<string, UserSettingChange['name']>([
    ...SETTINGS_BY_WIRE_NAME,
    ['timezone', 'timezone'],
  ])
  return [...names]
    .filter(([wireName]) => params[wireName] !== undefined)
    .map(([wireName, name]) => ({ name, value: params[wireName] }) as UserSettingChange)
}

/** The type of a setting's parameter. */
export function typeOfSetting(setting: Setting<unknown>): Type<unknown> {
  switch (setting.kind) {
    case 'flag':
      return boolean()
    case 'number':
      return integer(setting)
    case 'language':
      return known((code) => languageName(code) !== undefined)
    case 'choice':
      return oneOfValues(setting.options as readonly (string | number)[])
    case 'text':
      return text({ lengthMax: setting.lengthMax, trim: true })
    case 'server':
      return serverType
  }
}

/** The address of another server; empty or `default` for null. */
const serverType: Type<string | null> = {
  isText: true,
  schema: { type: 'string', maxLength: SERVER_URL_LENGTH_MAX },
  check(value, name) {
    const address = text({ lengthMax: SERVER_URL_LENGTH_MAX, trim: true }).check(value, name)
    if (address === '' || address === 'default') return null
    if (!isWebAddress(address)) throw fail('PARAMETER_INVALID', { message: `${name} is not a URL` })
    return address
  },
}

/** A non-empty text. */
function known(isKnown: (value: string) => boolean): Type<string> {
  const type = text({ lengthMax: CODE_LENGTH_MAX })
  return {
    ...type,
    check(value, name) {
      const checked = type.check(value, name)
      if (!isKnown(checked)) throw fail('PARAMETER_INVALID', { message: `Invalid ${name}` })
      return checked
    },
  }
}
