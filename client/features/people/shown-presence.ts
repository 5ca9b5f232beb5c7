/** The presence of a user as a dot shows it: nothing for people who are away. */

import type { App } from '../../app/app.ts'
import { presenceOf } from '../../store/derived/users.ts'

export function shownPresence(app: App, userId: number): 'active' | 'idle' | undefined {
  const presence = presenceOf(app.state.value, userId, app.minute.value / 1000)
  return presence === 'offline' ? undefined : presence
}
