/** The initial state of a registration, by the event type that later updates it. */

import type { ReplyOf } from './operation.ts'
import { providerToken } from './registration/calls.ts'
import {
  channelGroups,
  defaultChannels,
  folders,
  mutedTopics,
  pins,
  userTopics,
} from './registration/channels.ts'
import type { RegistrationContext } from './registration/context.ts'
import { groups } from './registration/groups.ts'
import {
  animations,
  billing,
  embeddedBots,
  filters,
  onboardingSteps,
  stopWords,
  webhookBots,
} from './registration/lacking.ts'
import { drafts, newest, recentConversations, starred, unread } from './registration/messages.ts'
import {
  customEmoji,
  emailDomains,
  linkifiers,
  playgrounds,
  profileFields,
} from './registration/organization-lists.ts'
import { organization } from './registration/organization.ts'
import { alertWords, devices, mutedUsers, navigationViews, snippets } from './registration/personal-lists.ts'
import { presences, statuses } from './registration/presence.ts'
import { reminders, scheduledMessages } from './registration/scheduled-messages.ts'
import { displaySettings, newUserSettings, notificationSettings, settings } from './registration/settings.ts'
import { type OptionalFields, optionalFields, type StatePart, valuesOf } from './registration/state-part.ts'
import { channels, subscriptions } from './registration/subscriptions.ts'
import { bots, users } from './registration/users.ts'
import { VERSION_FIELDS } from './registration/version.ts'

/** By event type. All data from the database is as of the same event as the rest. */
export const STATE_PARTS = {
  realm: organization,
  realm_user_settings_defaults: newUserSettings,
  realm_linkifiers: linkifiers,
  realm_filters: filters,
  realm_playgrounds: playgrounds,
  realm_domains: emailDomains,
  presence: presences,
  realm_user: users,
  realm_bot: bots,
  realm_user_groups: groups,
  user_group: groups,
  custom_profile_fields: profileFields,
  user_settings: settings,
  update_display_settings: displaySettings,
  update_global_notifications: notificationSettings,
  user_status: statuses,
  subscription: subscriptions,
  stream: channels,
  default_streams: defaultChannels,
  channel_folders: folders,
  channel_folder: folders,
  channel_pins: pins,
  muted_topics: mutedTopics,
  user_topic: userTopics,
  message: newest,
  update_message_flags: unread,
  starred_messages: starred,
  recent_private_conversations: recentConversations,
  drafts,
  saved_snippets: snippets,
  navigation_view: navigationViews,
  navigation_views: navigationViews,
  device: devices,
  muted_users: mutedUsers,
  alert_words: alertWords,
  realm_emoji: customEmoji,
  default_stream_groups: channelGroups,
  giphy: animations,
  has_provider_token: providerToken,
  onboarding_steps: onboardingSteps,
  realm_billing: billing,
  realm_embedded_bots: embeddedBots,
  realm_incoming_webhook_bots: webhookBots,
  scheduled_messages: scheduledMessages,
  reminders,
  stop_words: stopWords,
} as const satisfies Readonly<Record<string, StatePart>>

type Parts = typeof STATE_PARTS
type Whole<Union> = (Union extends unknown ? (part: Union) => void : never) extends (part: infer All) => void
  ? All
  : never
type PartFields = OptionalFields<Whole<Parts[keyof Parts]['fields']>>

/** The fields of all parts, each with the event types that fetch it, and the server's version. */
export const STATE_FIELDS: typeof VERSION_FIELDS & PartFields = { ...VERSION_FIELDS, ...describeParts() }

function describeParts(): PartFields {
  const parts = Map.groupBy(Object.entries<StatePart>(STATE_PARTS), ([, part]) => part)
  const described = [...parts].map(([{ fields }, entries]) => {
    const types = entries.map(([type]) => `\`${type}\``).join(' or ')
    return optionalFields(fields, `Fetched by ${types}.`)
  })
  return Object.assign({}, ...described) as PartFields
}

/** The server's version, in every registration. */
export const VERSION = valuesOf(VERSION_FIELDS)

/** The fields for these event types, and the server's version; null means all. Unknown types add nothing. */
export async function fetchInitialState(
  context: RegistrationContext,
  types: readonly string[] | null,
): Promise<ReplyOf<typeof STATE_FIELDS>> {
  const table: Readonly<Record<string, StatePart>> = STATE_PARTS
  const wanted = types === null ? Object.keys(table) : types.filter((type) => Object.hasOwn(table, type))
  // All fetches start in this turn, so that they see the state as of the same event; some types share a part.
  const parts = new Set(wanted.map((type) => table[type] as StatePart))
  const fetched = await Promise.all([...parts].map(async (part) => part.fetch(context)))
  return Object.assign({ ...VERSION }, ...fetched) as ReplyOf<typeof STATE_FIELDS>
}
