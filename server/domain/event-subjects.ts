/** Whom events tell of by more than an id: who does not know these users may not be told so. */

import type { LogEvent } from './events.ts'
import type { UserId } from './ids.ts'

/** The users that an event shows, as their accounts, what they are doing, or how they are. */
export function subjectsOf(event: LogEvent): readonly UserId[] {
  switch (event.type) {
    case 'realm_user/add':
      return [event.user.id]
    case 'presence/single':
      return [event.presence.userId]
    case 'typing/start':
    case 'typing/stop':
    case 'typing_edit_message/start':
    case 'typing_edit_message/stop':
      return event.place.kind === 'direct' ? event.place.userIds : [event.senderId]
    default:
      return isOfUser(event) ? [event.userId] : []
  }
}

type OfUser = Extract<LogEvent, { type: `realm_user/${string}` | 'user_status'; userId: UserId }>

function isOfUser(event: LogEvent): event is OfUser {
  return (event.type.startsWith('realm_user/') || event.type === 'user_status') && 'userId' in event
}

/**
 * Whether an event is of no use to who no longer knows its subject when it is told: a later one tells them so. Some
 * tell of their subjects as these are now, which they may not know.
 */
export function isMootWhereUnknown({ type }: LogEvent): boolean {
  return MOOT.has(type) || type.startsWith('typing')
}

const MOOT: ReadonlySet<LogEvent['type']> = new Set([
  'realm_user/update',
  'realm_user/email',
  'realm_user/delivery_email',
  'realm_user/avatar',
  'realm_user/profile',
])
