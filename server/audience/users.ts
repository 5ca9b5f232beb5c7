/** Who is notified of what happens to accounts. */

import type { EventOf } from '../domain/events.ts'
import { everyone, type Notifiers } from './notifier.ts'

type UserFact = EventOf<'realm_user/profile'>

export const USER_NOTIFIERS: Notifiers<UserFact> = {
  'realm_user/profile': everyone,
}
