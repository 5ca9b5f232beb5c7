/** Changing a user's own settings. */

import type { User } from '../../domain/entities.ts'
import type { Fact } from '../../domain/events.ts'
import type { UserSettingChange } from '../../domain/users/user-settings.ts'
import type { ServerScope } from '../scope.ts'

/** Changes settings; a setting that stays the same sends no event. */
export function changeSettings(
  { state }: Pick<ServerScope, 'state'>,
  { id: userId, timezone }: User,
  changes: readonly UserSettingChange[],
): Fact[] {
  const present = { ...state.settingsOf(userId), timezone }
  return changes
    .filter(({ name, value }) => present[name] !== value)
    .flatMap((change): Fact[] => {
      const fact = { type: 'user_settings/update', userId, change } as const
      if (change.name !== 'timezone') return [fact]
      // The account has it.
      return [fact, { type: 'realm_user/update', userId, changes: { timezone: change.value } }]
    })
}
