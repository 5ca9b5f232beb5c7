/** The initial state of the organization. */

import { EMPTY_TOPIC_DISPLAY_NAME } from '../../domain/topics.ts'
import { ANIMATION_RATINGS } from '../../domain/plain-settings.ts'
import { viewOrganizationChange } from '../../views/organization-view.ts'
import { PERMISSION_RULES_VIEW } from '../../views/permission-rules-view.ts'
import { EXTERNAL_ACCOUNTS_VIEW } from '../../views/profile-field-view.ts'
import { viewDefaultSettings } from '../../views/settings-view.ts'
import { EMOJI_DATA_PATH } from '../../views/emoji-data.ts'
import { organizationIconUrl } from '../../views/organization-icon.ts'
import { REPORT_REASONS_VIEW } from '../../decisions/messages/report-wording.ts'
import { viewCallServices } from './calls.ts'
import type { Fields, RegistrationContext } from './context.ts'
import { LIMITS_VIEW, SERVER_VIEW } from './limits.ts'

/** Settings of this API that are fixed on this server. */
const FIXED_VIEW = {
  realm_icon_source: 'G',
  realm_logo_url: '',
  realm_logo_source: 'D',
  realm_night_logo_url: '',
  realm_night_logo_source: 'D',
  realm_empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
  realm_default_external_accounts: EXTERNAL_ACCOUNTS_VIEW,
  // Administrators or invitations create accounts, and all have a password.
  realm_authentication_methods: { Email: { enabled: true, available: true } },
  realm_email_auth_enabled: true,
  realm_password_auth_enabled: true,
  realm_invite_required: true,
  // The relay never ends.
  realm_push_notifications_enabled_end_timestamp: null,
  giphy_rating_options: ANIMATION_RATINGS,
  realm_signup_announcements_stream_id: -1,
  realm_service_update_announcements_stream_id: -1,
  realm_is_zephyr_mirror_realm: false,
  // Self-hosted (1).
  realm_plan_type: 1,
  service_plan_is_not_limited: true,
  upgrade_text_for_wide_organization_logo: '',
}

/** `realm`. */
export function fetchOrganization({ services }: RegistrationContext): Fields {
  const { state, uploads, publicUrl, pollHoldSeconds, hasWebPublicChannels } = services
  return {
    ...FIXED_VIEW,
    ...LIMITS_VIEW,
    ...SERVER_VIEW,
    max_file_upload_size_mib: uploads.mibMax,
    realm_upload_quota_mib: uploads.quotaMib,
    ...viewOrganizationChange(state.organization ?? {}, state.rights.activeUsers, 'realm_'),
    server_generation: state.generation?.number ?? state.organization?.createdAt ?? 0,
    realm_date_created: state.organization?.createdAt ?? 0,
    realm_url: publicUrl,
    realm_uri: publicUrl,
    realm_icon_url: organizationIconUrl(publicUrl),
    realm_bot_domain: new URL(publicUrl).hostname,
    realm_available_video_chat_providers: viewCallServices(services),
    realm_push_notifications_enabled: services.hasPushRelay,
    server_web_public_streams_enabled: hasWebPublicChannels,
    server_emoji_data_url: publicUrl + EMOJI_DATA_PATH,
    server_supported_permission_settings: PERMISSION_RULES_VIEW,
    server_report_message_types: REPORT_REASONS_VIEW,
    event_queue_longpoll_timeout_seconds: Math.max(90, pollHoldSeconds * 2),
  }
}

/** `realm_user_settings_defaults`: the settings of new users. */
export function fetchDefaultSettings({ services: { state } }: RegistrationContext): Fields {
  return { realm_user_settings_defaults: viewDefaultSettings(state.newcomersSettings) }
}
