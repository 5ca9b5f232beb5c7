/** `PATCH /realm/user_settings_defaults`: what newcomers start with. */

import type { NewEvent } from '../../../domain/events.ts'
import { USER_SETTINGS_DEFAULTS } from '../../../domain/user-settings.ts'
import { operation } from '../../operation.ts'
import { requireAdministrator } from '../../../decisions/require-role.ts'
import { readSettings, settingParams } from '../users/setting-params.ts'

/** What everyone sets for themselves, or has from elsewhere: the language is that of the organization. */
const OWN_SETTINGS = [
  'timezone',
  'default_language',
  'enable_marketing_emails',
  'enable_login_emails',
  'allow_private_data_export',
]

export const updateDefaultSettings = operation({
  method: 'PATCH',
  path: '/realm/user_settings_defaults',
  summary: 'Update the settings of new users',
  description:
    'For administrators. People who join from now on start with these settings; those who are there keep theirs.',
  access: 'user',
  params: Object.fromEntries(Object.entries(settingParams).filter(([name]) => !OWN_SETTINGS.includes(name))),
  reply: {},
  errors: ['ROLE_REQUIRED'],
  events: ['realm_user_settings_defaults/update'],
  run: ({ user, params, services: { committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        requireAdministrator(state.getUser(user.id), fail)
        const present: Readonly<Record<string, unknown>> = {
          ...USER_SETTINGS_DEFAULTS,
          ...state.newcomersSettings,
        }
        const changes = readSettings(params).filter(({ name, value }) => present[name] !== value)
        const events = changes.map((change): NewEvent => {
          return {
            event: { type: 'realm_user_settings_defaults/update', change },
            audience: { kind: 'users', users: state.rights.activeUsers },
          }
        })
        return { events, reply: () => ({}) }
      },
    }),
})
