/** Changes the default settings of new users. */

import type { Fact } from '../../domain/events.ts'
import { USER_SETTINGS_DEFAULTS, type UserSettingChange } from '../../domain/users/user-settings.ts'
import { checkAdministrator } from '../check-caller.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'

/** Changes the default settings; present users keep theirs. */
export function decideDefaultSettings(
  scope: Scope<'ROLE_REQUIRED'>,
  { changes }: { readonly changes: readonly UserSettingChange[] },
): Decision<void> {
  checkAdministrator(scope)
  const present: Readonly<Record<string, unknown>> = {
    ...USER_SETTINGS_DEFAULTS,
    ...scope.state.newcomersSettings,
  }
  return done(
    changes
      .filter(({ name, value }) => present[name] !== value)
      .map((change): Fact => ({ type: 'realm_user_settings_defaults/update', change })),
  )
}
