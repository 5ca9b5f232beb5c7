/** The initial state of a registration, by the event type that later updates it. */

import { viewCustomEmoji } from '../views/custom-emoji-view.ts'
import { COMPATIBLE_VERSION, FEATURE_LEVEL } from '../views/names.ts'
import {
  fetchChannels,
  fetchDefaultChannels,
  fetchFolders,
  fetchMutedTopics,
  fetchSubscriptions,
  fetchUserTopics,
} from './registration/channels.ts'
import { fetchProviderToken } from './registration/calls.ts'
import { fetchDevices } from './registration/devices.ts'
import type { Fields, RegistrationContext } from './registration/context.ts'
import {
  fetchDrafts,
  fetchNewest,
  fetchRecentConversations,
  fetchStarred,
  fetchUnread,
} from './registration/messages.ts'
import { fetchAlertWords, fetchMutedUsers, fetchSnippets, fetchViews } from './registration/personal-lists.ts'
import { fetchReminders, fetchScheduledMessages } from './registration/scheduled-messages.ts'
import { fetchEmailDomains, fetchLinkifiers, fetchPlaygrounds } from './registration/organization-lists.ts'
import { fetchDefaultSettings, fetchOrganization } from './registration/organization.ts'
import {
  fetchBots,
  fetchGroups,
  fetchLegacySettings,
  fetchPresences,
  fetchProfileFields,
  fetchSettings,
  fetchStatuses,
  fetchUsers,
} from './registration/users.ts'

type Fetch = (context: RegistrationContext) => Fields | Promise<Fields>

/** The server's version: clients branch on it, so all get it. */
const VERSION_VIEW: Fields = {
  service_version: COMPATIBLE_VERSION,
  service_merge_base: COMPATIBLE_VERSION,
  service_feature_level: FEATURE_LEVEL,
}

/** By event type. All data from the database is as of the same event as the rest. */
const FETCHES: Readonly<Record<string, Fetch>> = {
  realm: fetchOrganization,
  realm_user_settings_defaults: fetchDefaultSettings,
  realm_linkifiers: fetchLinkifiers,
  realm_filters: () => ({ realm_filters: [] }), // The form of linkifiers before they had templates.
  realm_playgrounds: fetchPlaygrounds,
  realm_domains: fetchEmailDomains,
  presence: fetchPresences,
  realm_user: fetchUsers,
  realm_bot: fetchBots,
  realm_user_groups: fetchGroups,
  user_group: fetchGroups,
  custom_profile_fields: fetchProfileFields,
  user_settings: fetchSettings,
  update_display_settings: (context) => fetchLegacySettings('update_display_settings', context),
  update_global_notifications: (context) => fetchLegacySettings('update_global_notifications', context),
  user_status: fetchStatuses,
  subscription: fetchSubscriptions,
  stream: fetchChannels,
  default_streams: fetchDefaultChannels,
  channel_folders: fetchFolders,
  channel_folder: fetchFolders,
  muted_topics: fetchMutedTopics,
  user_topic: fetchUserTopics,
  message: fetchNewest,
  update_message_flags: fetchUnread,
  starred_messages: fetchStarred,
  recent_private_conversations: fetchRecentConversations,
  drafts: fetchDrafts,
  saved_snippets: fetchSnippets,
  navigation_view: fetchViews,
  navigation_views: fetchViews,
  device: fetchDevices,
  muted_users: fetchMutedUsers,
  alert_words: fetchAlertWords,
  realm_emoji: ({ services }) => ({ realm_emoji: viewCustomEmoji(services.state.emoji) }),
  // Lists that this server cannot fill yet are empty.
  default_stream_groups: () => ({ realm_default_stream_groups: [] }),
  giphy: () => ({ giphy_api_key: '' }),
  has_provider_token: fetchProviderToken,
  onboarding_steps: () => ({ onboarding_steps: [], navigation_tour_video_url: null }),
  realm_billing: () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
  realm_embedded_bots: () => ({ realm_embedded_bots: [] }),
  realm_incoming_webhook_bots: () => ({ realm_incoming_webhook_bots: [] }),
  scheduled_messages: fetchScheduledMessages,
  reminders: fetchReminders,
  stop_words: () => ({ stop_words: [] }), // The search ignores no words.
}

/** The fields for these event types, besides the server's version; null means all. Unknown types add nothing. */
export async function fetchInitialState(
  context: RegistrationContext,
  types: readonly string[] | null,
): Promise<Fields> {
  const wanted = types === null ? Object.keys(FETCHES) : types.filter((type) => Object.hasOwn(FETCHES, type))
  // All fetches start in this turn, so that they see the state as of the same event; some types share one.
  const fetches = new Set(wanted.map((type) => FETCHES[type] as Fetch))
  const parts = await Promise.all([...fetches].map(async (fetch) => fetch(context)))
  return Object.assign({ ...VERSION_VIEW }, ...parts) as Fields
}
