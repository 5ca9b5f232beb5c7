/** Whether the next steps are shown. */

import type { App } from '../../app/app.ts'

/** Whether the card is for this user: an owner who is alone. */
export function hasFirstSteps({ device, state: { value: state } }: App): boolean {
  if (device.areFirstStepsDismissed.value || state.is_owner !== true) return false
  const people = (state.realm_users ?? []).filter((one) => one.is_active && !one.is_bot)
  return people.length === 1
}
