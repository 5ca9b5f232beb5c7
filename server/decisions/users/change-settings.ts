/** Changing a user's own settings. */

import type { User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { UserSettingChange } from '../../domain/user-settings.ts'
import { UserSet } from '../../domain/user-set.ts'
import { legacyTypeOf } from '../../domain/legacy-settings.ts'
import type { ServerScope } from '../scope.ts'
import { tellEveryone } from '../tell-everyone.ts'
import { tellBotChange } from '../bots/tell-bots.ts'
import { tellEmailVisibility } from './tell-emails.ts'

/** Changes settings; a setting that stays the same sends no event. */
export function changeSettings(
  scope: Pick<ServerScope, 'state'>,
  user: User,
  changes: readonly UserSettingChange[],
): NewEvent[] {
  const { state } = scope
  const present = { ...state.settingsOf(user.id), timezone: user.timezone }
  return changes
    .filter(({ name, value }) => present[name] !== value)
    .flatMap((change) => tellChange(scope, user, change))
}

/** Only the user is told of a setting, but everyone of their time zone and whether they appear as away. */
function tellChange(scope: Pick<ServerScope, 'state'>, user: User, change: UserSettingChange): NewEvent[] {
  const audience = { kind: 'users', users: UserSet.of([user.id]) } as const
  const legacyType = legacyTypeOf(change.name)
  const events: NewEvent[] = [{ event: { type: 'user_settings/update', userId: user.id, change }, audience }]
  if (legacyType !== undefined) {
    const clients = 'without_settings_object'
    events.push({ event: { type: legacyType, userId: user.id, change, clients }, audience })
  }
  if (change.name === 'timezone') events.push(...tellOfAccount(scope, user, { timezone: change.value }))
  if (change.name === 'emailAddressVisibility') events.push(...tellEmailVisibility(scope, user, change.value))
  if (change.name === 'presenceEnabled') {
    const isAway = !change.value
    events.push(tellEveryone(scope, { type: 'user_status/shown', userId: user.id, changes: {}, isAway }))
  }
  return events
}

/** Tells everyone of a change of a user's account. */
export function tellOfAccount(
  scope: Pick<ServerScope, 'state'>,
  user: User,
  changes: Partial<Pick<User, 'fullName' | 'timezone'>>,
): NewEvent[] {
  const { fullName } = changes
  return [
    tellEveryone(scope, { type: 'realm_user/update', userId: user.id, changes }),
    ...(fullName === undefined ? [] : tellBotChange(scope, user, { fullName })),
  ]
}
