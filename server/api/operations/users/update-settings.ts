/** `PATCH /settings`: what users set for themselves. */

import { isAdministrator } from '../../../domain/channel-access.ts'
import type { EmailVisibility } from '../../../domain/email-addresses.ts'
import { changeSettings, tellOfAccount } from '../../../decisions/users/change-settings.ts'
import { changeEmail } from '../../../decisions/users/tell-emails.ts'
import { operation } from '../../operation.ts'
import { optional, type ValuesOf } from '../../params.ts'
import { readSettings, settingParams } from './setting-params.ts'
import { checkUniqueName } from '../../../decisions/users/check-unique-name.ts'
import { checkFullName, FULL_NAME_ERRORS, FULL_NAME_MEANING, fullNameType } from './full-name-param.ts'
import {
  checkNewEmail,
  CREDENTIAL_ERRORS,
  CREDENTIAL_PARAMS,
  readCredentials,
} from '../../users/own-credentials.ts'

export const updateSettings = operation({
  method: 'PATCH',
  path: '/settings',
  summary: 'Update settings',
  description:
    "Changes the caller's own settings, name, time zone, email address and password. All of it happens, or nothing; " +
    'what is as before is told to nobody. A new address or password needs the one that is; this server sends no email, ' +
    'so that a new address counts at once. API keys and event queues stay.',
  access: 'user',
  passwordParam: 'old_password',
  params: {
    full_name: optional(fullNameType, FULL_NAME_MEANING),
    ...CREDENTIAL_PARAMS,
    ...settingParams,
  },
  reply: {},
  errors: [...FULL_NAME_ERRORS, 'FULL_NAME_TAKEN', 'NAME_CHANGES_DISABLED', ...CREDENTIAL_ERRORS],
  events: [
    'user_settings/update',
    'update_display_settings',
    'update_global_notifications',
    'realm_user/update',
    'realm_bot/update',
    'user_status',
  ],
  async run({ params, user, services, fail }) {
    const { full_name: fullName } = params as { full_name: string | undefined }
    if (fullName !== undefined) checkFullName(fullName, fail)
    const changes = readSettings(params)
    const given = params as ValuesOf<typeof CREDENTIAL_PARAMS>
    const credentials = await readCredentials(given, user, services, fail)
    const { email } = credentials
    await services.committer.submit({
      kind: 'structure',
      decide(state) {
        const own = state.getUser(user.id)
        const events = changeSettings(state, own, changes)
        if (fullName !== undefined && fullName !== own.fullName) {
          if (state.settings.nameChangesDisabled && !isAdministrator(own)) throw fail('NAME_CHANGES_DISABLED')
          checkUniqueName(fullName, own.id, state, fail)
          events.push(...tellOfAccount(state, own, { fullName }))
        }
        if (email !== undefined && email !== own.email) {
          checkNewEmail(email, own, state, fail)
          const wanted = changes.find(({ name }) => name === 'emailAddressVisibility')?.value
          const visibility = (wanted as EmailVisibility | undefined) ?? state.emailVisibilityOf(own)
          events.push(...changeEmail(state, own, email, visibility))
        }
        return { events, reply: () => undefined }
      },
    })
    await credentials.storePassword()
    return {}
  },
})
