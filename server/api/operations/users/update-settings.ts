/** `PATCH /settings`: what users set for themselves. */

import { changeSettings, tellOfAccount } from '../../changes/change-settings.ts'
import { checkFullName, FULL_NAME_ERRORS, FULL_NAME_MEANING, fullNameType } from '../../full-name-param.ts'
import { operation } from '../../operation.ts'
import { optional } from '../../params.ts'
import { readSettings, settingParams } from '../../setting-params.ts'

export const updateSettings = operation({
  method: 'PATCH',
  path: '/settings',
  summary: 'Update settings',
  description:
    "Changes the caller's own settings, name and time zone. All of it happens, or nothing; what is as before is " +
    'told to nobody.',
  access: 'user',
  params: {
    full_name: optional(fullNameType, FULL_NAME_MEANING),
    ...settingParams,
  },
  reply: {},
  errors: FULL_NAME_ERRORS,
  events: [
    'user_settings/update',
    'update_display_settings',
    'update_global_notifications',
    'realm_user/update',
    'realm_bot/update',
    'user_status',
  ],
  async run({ params, user, services: { committer }, fail }) {
    const { full_name: fullName } = params
    if (fullName !== undefined) checkFullName(fullName, fail)
    const changes = readSettings(params)
    await committer.submit({
      kind: 'structure',
      decide(state) {
        const own = state.getUser(user.id)
        const events = changeSettings(state, own, changes)
        if (fullName !== undefined && fullName !== own.fullName) {
          events.push(...tellOfAccount(state, own, { fullName }))
        }
        return { events, reply: () => undefined }
      },
    })
    return {}
  },
})
