/** `PATCH /realm/user_settings_defaults`: the settings that new users start with. */

import { decideDefaultSettings } from '../../../decisions/organization/update-defaults.ts'
import { change } from '../../change-operation.ts'
import { readSettings, settingParams } from '../users/setting-params.ts'

/** Settings that are each user's own, or come from elsewhere: the language is that of the organization. */
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
  description:
    'For administrators. People who join from now on start with these settings; those who are there keep theirs.',
  access: 'user',
  params: Object.fromEntries(Object.entries(settingParams).filter(([name]) => !OWN_SETTINGS.includes(name))),
  reply: {},
  errors: ['ROLE_REQUIRED'],
  events: ['realm_user_settings_defaults/update'],
  prepare: ({ params }) => ({ changes: readSettings(params) }),
  decide: decideDefaultSettings,
})
