/**
 * Events in the form that earlier releases wrote them: notices had the type of a fact, and a flag; and new channels lack
 * permissions that came later. While both releases run, a process of this one reads such entries after the migration, too.
 */

import type { LogEvent, LogEventType } from './events.ts'
import { CHANNEL_PERMISSIONS, completePermissions } from './groups/permissions.ts'

/** The fields that made a fact a notice. */
interface OldForm {
  readonly type: string
  readonly isNew?: boolean
  readonly isSightOnly?: boolean
  readonly isHidden?: boolean
  readonly isAway?: boolean
  readonly avatar?: object
  readonly userIds?: readonly number[]
  readonly change?: { readonly kind?: string; readonly property?: string }
}

/** Changes of channels that only follow from others. */
const DERIVED_CHANGES: readonly (string | undefined)[] = ['postPolicy', 'announcementOnly', 'firstMessage']

/** An event as it was stored or broadcast, in the form of this release. */
export function readEvent(stored: LogEvent): LogEvent {
  return withPermissions(readForm(stored))
}

/** The defaults are those that the tables of earlier releases get, too. */
function withPermissions(event: LogEvent): LogEvent {
  if (event.type !== 'stream/create' && event.type !== 'stream/reveal') return event
  const channels = event.channels.map((channel) => ({
    ...channel,
    permissions: completePermissions(CHANNEL_PERMISSIONS, channel.permissions, null),
  }))
  return { ...event, channels }
}

function readForm(stored: LogEvent): LogEvent {
  const event = stored as OldForm
  const type = noticeTypeOf(event)
  if (type === undefined && event.isNew === undefined) return stored
  const { isNew: _, isSightOnly: _1, isHidden: _2, ...others } = event
  if (type === 'subscription/reveal') delete (others as { userIds?: unknown }).userIds
  return { ...others, type: type ?? event.type } as LogEvent
}

function noticeTypeOf(event: OldForm): LogEventType | undefined {
  const { isNew, isSightOnly, isHidden, change } = event
  switch (event.type) {
    case 'stream/create':
      return isNew === false ? 'stream/reveal' : undefined
    case 'stream/update':
      return isSightOnly || DERIVED_CHANGES.includes(change?.kind) ? 'stream/update_shown' : undefined
    case 'default_streams':
      return isSightOnly ? 'default_streams/shown' : undefined
    case 'subscription/add':
      return event.userIds?.length === 0 ? 'subscription/reveal' : undefined
    case 'subscription/update':
      return change?.property === 'inHomeView' ? 'subscription/update_shown' : undefined
    case 'user_group/add_members':
      return isHidden ? 'user_group/show_members' : undefined
    case 'user_group/remove_members':
      return isHidden ? 'user_group/hide_members' : undefined
    case 'user_group/update':
      return isSightOnly ? 'user_group/update_shown' : undefined
    case 'user_group/add':
      return isNew === false ? 'user_group/reveal' : undefined
    case 'user_status':
      return event.isAway === undefined ? undefined : 'user_status/shown'
    case 'realm_user/avatar':
      return event.avatar === undefined ? 'realm_user/avatar_shown' : undefined
    default:
      return undefined
  }
}
