/** Own settings. */

import { isTimeZone } from '../../../../packages/rules/silence.ts'
import { languageName, USER_SETTINGS, type UserSettingChange } from '../../../domain/users/user-settings.ts'
import { SERVER_URL_LENGTH_MAX } from '../../../domain/limits.ts'
import { isWebAddress } from '../../../domain/organization/profile-fields.ts'
import type { Setting } from '../../../domain/settings/setting-kinds.ts'
import { SETTINGS_BY_WIRE_NAME } from '../../../views/setting-names.ts'
import { fail } from '../../../errors/api-error.ts'
import { oneOfValues } from '../../one-of-values.ts'
import {
  boolean,
  integer,
  looseJson,
  optional,
  type Param,
  text,
  type Type,
  type ValuesOf,
} from '../../params.ts'
import { TooManyAddressMailsError } from '../../../../db/accounts/address-changes.ts'
import { findDeviceIds } from '../../../../db/personal/push-devices.ts'
import { removePushTokensOf } from '../../../../db/personal/push-tokens.ts'
import { StalePasswordError } from '../../../../db/accounts/users.ts'
import { CREDENTIAL_ERRORS, readCredentials } from '../../../changes/users/read-credentials.ts'
import { keyTurn } from '../../../changes/users/replace-api-keys.ts'
import { checkFullName, FULL_NAME_ERRORS } from '../../../decisions/users/check-names.ts'
import { decideSettings, UPDATE_SETTINGS_ERRORS } from '../../../decisions/users/update-settings.ts'
import { openRenewed, ownRenewal } from '../../log-in-session.ts'
import { isFresh } from '../../prove-caller.ts'
import { change } from '../../change-operation.ts'
import { CREDENTIAL_PARAMS, FULL_NAME_MEANING, fullNameType } from './account-params.ts'
import type { Operation } from '../../operation.ts'

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
    case 'formed':
      return known(setting.isValid, text({ lengthMax: setting.lengthMax, trim: true }))
    case 'server':
      return serverType
  }
}

/** The address of another server, which some clients quote; empty or `default` for null. */
const serverType: Type<string | null> = looseJson({
  isText: false,
  schema: { type: 'string', maxLength: SERVER_URL_LENGTH_MAX },
  check(value, name) {
    const address = text({ lengthMax: SERVER_URL_LENGTH_MAX, trim: true }).check(value, name)
    if (address === '' || address === 'default') return null
    if (!isWebAddress(address)) throw fail('PARAMETER_INVALID', { message: `${name} is not a URL` })
    return address
  },
})

/** A text of which only some are valid. */
function known(
  isKnown: (value: string) => boolean,
  type = text({ lengthMax: CODE_LENGTH_MAX }),
): Type<string> {
  return {
    ...type,
    check(value, name) {
      const checked = type.check(value, name)
      if (!isKnown(checked)) throw fail('PARAMETER_INVALID', { message: `Invalid ${name}` })
      return checked
    },
  }
}

/** `PATCH /settings`: changes the caller's settings. */
export const updateSettings = change({
  method: 'PATCH',
  path: '/settings',
  summary: 'Update settings',
  description:
    'Changes the settings, name, time zone, email address and password of the caller. All of the changes ' +
    'apply, or none; unchanged values send no event. A new address or password requires the current password; ' +
    'without one, users who log in by a provider or a passkey must have done so within the last ten minutes. ' +
    'A new address gets a mail, and takes effect once its link is confirmed; API keys and event queues stay. ' +
    'A new password ends all other sessions of the caller; that of the request goes on with new cookies. It also ' +
    'ends API keys, except that of the request, and removes the devices for notifications, unless `keep_api_keys` ' +
    'is true.',
  access: 'user',
  passwordParam: 'old_password',
  params: {
    full_name: optional(fullNameType, FULL_NAME_MEANING),
    ...CREDENTIAL_PARAMS,
    ...settingParams,
  },
  reply: {},
  errors: [...FULL_NAME_ERRORS, ...UPDATE_SETTINGS_ERRORS, ...CREDENTIAL_ERRORS, 'TOO_MANY_ADDRESS_MAILS'],
  events: [
    'user_settings/update',
    'update_display_settings',
    'update_global_notifications',
    'realm_user/update',
    'realm_bot/update',
    'user_status',
    'login_sessions_changed',
    'password_set',
    'api_keys_changed',
    'device/remove',
  ],
  turn: ({ user }) => keyTurn(user.id),
  async prepare({ params, user, services, exchange, keyHash, fail }) {
    const { full_name: fullName } = params as { full_name: string | undefined }
    if (fullName !== undefined) checkFullName({ fail }, fullName)
    const settings = readSettings(params)
    const given = params as ValuesOf<typeof CREDENTIAL_PARAMS>
    const { email, password: secrets } = await readCredentials(
      services,
      user,
      {
        email: given.email,
        oldPassword: given.old_password,
        newPassword: given.new_password,
        isFresh: isFresh(services, exchange.session),
      },
      fail,
    )
    const endedKeys =
      secrets && !given.keep_api_keys
        ? { exceptHash: keyHash, deviceIds: await findDeviceIds(services.sql, user.id) }
        : undefined
    const password = secrets && { secrets, renewed: ownRenewal(exchange, user), endedKeys }
    return { fullName, email, settings, password }
  },
  decide: decideSettings,
  explain(error, { fail }) {
    if (error instanceof TooManyAddressMailsError) return fail('TOO_MANY_ADDRESS_MAILS')
    return error instanceof StalePasswordError ? fail('OWN_PASSWORD_WRONG') : undefined
  },
  async answer(_, { services, exchange, user }, { password }) {
    if (password?.endedKeys) await removePushTokensOf(services.sql, user.id)
    openRenewed(services, exchange, password?.renewed)
    return {}
  },
})

/** `PATCH /settings/notifications` and `PATCH /settings/display`: the paths of older clients for settings. */
export const updateNotificationSettings = olderSettings('/settings/notifications')
export const updateDisplaySettings = olderSettings('/settings/display')

function olderSettings(path: string): Operation {
  return {
    method: 'PATCH',
    path,
    summary: `Update settings (${path})`,
    description: 'Same as `PATCH /settings`, for settings only.',
    access: 'user',
    isDeprecated: true,
    params: settingParams,
    reply: {},
    errors: [],
    events: updateSettings.events,
    run: (call) => updateSettings.run(call),
  }
}
