/** Whether the next steps are shown. */

import { deviceSetting, readBoolean } from '../../app/device-setting.ts'
import type { State } from '../../store/apply.ts'

export const areFirstStepsDismissed = deviceSetting('first-steps-dismissed', {
  start: false,
  read: readBoolean,
})

/** Whether the card is for this user: an owner who is alone. */
export function hasFirstSteps(state: State): boolean {
  if (areFirstStepsDismissed.value || state.is_owner !== true) return false
  const people = (state.realm_users ?? []).filter((one) => one.is_active && !one.is_bot)
  return people.length === 1
}
