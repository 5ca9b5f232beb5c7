/** What a registration tells of the organization itself. */

import { EMPTY_TOPIC_DISPLAY_NAME } from '../../domain/topics.ts'
import { USER_SETTINGS_DEFAULTS } from '../../domain/user-settings.ts'
import { viewOrganizationChange } from '../../views/organization-view.ts'
import { PERMISSION_RULES_VIEW } from '../../views/permission-rules-view.ts'
import { EXTERNAL_ACCOUNTS_VIEW } from '../../views/profile-field-view.ts'
import { viewDefaultSettings } from '../../views/settings-view.ts'
import { EMOJI_DATA_PATH } from '../emoji-data.ts'
import type { Fields, RegistrationContext } from './context.ts'
import { LIMITS_VIEW, SERVER_VIEW } from './limits.ts'

/** How those choose who may choose among nothing. */
const NO_VIDEO_CALLS = { disabled: { name: 'None', id: 0 } }
const NO_ANIMATIONS = { disabled: { name: 'GIPHY integration disabled', id: 0 } }

/** What an organization of this API family can set, and this one has as it is here once and for all. */
const FIXED_VIEW = {
  realm_icon_url: '',
  realm_icon_source: 'G',
  realm_logo_url: '',
  realm_logo_source: 'D',
  realm_night_logo_url: '',
  realm_night_logo_source: 'D',
  realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
  realm_default_external_accounts: EXTERNAL_ACCOUNTS_VIEW,
  realm_default_language: USER_SETTINGS_DEFAULTS.defaultLanguage,
  realm_default_code_block_language: '',
  // Accounts: an administrator makes them, and they have a password.
  realm_authentication_methods: { Email: { enabled: true, available: true } },
  realm_email_auth_enabled: true,
  realm_password_auth_enabled: true,
  realm_invite_required: true,
  realm_emails_restricted_to_domains: false,
  realm_disallow_disposable_email_addresses: false,
  realm_require_unique_names: false,
  realm_name_changes_disabled: false,
  realm_email_changes_disabled: true,
  realm_avatar_changes_disabled: true,
  realm_enable_guest_user_indicator: true,
  realm_enable_guest_user_dm_warning: true,
  // Nothing is sent by email, nor to telephones.
  realm_send_welcome_emails: false,
  realm_digest_emails_enabled: false,
  realm_digest_weekday: 1,
  realm_message_content_allowed_in_email_notifications: false,
  realm_push_notifications_enabled: false,
  realm_push_notifications_enabled_end_timestamp: null,
  realm_presence_disabled: false,
  realm_inline_image_preview: false,
  realm_inline_url_embed_preview: false,
  realm_available_video_chat_providers: NO_VIDEO_CALLS,
  realm_video_chat_provider: NO_VIDEO_CALLS.disabled.id,
  realm_jitsi_server_url: null,
  giphy_rating_options: NO_ANIMATIONS,
  realm_giphy_rating: NO_ANIMATIONS.disabled.id,
  realm_signup_announcements_stream_id: -1,
  realm_service_update_announcements_stream_id: -1,
  realm_want_advertise_in_communities_directory: false,
  realm_is_zephyr_mirror_realm: false,
  // Nobody pays for anything: of no stated kind (0), and on a server of one's own (1).
  realm_org_type: 0,
  realm_plan_type: 1,
  realm_upload_quota_mib: null,
  service_plan_is_not_limited: true,
  upgrade_text_for_wide_organization_logo: '',
}

/** `realm`. */
export function fetchOrganization({ services }: RegistrationContext): Fields {
  const { state, publicUrl, pollHoldSeconds, hasWebPublicChannels } = services
  return {
    ...FIXED_VIEW,
    ...LIMITS_VIEW,
    ...SERVER_VIEW,
    ...viewOrganizationChange(state.organization ?? {}, state.rights.activeUsers, 'realm_'),
    realm_date_created: state.organization?.createdAt ?? 0,
    realm_url: publicUrl,
    realm_uri: publicUrl,
    realm_bot_domain: new URL(publicUrl).hostname,
    server_web_public_streams_enabled: hasWebPublicChannels,
    server_emoji_data_url: publicUrl + EMOJI_DATA_PATH,
    server_supported_permission_settings: PERMISSION_RULES_VIEW,
    event_queue_longpoll_timeout_seconds: Math.max(90, pollHoldSeconds * 2),
  }
}

/** `realm_user_settings_defaults`: what newcomers start with. */
export function fetchDefaultSettings(): Fields {
  return { realm_user_settings_defaults: viewDefaultSettings() }
}
