/** The fields of a registration reply by type, from the documents of the API family. */

import type { Named } from '../client/wire-types.ts'

/** Types beyond JSON: the holders of a permission, typed lists, and any. */
export type FieldType =
  | 'integer'
  | 'number'
  | 'string'
  | 'boolean'
  | 'object'
  | 'array'
  | 'integers'
  | 'strings'
  | 'objects'
  | 'group'
  | 'any'
  | 'integer|null'
  | 'string|null'
  | 'boolean|null'

/** Names separated by spaces, by type. */
export type Shape = { readonly [Type in FieldType]?: string }

const CHANNEL: Shape = {
  integer: `stream_id date_created stream_post_policy`,
  string: `name description rendered_description`,
  boolean: `
    is_archived invite_only is_web_public history_public_to_subscribers is_recently_active
    is_announcement_only
  `,
  any: `creator_id message_retention_days first_message_id`,
  group: `
    can_add_subscribers_group can_remove_subscribers_group can_administer_channel_group
    can_send_message_group can_subscribe_group
  `,
  'integer|null': `stream_weekly_traffic`,
}

const SUBSCRIPTION: Shape = {
  integer: `stream_id date_created stream_post_policy`,
  string: `name description rendered_description color`,
  'integer|null': `creator_id message_retention_days first_message_id stream_weekly_traffic`,
  boolean: `
    invite_only pin_to_top is_muted in_home_view is_announcement_only is_web_public
    history_public_to_subscribers is_recently_active is_archived
  `,
  integers: `subscribers`,
  'boolean|null': `
    desktop_notifications email_notifications wildcard_mentions_notify push_notifications
    audible_notifications
  `,
  group: `
    can_add_subscribers_group can_remove_subscribers_group can_administer_channel_group
    can_send_message_group can_subscribe_group
  `,
}

const USER: Shape = {
  integer: `user_id role avatar_version`,
  any: `delivery_email bot_type bot_owner_id avatar_url`,
  string: `email full_name date_joined timezone`,
  boolean: `is_active is_owner is_admin is_guest is_bot`,
}

const SETTINGS: Shape = {
  boolean: `
    twenty_four_hour_time starred_message_counts receives_typing_notifications web_suggest_update_timezone
    fluid_layout_width high_contrast_mode translate_emoticons display_emoji_reaction_users
    web_escape_navigates_to_home_view left_side_userlist hide_ai_features
    enable_stream_desktop_notifications enable_stream_email_notifications enable_stream_push_notifications
    enable_stream_audible_notifications enable_desktop_notifications enable_sounds
    enable_offline_email_notifications enable_offline_push_notifications enable_online_push_notifications
    enable_followed_topic_desktop_notifications enable_followed_topic_email_notifications
    enable_followed_topic_push_notifications enable_followed_topic_audible_notifications
    enable_digest_emails enable_marketing_emails enable_login_emails
    message_content_in_email_notifications pm_content_in_desktop_notifications wildcard_mentions_notify
    enable_followed_topic_wildcard_mentions_notify automatically_follow_topics_where_mentioned
    presence_enabled enter_sends enable_drafts_synchronization send_private_typing_notifications
    send_stream_typing_notifications send_read_receipts allow_private_data_export
    web_navigate_to_sent_message
  `,
  integer: `
    web_mark_read_on_scroll_policy web_channel_default_view web_font_size_px web_line_height_percent
    color_scheme demote_inactive_streams user_list_style web_stream_unreads_count_display_policy
    desktop_icon_count_display realm_name_in_email_notifications_policy automatically_follow_topics_policy
    automatically_unmute_topics_in_muted_streams_policy email_notifications_batching_period_seconds
    email_address_visibility
  `,
  string: `
    default_language web_home_view emojiset web_animate_image_previews notification_sound
    resolved_topic_notice_auto_read_policy
  `,
  strings: `available_notification_sounds`,
  objects: `emojiset_choices`,
}

const RULE: Shape = {
  boolean: `require_system_group allow_internet_group allow_nobody_group allow_everyone_group`,
  string: `default_group_name`,
  'string|null': `default_for_system_groups`,
  strings: `allowed_system_groups`,
}

const CHOICE: Shape = { integer: `id`, string: `name` }
const EMOJI_SET: Shape = { string: `key text` }
const VALUE: Shape = { string: `value rendered_value` }

/**
 * By path: `[]` is each item of a list, `*` each value of an object. The end of a demo organization is left
 * out, since few organizations have one.
 */
export const REGISTRATION_FIELDS: Readonly<Record<string, Shape>> = {
  '': {
    'string|null': `queue_id navigation_tour_video_url realm_jitsi_server_url server_jitsi_server_url`,
    integer: `
      last_event_id zulip_feature_level realm_date_created max_message_id max_stream_name_length
      max_stream_description_length max_topic_length max_message_length
      server_presence_ping_interval_seconds server_presence_offline_threshold_seconds
      server_typing_started_expiry_period_milliseconds server_typing_stopped_wait_period_milliseconds
      server_typing_started_wait_period_milliseconds presence_last_update_id
      email_notifications_batching_period_seconds desktop_icon_count_display
      realm_name_in_email_notifications_policy color_scheme demote_inactive_streams
      realm_create_public_stream_policy realm_create_private_stream_policy
      realm_create_web_public_stream_policy realm_wildcard_mention_policy realm_message_retention_days
      realm_video_chat_provider realm_giphy_rating realm_waiting_period_threshold realm_digest_weekday
      max_icon_file_size_mib max_logo_file_size_mib realm_org_type realm_plan_type server_generation
      password_min_length password_max_length password_min_guesses max_file_upload_size_mib
      max_avatar_file_size_mib event_queue_longpoll_timeout_seconds realm_moderation_request_channel_id
      realm_new_stream_announcements_stream_id realm_signup_announcements_stream_id
      realm_zulip_update_announcements_stream_id user_id
    `,
    string: `
      zulip_version zulip_merge_base giphy_api_key notification_sound default_language emojiset
      web_home_view timezone realm_message_edit_history_visibility_policy realm_default_language
      realm_description realm_name realm_default_code_block_language realm_icon_url realm_icon_source
      realm_logo_url realm_logo_source realm_night_logo_url realm_night_logo_source realm_bot_domain
      realm_uri realm_url upgrade_text_for_wide_organization_logo jitsi_server_url server_emoji_data_url
      realm_empty_topic_display_name avatar_source avatar_url_medium avatar_url email delivery_email
      full_name
    `,
    strings: `alert_words stop_words available_notification_sounds`,
    objects: `
      custom_profile_fields drafts onboarding_steps scheduled_messages muted_users realm_domains
      realm_linkifiers realm_playgrounds realm_user_groups realm_bots realm_embedded_bots
      realm_incoming_webhook_bots recent_private_conversations saved_snippets subscriptions unsubscribed
      never_subscribed streams realm_default_stream_groups user_topics emojiset_choices
      server_thumbnail_formats realm_users realm_non_active_users cross_realm_bots
    `,
    object: `
      custom_profile_field_types devices presences realm_emoji unread_msgs user_status user_settings
      realm_authentication_methods realm_available_video_chat_providers realm_default_external_accounts
      giphy_rating_options realm_billing realm_user_settings_defaults server_supported_permission_settings
    `,
    'integer|null': `
      server_min_deactivated_realm_deletion_days server_max_deactivated_realm_deletion_days
      realm_message_content_delete_limit_seconds realm_message_content_edit_limit_seconds
      realm_move_messages_within_stream_limit_seconds realm_move_messages_between_streams_limit_seconds
      realm_push_notifications_enabled_end_timestamp realm_upload_quota_mib
    `,
    array: `muted_topics realm_filters`,
    number: `server_timestamp`,
    integers: `starred_messages realm_default_streams`,
    boolean: `
      has_provider_token enable_desktop_notifications enable_digest_emails enable_login_emails
      enable_marketing_emails enable_offline_email_notifications enable_offline_push_notifications
      enable_online_push_notifications enable_sounds enable_stream_desktop_notifications
      enable_stream_email_notifications enable_stream_push_notifications
      enable_stream_audible_notifications wildcard_mentions_notify message_content_in_email_notifications
      pm_content_in_desktop_notifications presence_enabled enable_drafts_synchronization
      fluid_layout_width high_contrast_mode left_side_userlist starred_message_counts translate_emoticons
      twenty_four_hour_time receives_typing_notifications enter_sends realm_allow_edit_history
      realm_digest_emails_enabled realm_disallow_disposable_email_addresses realm_email_changes_disabled
      realm_invite_required realm_inline_image_preview realm_inline_url_embed_preview
      realm_mandatory_topics realm_require_unique_names realm_name_changes_disabled
      realm_avatar_changes_disabled realm_emails_restricted_to_domains realm_send_welcome_emails
      realm_message_content_allowed_in_email_notifications realm_enable_spectator_access
      realm_want_advertise_in_communities_directory realm_allow_message_editing realm_enable_read_receipts
      realm_presence_disabled settings_send_digest_emails realm_is_zephyr_mirror_realm
      realm_email_auth_enabled realm_password_auth_enabled realm_push_notifications_enabled
      realm_enable_guest_user_dm_warning realm_enable_guest_user_indicator zulip_plan_is_not_limited
      development_environment server_inline_image_preview server_inline_url_embed_preview
      server_avatar_changes_disabled server_name_changes_disabled server_needs_upgrade
      server_web_public_streams_enabled server_can_summarize_topics can_create_streams
      can_create_public_streams can_create_private_streams can_create_web_public_streams
      can_subscribe_other_users can_invite_others_to_realm is_admin is_owner is_moderator is_guest
    `,
    group: `
      realm_can_add_custom_emoji_group realm_can_add_subscribers_group realm_can_delete_any_message_group
      realm_can_delete_own_message_group realm_can_invite_users_group realm_can_mention_many_users_group
      realm_can_move_messages_between_channels_group realm_can_move_messages_between_topics_group
      realm_can_create_groups realm_can_create_bots_group realm_can_create_write_only_bots_group
      realm_can_manage_all_groups realm_can_manage_billing_group realm_can_create_public_channel_group
      realm_can_create_private_channel_group realm_can_create_web_public_channel_group
      realm_can_resolve_topics_group realm_create_multiuse_invite_group
      realm_direct_message_initiator_group realm_direct_message_permission_group
      realm_can_access_all_users_group realm_can_summarize_topics_group
    `,
  },
  'custom_profile_fields[]': {
    integer: `id type order`,
    string: `name hint field_data`,
    boolean: `display_in_profile_summary required editable_by_user`,
  },
  'realm_default_stream_groups[]': {
    integer: `id`,
    string: `name description`,
    integers: `streams`,
  },
  'custom_profile_field_types.*': CHOICE,
  'drafts[]': {
    integer: `id timestamp`,
    string: `type topic content`,
    integers: `to`,
  },
  'presences.*': {
    integer: `active_timestamp idle_timestamp`,
  },
  'realm_user_groups[]': {
    string: `name description`,
    'integer|null': `date_created creator_id`,
    integers: `members direct_subgroup_ids`,
    integer: `id`,
    boolean: `is_system_group deactivated`,
    group: `
      can_add_members_group can_join_group can_leave_group can_manage_group can_mention_group
      can_remove_members_group
    `,
  },
  'realm_bots[]': {
    integer: `user_id`,
    string: `full_name api_key avatar_url email`,
    any: `default_sending_stream default_events_register_stream owner_id`,
    boolean: `default_all_public_streams is_active`,
    objects: `services`,
    'integer|null': `bot_type`,
  },
  'recent_private_conversations[]': {
    integer: `max_message_id`,
    integers: `user_ids`,
  },
  'subscriptions[]': SUBSCRIPTION,
  'unsubscribed[]': SUBSCRIPTION,
  'never_subscribed[]': { ...CHANNEL, integers: `subscribers` },
  unread_msgs: {
    integer: `count`,
    objects: `pms streams huddles`,
    integers: `mentions`,
    boolean: `old_unreads_missing`,
  },
  'unread_msgs.pms[]': {
    integer: `other_user_id sender_id`,
    integers: `unread_message_ids`,
  },
  'unread_msgs.streams[]': {
    string: `topic`,
    integer: `stream_id`,
    integers: `unread_message_ids`,
  },
  'unread_msgs.huddles[]': {
    string: `user_ids_string`,
    integers: `unread_message_ids`,
  },
  'streams[]': CHANNEL,
  'user_status.*': {
    string: `status_text emoji_name emoji_code reaction_type`,
  },
  user_settings: { ...SETTINGS, string: `${SETTINGS.string ?? ''} timezone` },
  'user_settings.emojiset_choices[]': EMOJI_SET,
  'user_topics[]': {
    integer: `stream_id last_updated visibility_policy`,
    string: `topic_name`,
  },
  'emojiset_choices[]': EMOJI_SET,
  'realm_authentication_methods.*': {
    boolean: `enabled available`,
  },
  'realm_available_video_chat_providers.*': CHOICE,
  'realm_default_external_accounts.*': {
    string: `name text hint url_pattern`,
  },
  'giphy_rating_options.*': CHOICE,
  realm_billing: {
    boolean: `has_pending_sponsorship_request`,
  },
  realm_user_settings_defaults: SETTINGS,
  'realm_user_settings_defaults.emojiset_choices[]': EMOJI_SET,
  'realm_users[]': USER,
  'realm_users[].profile_data.*': VALUE,
  'realm_non_active_users[]': USER,
  'cross_realm_bots[]': { ...USER, boolean: `${USER.boolean ?? ''} is_system_bot` },
  server_supported_permission_settings: {
    object: `realm stream group`,
  },
  'server_supported_permission_settings.realm.*': RULE,
  'server_supported_permission_settings.stream.*': RULE,
  'server_supported_permission_settings.group.*': RULE,
}

/** All values at a path of a reply. */
export function findAt(state: Named, place: string): Named[] {
  let found = [state]
  for (const step of place.split('.').filter((one) => one !== '')) {
    const name = step.replace(/\[\]$/, '')
    const next = found.flatMap((one) => (step === '*' ? Object.values(one) : (one[name] ?? [])))
    found = next as Named[]
  }
  return found
}

/** Whether a value has a type. */
export function hasType(value: unknown, type: FieldType): boolean {
  switch (type) {
    case 'integer':
      return Number.isSafeInteger(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'array':
      return Array.isArray(value)
    case 'integers':
      return Array.isArray(value) && value.every((one) => hasType(one, 'integer'))
    case 'strings':
      return Array.isArray(value) && value.every((one) => hasType(one, 'string'))
    case 'objects':
      return Array.isArray(value) && value.every((one) => hasType(one, 'object'))
    case 'group':
      return (
        hasType(value, 'integer') ||
        (hasType(value, 'object') &&
          hasType((value as Named)['direct_members'], 'integers') &&
          hasType((value as Named)['direct_subgroups'], 'integers'))
      )
    case 'integer|null':
    case 'string|null':
    case 'boolean|null':
      return value === null || hasType(value, type.slice(0, -'|null'.length) as FieldType)
    case 'any':
      return value !== undefined
    default:
      return typeof value === type
  }
}
