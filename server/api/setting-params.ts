/** The parameters by which users change their settings, from the table of settings. */

import {
  isTimeZone,
  languageName,
  USER_SETTINGS,
  type UserSettingChange,
  type UserSettingName,
} from '../domain/user-settings.ts'
import { SETTINGS_BY_WIRE_NAME } from '../views/settings-view.ts'
import { fail } from './errors.ts'
import { oneOfValues } from './one-of-values.ts'
import { boolean, integer, optional, type Param, text, type Type } from './params.ts'

/** Longer than any code of a language or name of a time zone. */
const CODE_LENGTH_MAX = 100

/** One parameter for each setting, and the time zone. */
export const settingParams: Readonly<Record<string, Param<unknown>>> = {
  ...Object.fromEntries(
    [...SETTINGS_BY_WIRE_NAME].map(([wireName, name]) => [
      wireName,
      optional(typeOf(name), USER_SETTINGS[name].meaning || 'A setting for clients to follow.'),
    ]),
  ),
  timezone: optional(known(isTimeZone), 'An IANA time zone, such as `Europe/Berlin`.'),
}

/** What is asked for, in the order of the table. */
export function readSettings(params: Readonly<Record<string, unknown>>): UserSettingChange[] {
  const names = new Map<string, UserSettingChange['name']>([
    ...SETTINGS_BY_WIRE_NAME,
    ['timezone', 'timezone'],
  ])
  return [...names]
    .filter(([wireName]) => params[wireName] !== undefined)
    .map(([wireName, name]) => ({ name, value: params[wireName] }) as UserSettingChange)
}

function typeOf(name: UserSettingName): Type<unknown> {
  const setting = USER_SETTINGS[name]
  switch (setting.kind) {
    case 'flag':
      return boolean()
    case 'number':
      return integer(setting)
    case 'language':
      return known((code) => languageName(code) !== undefined)
    case 'choice':
      return oneOfValues(setting.options as readonly (string | number)[])
  }
}

/** A text that names something. */
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
