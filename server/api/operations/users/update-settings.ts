/** `PATCH /settings`: changes the caller's settings. */

import { TooManyAddressMailsError } from '../../../../db/accounts/address-changes.ts'
import { findDeviceIds } from '../../../../db/personal/push-devices.ts'
import { removePushTokensOf } from '../../../../db/personal/push-tokens.ts'
import { StalePasswordError } from '../../../../db/accounts/users.ts'
import { CREDENTIAL_ERRORS, readCredentials } from '../../../changes/users/read-credentials.ts'
import { keyTurn } from '../../../changes/users/replace-api-keys.ts'
import { checkFullName, FULL_NAME_ERRORS } from '../../../decisions/users/check-full-name.ts'
import { decideSettings, UPDATE_SETTINGS_ERRORS } from '../../../decisions/users/update-settings.ts'
import { openRenewed, ownRenewal } from '../../log-in-session.ts'
import { isFresh } from '../../prove-caller.ts'
import { change } from '../../change-operation.ts'
import { optional, type ValuesOf } from '../../params.ts'
import { CREDENTIAL_PARAMS } from './credential-params.ts'
import { FULL_NAME_MEANING, fullNameType } from './full-name-param.ts'
import { readSettings, settingParams } from './setting-params.ts'

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
  async prepare({ params, user, services, visit, keyHash, fail }) {
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
        isFresh: isFresh(services, visit.session),
      },
      fail,
    )
    const endedKeys =
      secrets && !given.keep_api_keys
        ? { exceptHash: keyHash, deviceIds: await findDeviceIds(services.sql, user.id) }
        : undefined
    const password = secrets && { secrets, renewed: ownRenewal(visit, user), endedKeys }
    return { fullName, email, settings, password }
  },
  decide: decideSettings,
  explain(error, { fail }) {
    if (error instanceof TooManyAddressMailsError) return fail('TOO_MANY_ADDRESS_MAILS')
    return error instanceof StalePasswordError ? fail('OWN_PASSWORD_WRONG') : undefined
  },
  async answer(_, { services, visit, user }, { password }) {
    if (password?.endedKeys) await removePushTokensOf(services.sql, user.id)
    openRenewed(services, visit, password?.renewed)
    return {}
  },
})
