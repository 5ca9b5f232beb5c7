/** The organization's settings as clients see them. */

import type { OrganizationChange } from '../domain/events.ts'
import type { OrganizationSettings } from '../domain/organization-settings.ts'
import type { UserSet } from '../domain/user-set.ts'
import { viewPermissions } from './permission-view.ts'

type Value = OrganizationSettings[keyof OrganizationSettings]

/** Settings by their wire names. */
const SETTING_VIEWS: {
  readonly [Name in keyof OrganizationSettings]: {
    readonly name: string
    readonly view?: (value: OrganizationSettings[Name]) => unknown
  }
} = {
  waitingPeriodDays: { name: 'waiting_period_threshold' },
  topicsPolicy: { name: 'topics_policy' },
  hasSpectatorAccess: { name: 'enable_spectator_access' },
  messageRetentionDays: { name: 'message_retention_days' },
  sendsChannelEvents: { name: 'send_channel_events_messages' },
  announcementsChannelId: { name: 'new_stream_announcements_stream_id', view: (id) => id ?? -1 },
  moderationChannelId: { name: 'moderation_request_channel_id', view: (id) => id ?? -1 },
}

/** What of the organization changed, or all of it, by wire names after `prefix`. */
export function viewOrganizationChange(
  { name, description, settings, permissions }: OrganizationChange,
  activeUsers: UserSet,
  prefix = '',
): Record<string, unknown> {
  const view: Record<string, unknown> = {}
  if (name !== undefined) view[`${prefix}name`] = name
  if (description !== undefined) view[`${prefix}description`] = description
  for (const [setting, value] of Object.entries(settings ?? {})) {
    const { name: wireName, view: viewValue } = SETTING_VIEWS[setting as keyof OrganizationSettings]
    view[prefix + wireName] = viewValue ? (viewValue as (value: Value) => unknown)(value as Value) : value
  }
  // Older clients know the topics policy by whether a topic must be given.
  if (settings?.topicsPolicy !== undefined) {
    view[`${prefix}mandatory_topics`] = settings.topicsPolicy === 'disable_empty_topic'
  }
  return { ...view, ...viewPermissions(permissions ?? {}, activeUsers, prefix) }
}
