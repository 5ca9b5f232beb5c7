/** `PATCH /realm/user_settings_defaults`: the default settings of new users. */

import { decideDefaultSettings } from '../../../decisions/organization/update-defaults.ts'
import { change } from '../../change-operation.ts'
import { readSettings, settingParams } from '../users/settings.ts'

/** Settings without a default here: personal ones, and the language, which is that of the organization. */
const OWN_SETTINGS = [
  'timezone',
  'default_language',
  'enable_marketing_emails',
  'enable_login_emails',
  'allow_private_data_export',
]

export const updateDefaultSettings = change({
  method: 'PATCH',
  path: '/realm/user_settings_defaults',
  summary: 'Update the settings of new users',
  description: 'For administrators. New users start with these settings; existing users keep theirs.',
  access: 'user',
  params: Object.fromEntries(Object.entries(settingParams).filter(([name]) => !OWN_SETTINGS.includes(name))),
  reply: {},
  errors: ['ROLE_REQUIRED'],
  events: ['realm_user_settings_defaults/update'],
  prepare: ({ params }) => ({ changes: readSettings(params) }),
  decide: decideDefaultSettings,
})
