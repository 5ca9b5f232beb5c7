/**
 * The objects, events and operations of the API.
 *
 * Written by `UPDATE_DOCS=1 npm test -- test/packages` in the server's repository, from the schemas that the server
 * itself is typed by and tested against.
 */

export type Attachment = {
  readonly id: number
  readonly name: string
  readonly path_id: string
  readonly size: number
  readonly create_time: number
  readonly messages: readonly { readonly id: number; readonly date_sent: number }[]
  readonly message_ids: readonly number[]
}

export type Bot = {
  readonly user_id: number
  readonly email: string
  readonly full_name: string
  readonly bot_type: number | null
  readonly is_active: boolean
  readonly owner_id: number | null
  readonly api_key: string
  readonly avatar_url: string
  readonly default_sending_stream: string | null
  readonly default_events_register_stream: string | null
  readonly default_all_public_streams: boolean
  readonly services: readonly {
    readonly base_url: string
    readonly token: string
    readonly interface: number
  }[]
}

export type Channel = {
  readonly stream_id: number
  readonly name: string
  readonly is_archived: boolean
  readonly description: string
  readonly rendered_description: string
  readonly date_created: number
  readonly creator_id: number | null
  readonly invite_only: boolean
  readonly is_web_public: boolean
  readonly stream_post_policy: number
  readonly is_announcement_only: boolean
  readonly message_retention_days: number | null
  readonly history_public_to_subscribers: boolean
  readonly topics_policy: string
  readonly parley_link_previews: boolean
  readonly folder_id: number | null
  readonly can_add_subscribers_group: GroupSetting
  readonly can_remove_subscribers_group: GroupSetting
  readonly can_administer_channel_group: GroupSetting
  readonly can_delete_any_message_group: GroupSetting
  readonly can_delete_own_message_group: GroupSetting
  readonly can_move_messages_out_of_channel_group: GroupSetting
  readonly can_move_messages_within_channel_group: GroupSetting
  readonly can_send_message_group: GroupSetting
  readonly can_subscribe_group: GroupSetting
  readonly can_resolve_topics_group: GroupSetting
  readonly can_create_topic_group: GroupSetting
  readonly can_pin_group: GroupSetting
  readonly first_message_id: number | null
  readonly is_recently_active: boolean
  readonly stream_weekly_traffic: number | null
  readonly subscriber_count: number
}

export type ChannelFolder = {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly rendered_description: string
  readonly date_created: number
  readonly creator_id: number | null
  readonly is_archived: boolean
  readonly order: number
}

export type CustomEmoji = {
  readonly id: string
  readonly name: string
  readonly source_url: string
  readonly still_url: string | null
  readonly deactivated: boolean
  readonly author_id: number | null
}

export type Device = {
  readonly push_key_id: number | null
  readonly push_token_id: string | null
  readonly pending_push_token_id: string | null
  readonly push_token_last_updated_timestamp: number | null
  readonly push_registration_error_code: string | null
}

export type Draft = {
  readonly id: number
  readonly type: '' | 'stream' | 'private'
  readonly to: readonly number[]
  readonly topic: string
  readonly content: string
  readonly timestamp: number
}

export type EmailDomain = { readonly domain: string; readonly allow_subdomains: boolean }

export type GroupSetting =
  | number
  | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }

export type HistorySnapshot = {
  readonly topic: string
  readonly content: string
  readonly rendered_content: string
  readonly user_id: number | null
  readonly timestamp: number
  readonly prev_topic?: string
  readonly stream?: number
  readonly prev_stream?: number
  readonly prev_content?: string
  readonly prev_rendered_content?: string
  readonly content_html_diff?: string
}

export type Linkifier = {
  readonly pattern: string
  readonly url_template: string
  readonly id: number
  readonly example_input: string | null
  readonly reverse_template: string | null
  readonly alternative_url_templates: readonly string[]
}

export type Message = {
  readonly id: number
  readonly sender_id: number
  readonly content: string
  readonly content_type: 'text/html' | 'text/x-markdown'
  readonly type: 'stream' | 'private'
  readonly display_recipient:
    | string
    | readonly {
        readonly id: number
        readonly email: string
        readonly full_name: string
        readonly is_mirror_dummy: boolean
      }[]
  readonly recipient_id: number
  readonly subject: string
  readonly timestamp: number
  readonly client: string
  readonly topic_links: readonly { readonly text: string; readonly url: string }[]
  readonly is_me_message: boolean
  readonly reactions: readonly {
    readonly emoji_name: string
    readonly emoji_code: string
    readonly reaction_type: 'unicode_emoji' | 'realm_emoji' | 'service_extra_emoji' | 'zulip_extra_emoji'
    readonly user_id: number
    readonly user?: {
      readonly id: number
      readonly email: string
      readonly full_name: string
      readonly is_mirror_dummy: boolean
    }
  }[]
  readonly submessages: readonly {
    readonly id: number
    readonly message_id: number
    readonly sender_id: number
    readonly msg_type: string
    readonly content: string
  }[]
  readonly sender_full_name: string
  readonly sender_email: string
  readonly sender_realm_str: string
  readonly avatar_url: string | null
  readonly flags: readonly string[]
  readonly stream_id?: number
  readonly last_edit_timestamp?: number
  readonly last_moved_timestamp?: number
  readonly edit_history?: readonly {
    readonly user_id: number | null
    readonly timestamp: number
    readonly prev_content?: string
    readonly prev_rendered_content?: string
    readonly prev_topic?: string
    readonly topic?: string
    readonly prev_stream?: number
    readonly stream?: number
  }[]
  readonly match_content?: string
  readonly match_subject?: string
}

export type MutedUser = { readonly id: number; readonly timestamp: number }

export type NavigationView = {
  readonly fragment: string
  readonly is_pinned: boolean
  readonly name: string | null
}

export type NeverSubscribed = {
  readonly stream_id: number
  readonly name: string
  readonly is_archived: boolean
  readonly description: string
  readonly rendered_description: string
  readonly date_created: number
  readonly creator_id: number | null
  readonly invite_only: boolean
  readonly is_web_public: boolean
  readonly stream_post_policy: number
  readonly is_announcement_only: boolean
  readonly message_retention_days: number | null
  readonly history_public_to_subscribers: boolean
  readonly topics_policy: string
  readonly parley_link_previews: boolean
  readonly folder_id: number | null
  readonly can_add_subscribers_group: GroupSetting
  readonly can_remove_subscribers_group: GroupSetting
  readonly can_administer_channel_group: GroupSetting
  readonly can_delete_any_message_group: GroupSetting
  readonly can_delete_own_message_group: GroupSetting
  readonly can_move_messages_out_of_channel_group: GroupSetting
  readonly can_move_messages_within_channel_group: GroupSetting
  readonly can_send_message_group: GroupSetting
  readonly can_subscribe_group: GroupSetting
  readonly can_resolve_topics_group: GroupSetting
  readonly can_create_topic_group: GroupSetting
  readonly can_pin_group: GroupSetting
  readonly first_message_id: number | null
  readonly is_recently_active: boolean
  readonly stream_weekly_traffic: number | null
  readonly subscriber_count: number
  readonly subscribers?: readonly number[]
  readonly partial_subscribers?: readonly number[]
}

export type NewUserSettings = {
  readonly translate_emoticons: boolean
  readonly send_read_receipts: boolean
  readonly send_private_typing_notifications: boolean
  readonly send_stream_typing_notifications: boolean
  readonly receives_typing_notifications: boolean
  readonly enable_drafts_synchronization: boolean
  readonly resolved_topic_notice_auto_read_policy: 'always' | 'except_followed' | 'never'
  readonly enable_login_emails: boolean
  readonly twenty_four_hour_time: boolean
  readonly enter_sends: boolean
  readonly starred_message_counts: boolean
  readonly fluid_layout_width: boolean
  readonly high_contrast_mode: boolean
  readonly color_scheme: 1 | 2 | 3
  readonly display_emoji_reaction_users: boolean
  readonly default_language: string
  readonly left_side_userlist: boolean
  readonly emojiset: 'google' | 'google-blob' | 'twitter' | 'text'
  readonly demote_inactive_streams: 1 | 2 | 3
  readonly user_list_style: 1 | 2 | 3
  readonly hide_ai_features: boolean
  readonly web_home_view: 'inbox' | 'recent' | 'all_messages'
  readonly web_escape_navigates_to_home_view: boolean
  readonly web_mark_read_on_scroll_policy: 1 | 2 | 3
  readonly web_channel_default_view: 1 | 2 | 3 | 4
  readonly web_suggest_update_timezone: boolean
  readonly web_font_size_px: number
  readonly web_line_height_percent: number
  readonly web_animate_image_previews: 'always' | 'on_hover' | 'never'
  readonly web_stream_unreads_count_display_policy: 1 | 2 | 3
  readonly web_navigate_to_sent_message: boolean
  readonly web_left_sidebar_unreads_count_summary: boolean
  readonly web_left_sidebar_show_channel_folders: boolean
  readonly web_inbox_show_channel_folders: boolean
  readonly enable_stream_desktop_notifications: boolean
  readonly enable_stream_email_notifications: boolean
  readonly enable_stream_push_notifications: boolean
  readonly enable_stream_audible_notifications: boolean
  readonly notification_sound: 'ding' | 'none'
  readonly enable_desktop_notifications: boolean
  readonly enable_sounds: boolean
  readonly enable_followed_topic_desktop_notifications: boolean
  readonly enable_followed_topic_email_notifications: boolean
  readonly enable_followed_topic_push_notifications: boolean
  readonly enable_followed_topic_audible_notifications: boolean
  readonly email_notifications_batching_period_seconds: number
  readonly enable_offline_email_notifications: boolean
  readonly enable_offline_push_notifications: boolean
  readonly enable_online_push_notifications: boolean
  readonly enable_digest_emails: boolean
  readonly enable_marketing_emails: boolean
  readonly message_content_in_email_notifications: boolean
  readonly pm_content_in_desktop_notifications: boolean
  readonly parley_hide_notification_text: boolean
  readonly parley_show_link_previews: boolean
  readonly parley_show_topic_tour: boolean
  readonly parley_notifications_paused_until: number
  readonly parley_quiet_hours: string
  readonly wildcard_mentions_notify: boolean
  readonly enable_followed_topic_wildcard_mentions_notify: boolean
  readonly desktop_icon_count_display: 1 | 2 | 3 | 4
  readonly realm_name_in_email_notifications_policy: 1 | 2 | 3
  readonly automatically_follow_topics_policy: 1 | 2 | 3 | 4
  readonly automatically_unmute_topics_in_muted_streams_policy: 1 | 2 | 3 | 4
  readonly automatically_follow_topics_where_mentioned: boolean
  readonly presence_enabled: boolean
  readonly allow_private_data_export: boolean
  readonly email_address_visibility: 1 | 2 | 3 | 4 | 5
  readonly available_notification_sounds: readonly string[]
  readonly emojiset_choices: readonly { readonly key: string; readonly text: string }[]
}

export type OwnBot = {
  readonly user_id: number
  readonly username: string
  readonly full_name: string
  readonly api_key: string
  readonly avatar_url: string
  readonly default_sending_stream: string | null
  readonly default_events_register_stream: string | null
  readonly default_all_public_streams: boolean
}

export type OwnSettings = {
  readonly timezone: string
  readonly translate_emoticons: boolean
  readonly send_read_receipts: boolean
  readonly send_private_typing_notifications: boolean
  readonly send_stream_typing_notifications: boolean
  readonly receives_typing_notifications: boolean
  readonly enable_drafts_synchronization: boolean
  readonly resolved_topic_notice_auto_read_policy: 'always' | 'except_followed' | 'never'
  readonly enable_login_emails: boolean
  readonly twenty_four_hour_time: boolean
  readonly enter_sends: boolean
  readonly starred_message_counts: boolean
  readonly fluid_layout_width: boolean
  readonly high_contrast_mode: boolean
  readonly color_scheme: 1 | 2 | 3
  readonly display_emoji_reaction_users: boolean
  readonly default_language: string
  readonly left_side_userlist: boolean
  readonly emojiset: 'google' | 'google-blob' | 'twitter' | 'text'
  readonly demote_inactive_streams: 1 | 2 | 3
  readonly user_list_style: 1 | 2 | 3
  readonly hide_ai_features: boolean
  readonly web_home_view: 'inbox' | 'recent' | 'all_messages'
  readonly web_escape_navigates_to_home_view: boolean
  readonly web_mark_read_on_scroll_policy: 1 | 2 | 3
  readonly web_channel_default_view: 1 | 2 | 3 | 4
  readonly web_suggest_update_timezone: boolean
  readonly web_font_size_px: number
  readonly web_line_height_percent: number
  readonly web_animate_image_previews: 'always' | 'on_hover' | 'never'
  readonly web_stream_unreads_count_display_policy: 1 | 2 | 3
  readonly web_navigate_to_sent_message: boolean
  readonly web_left_sidebar_unreads_count_summary: boolean
  readonly web_left_sidebar_show_channel_folders: boolean
  readonly web_inbox_show_channel_folders: boolean
  readonly enable_stream_desktop_notifications: boolean
  readonly enable_stream_email_notifications: boolean
  readonly enable_stream_push_notifications: boolean
  readonly enable_stream_audible_notifications: boolean
  readonly notification_sound: 'ding' | 'none'
  readonly enable_desktop_notifications: boolean
  readonly enable_sounds: boolean
  readonly enable_followed_topic_desktop_notifications: boolean
  readonly enable_followed_topic_email_notifications: boolean
  readonly enable_followed_topic_push_notifications: boolean
  readonly enable_followed_topic_audible_notifications: boolean
  readonly email_notifications_batching_period_seconds: number
  readonly enable_offline_email_notifications: boolean
  readonly enable_offline_push_notifications: boolean
  readonly enable_online_push_notifications: boolean
  readonly enable_digest_emails: boolean
  readonly enable_marketing_emails: boolean
  readonly message_content_in_email_notifications: boolean
  readonly pm_content_in_desktop_notifications: boolean
  readonly parley_hide_notification_text: boolean
  readonly parley_show_link_previews: boolean
  readonly parley_show_topic_tour: boolean
  readonly parley_notifications_paused_until: number
  readonly parley_quiet_hours: string
  readonly wildcard_mentions_notify: boolean
  readonly enable_followed_topic_wildcard_mentions_notify: boolean
  readonly desktop_icon_count_display: 1 | 2 | 3 | 4
  readonly realm_name_in_email_notifications_policy: 1 | 2 | 3
  readonly automatically_follow_topics_policy: 1 | 2 | 3 | 4
  readonly automatically_unmute_topics_in_muted_streams_policy: 1 | 2 | 3 | 4
  readonly automatically_follow_topics_where_mentioned: boolean
  readonly presence_enabled: boolean
  readonly allow_private_data_export: boolean
  readonly email_address_visibility: 1 | 2 | 3 | 4 | 5
  readonly available_notification_sounds: readonly string[]
  readonly emojiset_choices: readonly { readonly key: string; readonly text: string }[]
}

export type PermissionRule = {
  readonly require_system_group: boolean
  readonly allow_internet_group: boolean
  readonly allow_nobody_group: boolean
  readonly allow_everyone_group: boolean
  readonly default_group_name: string
  readonly default_for_system_groups: string | null
  readonly allowed_system_groups: readonly string[]
}

export type Playground = {
  readonly id: number
  readonly name: string
  readonly highlighter_language: string
  readonly url_template: string
  readonly [name: string]: unknown
}

export type Presence = { readonly active_timestamp: number; readonly idle_timestamp: number }

export type PresencesByEmail = Readonly<
  Record<
    string,
    {
      readonly website: {
        readonly client: string
        readonly status: 'active' | 'idle'
        readonly timestamp: number
        readonly pushable: boolean
      }
      readonly aggregated: {
        readonly client: string
        readonly status: 'active' | 'idle'
        readonly timestamp: number
      }
    }
  >
>

export type Profile = Readonly<Record<string, { readonly value: string; readonly rendered_value?: string }>>

export type ProfileField = {
  readonly id: number
  readonly type: number
  readonly order: number
  readonly name: string
  readonly hint: string
  readonly field_data: string
  readonly display_in_profile_summary: boolean
  readonly required: boolean
  readonly editable_by_user: boolean
}

export type Reminder = {
  readonly reminder_id: number
  readonly type: 'private'
  readonly to: readonly number[]
  readonly content: string
  readonly rendered_content: string
  readonly scheduled_delivery_timestamp: number
  readonly failed: boolean
  readonly reminder_target_message_id: number
}

export type ScheduledMessage = {
  readonly scheduled_message_id: number
  readonly type: 'stream' | 'private'
  readonly to: number | readonly number[]
  readonly content: string
  readonly rendered_content: string
  readonly scheduled_delivery_timestamp: number
  readonly failed: boolean
  readonly topic?: string
}

export type SentMessage = {
  readonly id: number
  readonly sender_id: number
  readonly content: string
  readonly content_type: 'text/html' | 'text/x-markdown'
  readonly type: 'stream' | 'private'
  readonly display_recipient:
    | string
    | readonly {
        readonly id: number
        readonly email: string
        readonly full_name: string
        readonly is_mirror_dummy: boolean
      }[]
  readonly recipient_id: number
  readonly subject: string
  readonly timestamp: number
  readonly client: string
  readonly topic_links: readonly { readonly text: string; readonly url: string }[]
  readonly is_me_message: boolean
  readonly reactions: readonly {
    readonly emoji_name: string
    readonly emoji_code: string
    readonly reaction_type: 'unicode_emoji' | 'realm_emoji' | 'service_extra_emoji' | 'zulip_extra_emoji'
    readonly user_id: number
    readonly user?: {
      readonly id: number
      readonly email: string
      readonly full_name: string
      readonly is_mirror_dummy: boolean
    }
  }[]
  readonly submessages: readonly {
    readonly id: number
    readonly message_id: number
    readonly sender_id: number
    readonly msg_type: string
    readonly content: string
  }[]
  readonly sender_full_name: string
  readonly sender_email: string
  readonly sender_realm_str: string
  readonly avatar_url: string | null
  readonly stream_id?: number
  readonly last_edit_timestamp?: number
  readonly last_moved_timestamp?: number
  readonly edit_history?: readonly {
    readonly user_id: number | null
    readonly timestamp: number
    readonly prev_content?: string
    readonly prev_rendered_content?: string
    readonly prev_topic?: string
    readonly topic?: string
    readonly prev_stream?: number
    readonly stream?: number
  }[]
}

export type Snippet = {
  readonly id: number
  readonly title: string
  readonly content: string
  readonly date_created: number
}

export type Subscription = {
  readonly stream_id: number
  readonly name: string
  readonly is_archived: boolean
  readonly description: string
  readonly rendered_description: string
  readonly date_created: number
  readonly creator_id: number | null
  readonly invite_only: boolean
  readonly is_web_public: boolean
  readonly stream_post_policy: number
  readonly is_announcement_only: boolean
  readonly message_retention_days: number | null
  readonly history_public_to_subscribers: boolean
  readonly topics_policy: string
  readonly parley_link_previews: boolean
  readonly folder_id: number | null
  readonly can_add_subscribers_group: GroupSetting
  readonly can_remove_subscribers_group: GroupSetting
  readonly can_administer_channel_group: GroupSetting
  readonly can_delete_any_message_group: GroupSetting
  readonly can_delete_own_message_group: GroupSetting
  readonly can_move_messages_out_of_channel_group: GroupSetting
  readonly can_move_messages_within_channel_group: GroupSetting
  readonly can_send_message_group: GroupSetting
  readonly can_subscribe_group: GroupSetting
  readonly can_resolve_topics_group: GroupSetting
  readonly can_create_topic_group: GroupSetting
  readonly can_pin_group: GroupSetting
  readonly first_message_id: number | null
  readonly is_recently_active: boolean
  readonly stream_weekly_traffic: number | null
  readonly subscriber_count: number
  readonly desktop_notifications: boolean | null
  readonly email_notifications: boolean | null
  readonly wildcard_mentions_notify: boolean | null
  readonly push_notifications: boolean | null
  readonly audible_notifications: boolean | null
  readonly pin_to_top: boolean
  readonly is_muted: boolean
  readonly in_home_view: boolean
  readonly color: string
  readonly subscribers?: readonly number[]
  readonly partial_subscribers?: readonly number[]
}

export type UnreadMessages = {
  readonly count: number
  readonly pms: readonly {
    readonly other_user_id: number
    readonly sender_id: number
    readonly unread_message_ids: readonly number[]
  }[]
  readonly streams: readonly {
    readonly stream_id: number
    readonly topic: string
    readonly unread_message_ids: readonly number[]
  }[]
  readonly huddles: readonly {
    readonly user_ids_string: string
    readonly unread_message_ids: readonly number[]
  }[]
  readonly mentions: readonly number[]
  readonly old_unreads_missing: boolean
}

export type User = {
  readonly user_id: number
  readonly delivery_email: string | null
  readonly email: string
  readonly full_name: string
  readonly date_joined: string
  readonly is_active: boolean
  readonly is_owner: boolean
  readonly is_admin: boolean
  readonly is_guest: boolean
  readonly is_bot: boolean
  readonly bot_type: number | null
  readonly bot_owner_id: number | null
  readonly role: 100 | 200 | 300 | 400 | 600
  readonly timezone: string
  readonly avatar_url: string | null
  readonly avatar_version: number
  readonly is_imported_stub: boolean
  readonly profile_data?: Profile
  readonly is_system_bot?: boolean
}

export type UserGroup = {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly creator_id: number | null
  readonly date_created: number | null
  readonly members: readonly number[]
  readonly direct_subgroup_ids: readonly number[]
  readonly is_system_group: boolean
  readonly deactivated: boolean
  readonly can_add_members_group: GroupSetting
  readonly can_join_group: GroupSetting
  readonly can_leave_group: GroupSetting
  readonly can_manage_group: GroupSetting
  readonly can_mention_group: GroupSetting
  readonly can_remove_members_group: GroupSetting
}

export type UserStatus = {
  readonly away?: boolean
  readonly status_text?: string
  readonly emoji_name?: string
  readonly emoji_code?: string
  readonly reaction_type?: 'unicode_emoji' | 'realm_emoji' | 'service_extra_emoji' | 'zulip_extra_emoji'
}

export type UserTopic = {
  readonly stream_id: number
  readonly topic_name: string
  readonly last_updated: number
  readonly visibility_policy: number
}

/** Any event; `type` and `op` tell which. */
export type Event =
  | { readonly id: number; readonly type: 'alert_words'; readonly alert_words: readonly string[] }
  | {
      readonly id: number
      readonly type: 'attachment'
      readonly op: 'add'
      readonly attachment: Attachment
      readonly upload_space_used: number
    }
  | {
      readonly id: number
      readonly type: 'attachment'
      readonly op: 'remove'
      readonly attachment: { readonly id: number }
      readonly upload_space_used: number
    }
  | {
      readonly id: number
      readonly type: 'attachment'
      readonly op: 'update'
      readonly attachment: Attachment
      readonly upload_space_used: number
    }
  | {
      readonly id: number
      readonly type: 'channel_folder'
      readonly op: 'add'
      readonly channel_folder: ChannelFolder
    }
  | {
      readonly id: number
      readonly type: 'channel_folder'
      readonly op: 'reorder'
      readonly order: readonly number[]
    }
  | {
      readonly id: number
      readonly type: 'channel_folder'
      readonly op: 'update'
      readonly channel_folder_id: number
      readonly data: {
        readonly name?: string
        readonly description?: string
        readonly rendered_description?: string
        readonly is_archived?: boolean
      }
    }
  | {
      readonly id: number
      readonly type: 'channel_pins'
      readonly stream_id: number
      readonly pins: readonly {
        readonly id: number
        readonly message_id: number | null
        readonly topic: string | null
      }[]
    }
  | { readonly id: number; readonly type: 'custom_profile_fields'; readonly fields: readonly ProfileField[] }
  | {
      readonly id: number
      readonly type: 'default_stream_groups'
      readonly default_stream_groups: readonly {
        readonly id: number
        readonly name: string
        readonly description: string
        readonly streams: readonly number[]
      }[]
    }
  | { readonly id: number; readonly type: 'default_streams'; readonly default_streams: readonly number[] }
  | {
      readonly id: number
      readonly type: 'delete_message'
      readonly message_type: 'private' | 'stream'
      readonly message_ids: readonly number[]
      readonly stream_id?: number
      readonly topic?: string
    }
  | {
      readonly id: number
      readonly type: 'delete_message'
      readonly message_type: 'private' | 'stream'
      readonly message_id: number
      readonly stream_id?: number
      readonly topic?: string
    }
  | { readonly id: number; readonly type: 'device'; readonly op: 'add'; readonly device_id: number }
  | { readonly id: number; readonly type: 'device'; readonly op: 'remove'; readonly device_id: number }
  | {
      readonly id: number
      readonly type: 'device'
      readonly op: 'update'
      readonly device_id: number
      readonly push_key_id?: number | null
      readonly push_token_id?: string | null
      readonly pending_push_token_id?: string | null
      readonly push_token_last_updated_timestamp?: number | null
      readonly push_registration_error_code?: string | null
    }
  | { readonly id: number; readonly type: 'drafts'; readonly op: 'add'; readonly drafts: readonly Draft[] }
  | { readonly id: number; readonly type: 'drafts'; readonly op: 'remove'; readonly draft_id: number }
  | { readonly id: number; readonly type: 'drafts'; readonly op: 'update'; readonly draft: Draft }
  | { readonly id: number; readonly type: 'has_provider_token'; readonly value: boolean }
  | { readonly id: number; readonly type: 'heartbeat' }
  | { readonly id: number; readonly type: 'invites_changed' }
  | {
      readonly id: number
      readonly type: 'message'
      readonly flags: readonly string[]
      readonly message: SentMessage
      readonly local_message_id?: string
    }
  | {
      readonly id: number
      readonly type: 'muted_topics'
      readonly muted_topics: readonly (readonly (string | number)[])[]
    }
  | { readonly id: number; readonly type: 'muted_users'; readonly muted_users: readonly MutedUser[] }
  | {
      readonly id: number
      readonly type: 'navigation_view'
      readonly op: 'add'
      readonly navigation_view: NavigationView
    }
  | {
      readonly id: number
      readonly type: 'navigation_view'
      readonly op: 'remove'
      readonly fragment: string
    }
  | {
      readonly id: number
      readonly type: 'navigation_view'
      readonly op: 'update'
      readonly fragment: string
      readonly data: { readonly is_pinned?: boolean; readonly name?: string | null }
    }
  | {
      readonly id: number
      readonly type: 'own_export'
      readonly export: {
        readonly id: number
        readonly export_time: number
        readonly deleted_timestamp: number | null
        readonly failed_timestamp: number | null
        readonly export_url: string | null
        readonly pending: boolean
      }
    }
  | { readonly id: number; readonly type: 'presence'; readonly presences: Readonly<Record<string, Presence>> }
  | {
      readonly id: number
      readonly type: 'presence'
      readonly user_id: number
      readonly email: string
      readonly server_timestamp: number
      readonly presence: {
        readonly website: {
          readonly client: string
          readonly status: 'active' | 'idle'
          readonly timestamp: number
          readonly pushable: boolean
        }
      }
    }
  | {
      readonly id: number
      readonly type: 'reaction'
      readonly op: 'add'
      readonly message_id: number
      readonly emoji_name: string
      readonly emoji_code: string
      readonly reaction_type: 'unicode_emoji' | 'realm_emoji' | 'service_extra_emoji' | 'zulip_extra_emoji'
      readonly user_id: number
      readonly user?: {
        readonly user_id: number
        readonly email: string
        readonly full_name: string
        readonly is_mirror_dummy: boolean
      }
    }
  | {
      readonly id: number
      readonly type: 'reaction'
      readonly op: 'remove'
      readonly message_id: number
      readonly emoji_name: string
      readonly emoji_code: string
      readonly reaction_type: 'unicode_emoji' | 'realm_emoji' | 'service_extra_emoji' | 'zulip_extra_emoji'
      readonly user_id: number
      readonly user?: {
        readonly user_id: number
        readonly email: string
        readonly full_name: string
        readonly is_mirror_dummy: boolean
      }
    }
  | {
      readonly id: number
      readonly type: 'realm'
      readonly op: 'update'
      readonly property: 'push_notifications_enabled'
      readonly value: boolean
    }
  | {
      readonly id: number
      readonly type: 'realm'
      readonly op: 'update_dict'
      readonly property: 'default'
      readonly data: {
        readonly name?: string
        readonly description?: string
        readonly waiting_period_threshold?: number
        readonly topics_policy?: 'allow_empty_topic' | 'disable_empty_topic'
        readonly enable_spectator_access?: boolean
        readonly message_retention_days?: number
        readonly send_channel_events_messages?: boolean
        readonly new_stream_announcements_stream_id?: number
        readonly moderation_request_channel_id?: number
        readonly allow_message_editing?: boolean
        readonly message_content_edit_limit_seconds?: number | null
        readonly message_content_delete_limit_seconds?: number | null
        readonly move_messages_within_stream_limit_seconds?: number | null
        readonly move_messages_between_streams_limit_seconds?: number | null
        readonly message_edit_history_visibility_policy?: 'all' | 'moves' | 'none'
        readonly enable_read_receipts?: boolean
        readonly second_factor_grace_days?: number
        readonly second_factor_required_at?: number | null
        readonly join_without_confirmation?: boolean
        readonly default_avatar_source?: 'G' | 'J'
        readonly default_language?: string
        readonly default_code_block_language?: string
        readonly emails_restricted_to_domains?: boolean
        readonly inline_image_preview?: boolean
        readonly inline_url_embed_preview?: boolean
        readonly name_changes_disabled?: boolean
        readonly email_changes_disabled?: boolean
        readonly avatar_changes_disabled?: boolean
        readonly presence_disabled?: boolean
        readonly require_unique_names?: boolean
        readonly disallow_disposable_email_addresses?: boolean
        readonly enable_guest_user_indicator?: boolean
        readonly enable_guest_user_dm_warning?: boolean
        readonly digest_emails_enabled?: boolean
        readonly digest_weekday?: number
        readonly send_welcome_emails?: boolean
        readonly welcome_message_custom_text?: string
        readonly message_content_allowed_in_email_notifications?: boolean
        readonly video_chat_provider?: 0 | 1 | 3 | 4 | 1000
        readonly jitsi_server_url?: string | null
        readonly giphy_rating?: 0 | 1 | 2 | 3 | 4 | 5
        readonly org_type?: 0 | 10 | 20 | 30 | 35 | 40 | 50 | 60 | 70 | 80 | 90 | 100 | 1000
        readonly want_advertise_in_communities_directory?: boolean
        readonly mandatory_topics?: boolean
        readonly allow_edit_history?: boolean
        readonly can_access_all_users_group?: GroupSetting
        readonly can_add_custom_emoji_group?: GroupSetting
        readonly can_add_subscribers_group?: GroupSetting
        readonly can_create_bots_group?: GroupSetting
        readonly can_create_groups?: GroupSetting
        readonly can_create_private_channel_group?: GroupSetting
        readonly can_create_public_channel_group?: GroupSetting
        readonly can_create_web_public_channel_group?: GroupSetting
        readonly can_create_write_only_bots_group?: GroupSetting
        readonly can_delete_any_message_group?: GroupSetting
        readonly can_delete_own_message_group?: GroupSetting
        readonly can_invite_users_group?: GroupSetting
        readonly can_manage_all_groups?: GroupSetting
        readonly can_manage_billing_group?: GroupSetting
        readonly can_mention_many_users_group?: GroupSetting
        readonly can_move_messages_between_channels_group?: GroupSetting
        readonly can_move_messages_between_topics_group?: GroupSetting
        readonly can_resolve_topics_group?: GroupSetting
        readonly can_set_delete_message_policy_group?: GroupSetting
        readonly can_set_topics_policy_group?: GroupSetting
        readonly can_summarize_topics_group?: GroupSetting
        readonly create_multiuse_invite_group?: GroupSetting
        readonly direct_message_initiator_group?: GroupSetting
        readonly direct_message_permission_group?: GroupSetting
        readonly create_public_stream_policy?: number
        readonly create_private_stream_policy?: number
        readonly create_web_public_stream_policy?: number
        readonly wildcard_mention_policy?: number
        readonly edit_topic_policy?: number
      }
    }
  | {
      readonly id: number
      readonly type: 'realm'
      readonly op: 'update_dict'
      readonly property: 'icon' | 'logo' | 'night_logo'
      readonly data: {
        readonly icon_url?: string
        readonly icon_source?: 'G' | 'U'
        readonly logo_url?: string
        readonly logo_source?: 'D' | 'U'
        readonly night_logo_url?: string
        readonly night_logo_source?: 'D' | 'U'
      }
    }
  | { readonly id: number; readonly type: 'realm_bot'; readonly op: 'add'; readonly bot: Bot }
  | {
      readonly id: number
      readonly type: 'realm_bot'
      readonly op: 'delete'
      readonly bot: { readonly user_id: number }
    }
  | {
      readonly id: number
      readonly type: 'realm_bot'
      readonly op: 'update'
      readonly bot: {
        readonly user_id: number
        readonly is_active?: boolean
        readonly full_name?: string
        readonly owner_id?: number | null
        readonly avatar_url?: string
        readonly default_sending_stream?: string | null
        readonly default_events_register_stream?: string | null
        readonly default_all_public_streams?: boolean
        readonly services?: readonly {
          readonly base_url: string
          readonly token: string
          readonly interface: number
        }[]
      }
    }
  | {
      readonly id: number
      readonly type: 'realm_domains'
      readonly op: 'add'
      readonly realm_domain: EmailDomain
    }
  | {
      readonly id: number
      readonly type: 'realm_domains'
      readonly op: 'change'
      readonly realm_domain: EmailDomain
    }
  | { readonly id: number; readonly type: 'realm_domains'; readonly op: 'remove'; readonly domain: string }
  | { readonly id: number; readonly type: 'realm_emoji'; readonly op: 'add'; readonly emoji: CustomEmoji }
  | {
      readonly id: number
      readonly type: 'realm_emoji'
      readonly op: 'update'
      readonly realm_emoji: Readonly<Record<string, CustomEmoji>>
    }
  | {
      readonly id: number
      readonly type: 'realm_emoji'
      readonly op: 'update_one'
      readonly emoji_id: string
      readonly data: { readonly deactivated: boolean }
    }
  | {
      readonly id: number
      readonly type: 'realm_export'
      readonly exports: readonly {
        readonly id: number
        readonly export_time: number
        readonly deleted_timestamp: number | null
        readonly failed_timestamp: number | null
        readonly export_url: string | null
        readonly pending: boolean
        readonly acting_user_id: number
        readonly export_type: number
      }[]
    }
  | {
      readonly id: number
      readonly type: 'realm_export_consent'
      readonly user_id: number
      readonly consented: boolean
    }
  | {
      readonly id: number
      readonly type: 'realm_import'
      readonly import: {
        readonly id: number
        readonly acting_user_id: number
        readonly product: 'slack' | 'mattermost' | 'rocket-chat' | 'discord' | 'zulip' | 'parley'
        readonly file_name: string
        readonly fetch_files: boolean
        readonly keep_roles: boolean
        readonly import_time: number
        readonly phase: 'waiting' | 'checking' | 'checked' | 'running' | 'done' | 'failed' | 'cancelled'
        readonly phase_time: number
        readonly bytes: number | null
        readonly messages: number | null
        readonly progress: {
          readonly step:
            | 'starting'
            | 'people and channels'
            | 'people'
            | 'pictures of people'
            | 'custom emoji'
            | 'channels'
            | 'files'
            | 'messages'
            | 'pins, stars and archived channels'
          readonly messages: number
        } | null
        readonly reason: string | null
        readonly channel_names?: readonly { readonly name: string; readonly imported_as: string }[]
      }
    }
  | {
      readonly id: number
      readonly type: 'realm_linkifiers'
      readonly realm_linkifiers: readonly Linkifier[]
    }
  | {
      readonly id: number
      readonly type: 'realm_playgrounds'
      readonly realm_playgrounds: readonly Playground[]
    }
  | { readonly id: number; readonly type: 'realm_user'; readonly op: 'add'; readonly person: User }
  | {
      readonly id: number
      readonly type: 'realm_user'
      readonly op: 'remove'
      readonly person: { readonly user_id: number; readonly full_name: string }
    }
  | {
      readonly id: number
      readonly type: 'realm_user'
      readonly op: 'update'
      readonly person: {
        readonly user_id: number
        readonly is_active?: boolean
        readonly role?: number
        readonly full_name?: string
        readonly bot_owner_id?: number | null
        readonly date_joined?: string
        readonly email?: string
        readonly timezone?: string
      }
    }
  | {
      readonly id: number
      readonly type: 'realm_user'
      readonly op: 'update'
      readonly person: { readonly user_id: number; readonly new_email: string }
    }
  | {
      readonly id: number
      readonly type: 'realm_user'
      readonly op: 'update'
      readonly person: { readonly user_id: number; readonly delivery_email: string | null }
    }
  | {
      readonly id: number
      readonly type: 'realm_user'
      readonly op: 'update'
      readonly person: {
        readonly user_id: number
        readonly avatar_url: string
        readonly avatar_url_medium: string
        readonly avatar_source: 'G' | 'U' | 'J'
        readonly avatar_version: number
      }
    }
  | {
      readonly id: number
      readonly type: 'realm_user'
      readonly op: 'update'
      readonly person: {
        readonly user_id: number
        readonly custom_profile_field: {
          readonly id: number
          readonly value: string | null
          readonly rendered_value?: string
        }
      }
    }
  | {
      readonly id: number
      readonly type: 'realm_user'
      readonly op: 'update'
      readonly person: {
        readonly user_id: number
        readonly delivery_email: string | null
        readonly full_name: string
        readonly date_joined: string
        readonly is_active: boolean
        readonly is_owner: boolean
        readonly is_admin: boolean
        readonly is_guest: boolean
        readonly is_bot: boolean
        readonly bot_type: number | null
        readonly bot_owner_id: number | null
        readonly role: 100 | 200 | 300 | 400 | 600
        readonly timezone: string
        readonly avatar_url: string
        readonly avatar_version: number
        readonly is_imported_stub: boolean
        readonly avatar_url_medium: string
        readonly avatar_source: 'G' | 'U' | 'J'
        readonly new_email: string
        readonly profile_data?: Profile
        readonly is_system_bot?: boolean
      }
    }
  | {
      readonly id: number
      readonly type: 'realm_user_settings_defaults'
      readonly op: 'update'
      readonly property: string
      readonly value: boolean | number | string
      readonly language_name?: string
    }
  | {
      readonly id: number
      readonly type: 'reminders'
      readonly op: 'add'
      readonly reminders: readonly Reminder[]
    }
  | { readonly id: number; readonly type: 'reminders'; readonly op: 'remove'; readonly reminder_id: number }
  | {
      readonly id: number
      readonly type: 'restart'
      readonly server_generation: number
      readonly service_version?: string
      readonly service_merge_base?: string
      readonly service_feature_level?: number
    }
  | {
      readonly id: number
      readonly type: 'saved_snippets'
      readonly op: 'add'
      readonly saved_snippet: Snippet
    }
  | {
      readonly id: number
      readonly type: 'saved_snippets'
      readonly op: 'remove'
      readonly saved_snippet_id: number
    }
  | {
      readonly id: number
      readonly type: 'saved_snippets'
      readonly op: 'update'
      readonly saved_snippet: Snippet
    }
  | {
      readonly id: number
      readonly type: 'scheduled_messages'
      readonly op: 'add'
      readonly scheduled_messages: readonly ScheduledMessage[]
    }
  | {
      readonly id: number
      readonly type: 'scheduled_messages'
      readonly op: 'remove'
      readonly scheduled_message_id: number
    }
  | {
      readonly id: number
      readonly type: 'scheduled_messages'
      readonly op: 'update'
      readonly scheduled_message: ScheduledMessage
    }
  | {
      readonly id: number
      readonly type: 'stream'
      readonly op: 'create'
      readonly streams: readonly Channel[]
    }
  | {
      readonly id: number
      readonly type: 'stream'
      readonly op: 'delete'
      readonly stream_ids: readonly number[]
      readonly streams: readonly { readonly stream_id: number }[]
    }
  | {
      readonly id: number
      readonly type: 'stream'
      readonly op: 'update'
      readonly stream_id: number
      readonly name: string
      readonly property: string
      readonly value: number | null | string | boolean | GroupSetting
      readonly rendered_description?: string
      readonly history_public_to_subscribers?: boolean
      readonly is_web_public?: boolean
    }
  | {
      readonly id: number
      readonly type: 'submessage'
      readonly submessage_id: number
      readonly message_id: number
      readonly sender_id: number
      readonly msg_type: string
      readonly content: string
    }
  | {
      readonly id: number
      readonly type: 'subscription'
      readonly op: 'add'
      readonly subscriptions: readonly Subscription[]
    }
  | {
      readonly id: number
      readonly type: 'subscription'
      readonly op: 'peer_add'
      readonly stream_ids: readonly number[]
      readonly user_ids: readonly number[]
    }
  | {
      readonly id: number
      readonly type: 'subscription'
      readonly op: 'peer_remove'
      readonly stream_ids: readonly number[]
      readonly user_ids: readonly number[]
    }
  | {
      readonly id: number
      readonly type: 'subscription'
      readonly op: 'remove'
      readonly subscriptions: readonly { readonly stream_id: number; readonly name: string }[]
    }
  | {
      readonly id: number
      readonly type: 'subscription'
      readonly op: 'update'
      readonly stream_id: number
      readonly property: string
      readonly value: boolean | null | string
    }
  | {
      readonly id: number
      readonly type: 'typing'
      readonly op: 'start'
      readonly message_type: 'direct' | 'stream'
      readonly sender: { readonly user_id: number; readonly email: string }
      readonly recipients?: readonly { readonly user_id: number; readonly email: string }[]
      readonly stream_id?: number
      readonly topic?: string
    }
  | {
      readonly id: number
      readonly type: 'typing'
      readonly op: 'stop'
      readonly message_type: 'direct' | 'stream'
      readonly sender: { readonly user_id: number; readonly email: string }
      readonly recipients?: readonly { readonly user_id: number; readonly email: string }[]
      readonly stream_id?: number
      readonly topic?: string
    }
  | {
      readonly id: number
      readonly type: 'typing_edit_message'
      readonly op: 'start'
      readonly sender_id: number
      readonly message_id: number
      readonly recipient: {
        readonly type: 'direct' | 'channel'
        readonly user_ids?: readonly number[]
        readonly channel_id?: number
        readonly topic?: string
      }
    }
  | {
      readonly id: number
      readonly type: 'typing_edit_message'
      readonly op: 'stop'
      readonly sender_id: number
      readonly message_id: number
      readonly recipient: {
        readonly type: 'direct' | 'channel'
        readonly user_ids?: readonly number[]
        readonly channel_id?: number
        readonly topic?: string
      }
    }
  | {
      readonly id: number
      readonly type: 'update_display_settings'
      readonly user: string
      readonly setting_name: string
      readonly setting: boolean | number | string
      readonly language_name?: string
    }
  | {
      readonly id: number
      readonly type: 'update_global_notifications'
      readonly user: string
      readonly notification_name: string
      readonly setting: boolean | number | string
    }
  | {
      readonly id: number
      readonly type: 'update_message'
      readonly user_id: number | null
      readonly rendering_only: boolean
      readonly message_id: number
      readonly message_ids: readonly number[]
      readonly flags: readonly string[]
      readonly edit_timestamp: number
      readonly stream_id?: number
      readonly stream_name?: string
      readonly orig_content?: string
      readonly orig_rendered_content?: string
      readonly content?: string
      readonly rendered_content?: string
      readonly is_me_message?: boolean
      readonly orig_subject?: string
      readonly propagate_mode?: 'change_one' | 'change_later' | 'change_all'
      readonly subject?: string
      readonly topic_links?: readonly { readonly text: string; readonly url: string }[]
      readonly new_stream_id?: number
    }
  | {
      readonly id: number
      readonly type: 'update_message'
      readonly user_id: number | null
      readonly rendering_only: boolean
      readonly message_id: number
      readonly message_ids: readonly number[]
      readonly flags: readonly string[]
      readonly edit_timestamp: number
      readonly stream_id?: number
      readonly stream_name?: string
      readonly orig_content?: string
      readonly orig_rendered_content?: string
      readonly content?: string
      readonly rendered_content?: string
      readonly is_me_message?: boolean
      readonly orig_subject?: string
      readonly propagate_mode?: 'change_one' | 'change_later' | 'change_all'
      readonly subject?: string
      readonly topic_links?: readonly { readonly text: string; readonly url: string }[]
      readonly new_stream_id?: number
    }
  | {
      readonly id: number
      readonly type: 'update_message_flags'
      readonly op: 'add' | 'remove'
      readonly operation: 'add' | 'remove'
      readonly flag: string
      readonly messages: readonly number[]
      readonly all: boolean
      readonly message_details?: Readonly<
        Record<
          string,
          {
            readonly type: 'stream' | 'private'
            readonly mentioned?: boolean
            readonly user_ids?: readonly number[]
            readonly stream_id?: number
            readonly topic?: string
            readonly unmuted_stream_msg?: boolean
          }
        >
      >
    }
  | { readonly id: number; readonly type: 'user_group'; readonly op: 'add'; readonly group: UserGroup }
  | {
      readonly id: number
      readonly type: 'user_group'
      readonly op: 'add_members'
      readonly group_id: number
      readonly user_ids: readonly number[]
    }
  | {
      readonly id: number
      readonly type: 'user_group'
      readonly op: 'add_subgroups'
      readonly group_id: number
      readonly direct_subgroup_ids: readonly number[]
    }
  | { readonly id: number; readonly type: 'user_group'; readonly op: 'remove'; readonly group_id: number }
  | {
      readonly id: number
      readonly type: 'user_group'
      readonly op: 'remove_members'
      readonly group_id: number
      readonly user_ids: readonly number[]
    }
  | {
      readonly id: number
      readonly type: 'user_group'
      readonly op: 'remove_subgroups'
      readonly group_id: number
      readonly direct_subgroup_ids: readonly number[]
    }
  | {
      readonly id: number
      readonly type: 'user_group'
      readonly op: 'update'
      readonly group_id: number
      readonly data: {
        readonly name?: string
        readonly description?: string
        readonly deactivated?: boolean
        readonly can_add_members_group?: GroupSetting
        readonly can_join_group?: GroupSetting
        readonly can_leave_group?: GroupSetting
        readonly can_manage_group?: GroupSetting
        readonly can_mention_group?: GroupSetting
        readonly can_remove_members_group?: GroupSetting
      }
    }
  | {
      readonly id: number
      readonly type: 'user_settings'
      readonly op: 'update'
      readonly property: string
      readonly value: boolean | number | string
      readonly language_name?: string
    }
  | {
      readonly id: number
      readonly type: 'user_status'
      readonly user_id: number
      readonly away?: boolean
      readonly status_text?: string
      readonly emoji_name?: string
      readonly emoji_code?: string
      readonly reaction_type?: 'unicode_emoji' | 'realm_emoji' | 'service_extra_emoji' | 'zulip_extra_emoji'
    }
  | {
      readonly id: number
      readonly type: 'user_topic'
      readonly stream_id: number
      readonly topic_name: string
      readonly last_updated: number
      readonly visibility_policy: number
    }

/** The state that a registration returns; the requested types decide which fields it has. */
export type InitialState = Operations['POST /register']['reply']

/** The operations by method and path: what each takes, and what it answers. */
export interface Operations {
  /** Create a video call. */
  'POST /calls/provider/create': {
    params: { readonly is_video_call?: boolean | undefined }
    reply: { readonly url: string }
  }
  /** Authorize video calls at the provider. */
  'GET /calls/provider/register': {
    params: {}
    reply: { readonly url: string }
  }
  /** Create a meeting at BigBlueButton. */
  'GET /calls/bigbluebutton/create': {
    params: { readonly meeting_name: string; readonly voice_only?: boolean | undefined }
    reply: { readonly url: string }
  }
  /** Create a call at LiveKit. */
  'POST /calls/livekit/create': {
    params: {
      readonly type: 'direct' | 'channel'
      readonly to?: readonly number[] | undefined
      readonly stream_id?: number | undefined
    }
    reply: { readonly url: string }
  }
  /** Get invitations. */
  'GET /invites': {
    params: {}
    reply: {
      readonly invites: readonly {
        readonly id: number
        readonly invited_by_user_id: number
        readonly invited: number
        readonly expiry_date: number | null
        readonly invited_as: number
        readonly is_multiuse: boolean
        readonly link_url?: string
        readonly email?: string
        readonly notify_referrer_on_join?: boolean
      }[]
    }
  }
  /** Create a reusable invitation link. */
  'POST /invites/multiuse': {
    params: {
      readonly invite_expires_in_minutes?: number | null | undefined
      readonly invite_as?: 100 | 200 | 300 | 400 | 600 | undefined
      readonly group_ids?: readonly number[] | undefined
      readonly include_realm_default_subscriptions?: boolean | undefined
      readonly welcome_message_custom_text?: string | null | undefined
      readonly stream_ids?: readonly number[] | undefined
    }
    reply: { readonly invite_link: string }
  }
  /** Revoke an invitation link. */
  'DELETE /invites/multiuse/{invite_id}': {
    params: { readonly invite_id: number }
    reply: {}
  }
  /** Invite people by email. */
  'POST /invites': {
    params: {
      readonly invitee_emails: string
      readonly invite_expires_in_minutes?: number | null | undefined
      readonly invite_as?: 100 | 200 | 300 | 400 | 600 | undefined
      readonly group_ids?: readonly number[] | undefined
      readonly include_realm_default_subscriptions?: boolean | undefined
      readonly welcome_message_custom_text?: string | null | undefined
      readonly stream_ids: readonly number[]
      readonly notify_referrer_on_join?: boolean | undefined
    }
    reply: {}
  }
  /** Revoke an invitation. */
  'DELETE /invites/{invite_id}': {
    params: { readonly invite_id: number }
    reply: {}
  }
  /** Get a personal invitation link. */
  'POST /invites/{invite_id}/link': {
    params: { readonly invite_id: number }
    reply: { readonly invite_link: string }
  }
  /** Resend an invitation. */
  'POST /invites/{invite_id}/resend': {
    params: { readonly invite_id: number }
    reply: {}
  }
  /** Get server settings. */
  'GET /server_settings': {
    params: {}
    reply: {
      readonly authentication_methods: Readonly<Record<string, boolean>>
      readonly external_authentication_methods: readonly {
        readonly name: string
        readonly display_name: string
        readonly display_icon: string | null
        readonly login_url: string
        readonly signup_url: string
      }[]
      readonly service_version: string
      readonly service_merge_base: string
      readonly service_feature_level: number
      readonly parley_version: string
      readonly push_notifications_enabled: boolean
      readonly is_incompatible: boolean
      readonly email_auth_enabled: boolean
      readonly require_email_format_usernames: boolean
      readonly realm_url: string
      readonly realm_uri: string
      readonly realm_name: string
      readonly realm_icon: string
      readonly realm_description: string
      readonly realm_web_public_access_enabled: boolean
      readonly is_exposed_demo?: boolean
    }
  }
  /** Get whether mails leave the server. */
  'GET /server/mail': {
    params: {}
    reply: {
      readonly is_configured: boolean
      readonly sent_at: number | null
      readonly failed_at: number | null
      readonly problem: string | null
    }
  }
  /** Send a test mail to oneself. */
  'POST /server/mail/test': {
    params: {}
    reply: {}
  }
  /** Fetch an API key. */
  'POST /fetch_api_key': {
    params: { readonly username: string; readonly password: string; readonly otp_token?: string | undefined }
    reply: { readonly api_key: string; readonly email: string; readonly user_id: number }
  }
  /** Log in with a session. */
  'POST /login': {
    params: { readonly username: string; readonly password: string; readonly otp_token?: string | undefined }
    reply: { readonly email: string; readonly user_id: number }
  }
  /** Log in the desktop app. */
  'POST /login/desktop': {
    params: { readonly token: string }
    reply: { readonly email: string; readonly user_id: number }
  }
  /** Get the accounts of the demo. */
  'GET /demo_accounts': {
    params: { readonly token: string }
    reply: {
      readonly accounts: readonly {
        readonly email: string
        readonly full_name: string
        readonly role: number
      }[]
    }
  }
  /** Log in to the demo. */
  'POST /demo_login': {
    params: { readonly token: string; readonly email: string }
    reply: { readonly email: string; readonly user_id: number }
  }
  /** Log out. */
  'POST /logout': {
    params: {}
    reply: {}
  }
  /** Get own sessions. */
  'GET /users/me/sessions': {
    params: {}
    reply: {
      readonly sessions: readonly {
        readonly id: string
        readonly client: string
        readonly client_name: string
        readonly address: string
        readonly created_at: number
        readonly last_seen_at: number
        readonly is_current: boolean
      }[]
    }
  }
  /** End all other own sessions. */
  'DELETE /users/me/sessions': {
    params: {}
    reply: {}
  }
  /** End an own session. */
  'DELETE /users/me/sessions/{session_id}': {
    params: { readonly session_id: string }
    reply: {}
  }
  /** End a user's sessions. */
  'DELETE /users/{user_id}/sessions': {
    params: { readonly user_id: number }
    reply: {}
  }
  /** Get own second factors. */
  'GET /users/me/two_factor': {
    params: {}
    reply: {
      readonly totp_enabled: boolean
      readonly recovery_codes_left: number
      readonly required_from: number | null
    }
  }
  /** Set up an authenticator app. */
  'POST /users/me/two_factor/totp': {
    params: { readonly password?: string | undefined; readonly otp_token?: string | undefined }
    reply: { readonly secret: string; readonly otpauth_url: string }
  }
  /** Enable the authenticator app. */
  'POST /users/me/two_factor/totp/confirm': {
    params: { readonly otp_token: string }
    reply: { readonly recovery_codes: readonly string[] }
  }
  /** Disable the authenticator app. */
  'DELETE /users/me/two_factor/totp': {
    params: { readonly password?: string | undefined; readonly otp_token?: string | undefined }
    reply: {}
  }
  /** Replace the recovery codes. */
  'POST /users/me/two_factor/recovery_codes': {
    params: { readonly password?: string | undefined; readonly otp_token?: string | undefined }
    reply: { readonly recovery_codes: readonly string[] }
  }
  /** Remove a user's second factors. */
  'DELETE /users/{user_id}/two_factor': {
    params: { readonly user_id: number }
    reply: {}
  }
  /** Begin a log-in by passkey. */
  'POST /login/passkey/options': {
    params: {}
    reply: { readonly options: Readonly<Record<string, unknown>> }
  }
  /** Log in by passkey. */
  'POST /login/passkey': {
    params: {
      readonly credential: {
        readonly id: string
        readonly rawId: string
        readonly type: 'public-key'
        readonly response: {
          readonly clientDataJSON: string
          readonly authenticatorData: string
          readonly signature: string
          readonly userHandle: string
        }
      }
      readonly mobile_flow_otp?: string | undefined
      readonly desktop_flow_otp?: string | undefined
    }
    reply: { readonly email: string; readonly user_id: number; readonly app_url?: string }
  }
  /** Get own passkeys. */
  'GET /users/me/passkeys': {
    params: {}
    reply: {
      readonly passkeys: readonly {
        readonly id: string
        readonly name: string
        readonly is_synced: boolean
        readonly created_at: number
        readonly last_used_at: number | null
      }[]
    }
  }
  /** Begin to add a passkey. */
  'POST /users/me/passkeys/options': {
    params: { readonly password?: string | undefined; readonly otp_token?: string | undefined }
    reply: { readonly options: Readonly<Record<string, unknown>> }
  }
  /** Add a passkey. */
  'POST /users/me/passkeys': {
    params: {
      readonly credential: {
        readonly id: string
        readonly rawId: string
        readonly type: 'public-key'
        readonly response: {
          readonly clientDataJSON: string
          readonly attestationObject: string
          readonly transports?: readonly string[]
        }
      }
      readonly name?: string | undefined
    }
    reply: { readonly id: string }
  }
  /** Rename a passkey. */
  'PATCH /users/me/passkeys/{passkey_id}': {
    params: { readonly passkey_id: string; readonly name: string }
    reply: {}
  }
  /** Remove a passkey. */
  'DELETE /users/me/passkeys/{passkey_id}': {
    params: {
      readonly passkey_id: string
      readonly password?: string | undefined
      readonly otp_token?: string | undefined
    }
    reply: {}
  }
  /** Register an event queue. */
  'POST /register': {
    params: {
      readonly event_types?: readonly string[] | null | undefined
      readonly fetch_event_types?: readonly string[] | null | undefined
      readonly apply_markdown?: boolean | undefined
      readonly client_gravatar?: boolean | undefined
      readonly include_subscribers?: boolean | 'partial' | undefined
      readonly slim_presence?: boolean | undefined
      readonly presence_history_limit_days?: number | undefined
      readonly all_public_streams?: boolean | undefined
      readonly narrow?: readonly (readonly string[])[] | undefined
      readonly client_capabilities?:
        | {
            readonly notification_settings_null?: boolean
            readonly bulk_message_deletion?: boolean
            readonly user_avatar_url_field_optional?: boolean
            readonly stream_typing_notifications?: boolean
            readonly user_settings_object?: boolean
            readonly linkifier_url_template?: boolean
            readonly user_list_incomplete?: boolean
            readonly include_deactivated_groups?: boolean
            readonly archived_channels?: boolean
            readonly empty_topic_name?: boolean
            readonly simplified_presence_events?: boolean
            readonly individual_emoji_changes?: boolean
          }
        | undefined
      readonly idle_queue_timeout?: number | 'mobile' | undefined
    }
    reply: {
      readonly queue_id: string | null
      readonly last_event_id: number
      readonly idle_queue_timeout_secs: number
      readonly service_version: string
      readonly service_merge_base: string
      readonly service_feature_level: number
      readonly realm_empty_topic_display_name?: string
      readonly realm_default_external_accounts?: Readonly<
        Record<
          string,
          {
            readonly name: string
            readonly text: string
            readonly hint: string
            readonly url_pattern: string
          }
        >
      >
      readonly realm_authentication_methods?: Readonly<
        Record<string, { readonly enabled: boolean; readonly available: boolean }>
      >
      readonly realm_email_auth_enabled?: boolean
      readonly realm_password_auth_enabled?: boolean
      readonly realm_invite_required?: boolean
      readonly realm_push_notifications_enabled_end_timestamp?: number | null
      readonly giphy_rating_options?: Readonly<Record<string, { readonly name: string; readonly id: number }>>
      readonly realm_signup_announcements_stream_id?: number
      readonly realm_service_update_announcements_stream_id?: number
      readonly realm_is_zephyr_mirror_realm?: boolean
      readonly realm_plan_type?: number
      readonly service_plan_is_not_limited?: boolean
      readonly upgrade_text_for_wide_organization_logo?: string
      readonly max_stream_name_length?: number
      readonly max_stream_description_length?: number
      readonly max_channel_folder_name_length?: number
      readonly max_channel_folder_description_length?: number
      readonly max_bulk_new_subscription_messages?: number
      readonly max_topic_length?: number
      readonly max_message_length?: number
      readonly password_min_length?: number
      readonly password_max_length?: number
      readonly password_min_guesses?: number
      readonly max_avatar_file_size_mib?: number
      readonly max_icon_file_size_mib?: number
      readonly max_logo_file_size_mib?: number
      readonly server_presence_ping_interval_seconds?: number
      readonly server_presence_offline_threshold_seconds?: number
      readonly server_typing_started_expiry_period_milliseconds?: number
      readonly server_typing_stopped_wait_period_milliseconds?: number
      readonly server_typing_started_wait_period_milliseconds?: number
      readonly server_needs_upgrade?: boolean
      readonly development_environment?: boolean
      readonly server_avatar_changes_disabled?: boolean
      readonly server_name_changes_disabled?: boolean
      readonly server_inline_image_preview?: boolean
      readonly server_inline_url_embed_preview?: boolean
      readonly server_thumbnail_formats?: readonly {
        readonly name: string
        readonly max_width: number
        readonly max_height: number
        readonly format: 'webp'
        readonly animated: boolean
      }[]
      readonly server_can_summarize_topics?: boolean
      readonly server_jitsi_server_url?: string | null
      readonly jitsi_server_url?: string
      readonly server_min_deactivated_realm_deletion_days?: number | null
      readonly server_max_deactivated_realm_deletion_days?: number | null
      readonly settings_send_digest_emails?: boolean
      readonly server_supported_permission_settings?: {
        readonly realm: Readonly<Record<string, PermissionRule>>
        readonly stream: Readonly<Record<string, PermissionRule>>
        readonly group: Readonly<Record<string, PermissionRule>>
      }
      readonly server_report_message_types?: readonly { readonly key: string; readonly name: string }[]
      readonly realm_name?: string
      readonly realm_description?: string
      readonly realm_waiting_period_threshold?: number
      readonly realm_topics_policy?: 'allow_empty_topic' | 'disable_empty_topic'
      readonly realm_enable_spectator_access?: boolean
      readonly realm_message_retention_days?: number
      readonly realm_send_channel_events_messages?: boolean
      readonly realm_new_stream_announcements_stream_id?: number
      readonly realm_moderation_request_channel_id?: number
      readonly realm_allow_message_editing?: boolean
      readonly realm_message_content_edit_limit_seconds?: number | null
      readonly realm_message_content_delete_limit_seconds?: number | null
      readonly realm_move_messages_within_stream_limit_seconds?: number | null
      readonly realm_move_messages_between_streams_limit_seconds?: number | null
      readonly realm_message_edit_history_visibility_policy?: 'all' | 'moves' | 'none'
      readonly realm_enable_read_receipts?: boolean
      readonly realm_second_factor_grace_days?: number
      readonly realm_second_factor_required_at?: number | null
      readonly realm_join_without_confirmation?: boolean
      readonly realm_default_avatar_source?: 'G' | 'J'
      readonly realm_default_language?: string
      readonly realm_default_code_block_language?: string
      readonly realm_emails_restricted_to_domains?: boolean
      readonly realm_inline_image_preview?: boolean
      readonly realm_inline_url_embed_preview?: boolean
      readonly realm_name_changes_disabled?: boolean
      readonly realm_email_changes_disabled?: boolean
      readonly realm_avatar_changes_disabled?: boolean
      readonly realm_presence_disabled?: boolean
      readonly realm_require_unique_names?: boolean
      readonly realm_disallow_disposable_email_addresses?: boolean
      readonly realm_enable_guest_user_indicator?: boolean
      readonly realm_enable_guest_user_dm_warning?: boolean
      readonly realm_digest_emails_enabled?: boolean
      readonly realm_digest_weekday?: number
      readonly realm_send_welcome_emails?: boolean
      readonly realm_welcome_message_custom_text?: string
      readonly realm_message_content_allowed_in_email_notifications?: boolean
      readonly realm_video_chat_provider?: 0 | 1 | 3 | 4 | 1000
      readonly realm_jitsi_server_url?: string | null
      readonly realm_giphy_rating?: 0 | 1 | 2 | 3 | 4 | 5
      readonly realm_org_type?: 0 | 10 | 20 | 30 | 35 | 40 | 50 | 60 | 70 | 80 | 90 | 100 | 1000
      readonly realm_want_advertise_in_communities_directory?: boolean
      readonly realm_mandatory_topics?: boolean
      readonly realm_allow_edit_history?: boolean
      readonly realm_can_access_all_users_group?: GroupSetting
      readonly realm_can_add_custom_emoji_group?: GroupSetting
      readonly realm_can_add_subscribers_group?: GroupSetting
      readonly realm_can_create_bots_group?: GroupSetting
      readonly realm_can_create_groups?: GroupSetting
      readonly realm_can_create_private_channel_group?: GroupSetting
      readonly realm_can_create_public_channel_group?: GroupSetting
      readonly realm_can_create_web_public_channel_group?: GroupSetting
      readonly realm_can_create_write_only_bots_group?: GroupSetting
      readonly realm_can_delete_any_message_group?: GroupSetting
      readonly realm_can_delete_own_message_group?: GroupSetting
      readonly realm_can_invite_users_group?: GroupSetting
      readonly realm_can_manage_all_groups?: GroupSetting
      readonly realm_can_manage_billing_group?: GroupSetting
      readonly realm_can_mention_many_users_group?: GroupSetting
      readonly realm_can_move_messages_between_channels_group?: GroupSetting
      readonly realm_can_move_messages_between_topics_group?: GroupSetting
      readonly realm_can_resolve_topics_group?: GroupSetting
      readonly realm_can_set_delete_message_policy_group?: GroupSetting
      readonly realm_can_set_topics_policy_group?: GroupSetting
      readonly realm_can_summarize_topics_group?: GroupSetting
      readonly realm_create_multiuse_invite_group?: GroupSetting
      readonly realm_direct_message_initiator_group?: GroupSetting
      readonly realm_direct_message_permission_group?: GroupSetting
      readonly realm_create_public_stream_policy?: number
      readonly realm_create_private_stream_policy?: number
      readonly realm_create_web_public_stream_policy?: number
      readonly realm_wildcard_mention_policy?: number
      readonly realm_edit_topic_policy?: number
      readonly realm_icon_url?: string
      readonly realm_icon_source?: 'G' | 'U'
      readonly realm_logo_url?: string
      readonly realm_logo_source?: 'D' | 'U'
      readonly realm_night_logo_url?: string
      readonly realm_night_logo_source?: 'D' | 'U'
      readonly max_file_upload_size_mib?: number
      readonly realm_upload_quota_mib?: number | null
      readonly server_generation?: number
      readonly realm_date_created?: number
      readonly realm_url?: string
      readonly realm_uri?: string
      readonly realm_bot_domain?: string
      readonly realm_available_video_chat_providers?: Readonly<
        Record<string, { readonly name: string; readonly id: number }>
      >
      readonly realm_push_notifications_enabled?: boolean
      readonly parley_email_enabled?: boolean
      readonly server_web_public_streams_enabled?: boolean
      readonly server_gravatar_enabled?: boolean
      readonly server_emoji_data_url?: string
      readonly event_queue_longpoll_timeout_seconds?: number
      readonly realm_user_settings_defaults?: NewUserSettings
      readonly realm_linkifiers?: readonly Linkifier[]
      readonly realm_filters?: readonly never[]
      readonly realm_playgrounds?: readonly Playground[]
      readonly realm_domains?: readonly EmailDomain[]
      readonly presences?: PresencesByEmail | Readonly<Record<string, Presence>>
      readonly presence_last_update_id?: number
      readonly server_timestamp?: number
      readonly realm_users?: readonly User[]
      readonly realm_non_active_users?: readonly User[]
      readonly cross_realm_bots?: readonly User[]
      readonly user_id?: number
      readonly email?: string
      readonly delivery_email?: string
      readonly full_name?: string
      readonly avatar_url?: string
      readonly avatar_url_medium?: string
      readonly avatar_source?: 'G' | 'U' | 'J'
      readonly is_owner?: boolean
      readonly is_admin?: boolean
      readonly is_moderator?: boolean
      readonly is_guest?: boolean
      readonly can_create_streams?: boolean
      readonly can_create_public_streams?: boolean
      readonly can_create_private_streams?: boolean
      readonly can_create_web_public_streams?: boolean
      readonly can_subscribe_other_users?: boolean
      readonly can_invite_others_to_realm?: boolean
      readonly realm_bots?: readonly Bot[]
      readonly realm_user_groups?: readonly UserGroup[]
      readonly custom_profile_fields?: readonly ProfileField[]
      readonly custom_profile_field_types?: Readonly<
        Record<string, { readonly name: string; readonly id: number }>
      >
      readonly user_settings?: OwnSettings
      readonly color_scheme?: 1 | 2 | 3
      readonly default_language?: string
      readonly demote_inactive_streams?: 1 | 2 | 3
      readonly emojiset?: 'google' | 'google-blob' | 'twitter' | 'text'
      readonly enable_drafts_synchronization?: boolean
      readonly enter_sends?: boolean
      readonly fluid_layout_width?: boolean
      readonly high_contrast_mode?: boolean
      readonly left_side_userlist?: boolean
      readonly receives_typing_notifications?: boolean
      readonly starred_message_counts?: boolean
      readonly timezone?: string
      readonly translate_emoticons?: boolean
      readonly twenty_four_hour_time?: boolean
      readonly web_home_view?: 'inbox' | 'recent' | 'all_messages'
      readonly emojiset_choices?: readonly { readonly key: string; readonly text: string }[]
      readonly desktop_icon_count_display?: 1 | 2 | 3 | 4
      readonly email_notifications_batching_period_seconds?: number
      readonly enable_desktop_notifications?: boolean
      readonly enable_digest_emails?: boolean
      readonly enable_login_emails?: boolean
      readonly enable_marketing_emails?: boolean
      readonly enable_offline_email_notifications?: boolean
      readonly enable_offline_push_notifications?: boolean
      readonly enable_online_push_notifications?: boolean
      readonly enable_sounds?: boolean
      readonly enable_stream_audible_notifications?: boolean
      readonly enable_stream_desktop_notifications?: boolean
      readonly enable_stream_email_notifications?: boolean
      readonly enable_stream_push_notifications?: boolean
      readonly message_content_in_email_notifications?: boolean
      readonly notification_sound?: 'ding' | 'none'
      readonly pm_content_in_desktop_notifications?: boolean
      readonly presence_enabled?: boolean
      readonly realm_name_in_email_notifications_policy?: 1 | 2 | 3
      readonly wildcard_mentions_notify?: boolean
      readonly available_notification_sounds?: readonly string[]
      readonly user_status?: Readonly<Record<string, UserStatus>>
      readonly subscriptions?: readonly Subscription[]
      readonly unsubscribed?: readonly Subscription[]
      readonly never_subscribed?: readonly NeverSubscribed[]
      readonly streams?: readonly Channel[]
      readonly realm_default_streams?: readonly number[]
      readonly channel_folders?: readonly ChannelFolder[]
      readonly channel_pins?: readonly {
        readonly stream_id: number
        readonly pins: readonly {
          readonly id: number
          readonly message_id: number | null
          readonly topic: string | null
        }[]
      }[]
      readonly muted_topics?: readonly (readonly (string | number)[])[]
      readonly user_topics?: readonly UserTopic[]
      readonly max_message_id?: number
      readonly unread_msgs?: UnreadMessages
      readonly starred_messages?: readonly number[]
      readonly recent_private_conversations?: readonly {
        readonly user_ids: readonly number[]
        readonly max_message_id: number
      }[]
      readonly drafts?: readonly Draft[]
      readonly saved_snippets?: readonly Snippet[]
      readonly navigation_views?: readonly NavigationView[]
      readonly devices?: Readonly<Record<string, Device>>
      readonly muted_users?: readonly MutedUser[]
      readonly alert_words?: readonly string[]
      readonly realm_emoji?: Readonly<Record<string, CustomEmoji>>
      readonly realm_default_stream_groups?: readonly {
        readonly id: number
        readonly name: string
        readonly description: string
        readonly streams: readonly number[]
      }[]
      readonly giphy_api_key?: string
      readonly has_provider_token?: boolean
      readonly onboarding_steps?: readonly never[]
      readonly navigation_tour_video_url?: string | null
      readonly realm_billing?: { readonly has_pending_sponsorship_request: boolean }
      readonly realm_embedded_bots?: readonly never[]
      readonly realm_incoming_webhook_bots?: readonly never[]
      readonly scheduled_messages?: readonly ScheduledMessage[]
      readonly reminders?: readonly Reminder[]
      readonly stop_words?: readonly never[]
    }
  }
  /** Get events from an event queue. */
  'GET /events': {
    params: {
      readonly queue_id: string
      readonly last_event_id?: number | undefined
      readonly dont_block?: boolean | undefined
    }
    reply: { readonly events: readonly Event[]; readonly queue_id: string }
  }
  /** Delete an event queue. */
  'DELETE /events': {
    params: { readonly queue_id: string }
    reply: {}
  }
  /** Get a ticket for a WebSocket. */
  'POST /events/ticket': {
    params: {}
    reply: { readonly ticket: string; readonly expires_in_seconds: number }
  }
  /** Send a message. */
  'POST /messages': {
    params: {
      readonly type: 'direct' | 'channel' | 'stream' | 'private'
      readonly to: string | number | readonly string[] | readonly number[]
      readonly topic?: string | undefined
      readonly content: string
      readonly queue_id?: string | undefined
      readonly local_id?: string | undefined
      readonly read_by_sender?: boolean | undefined
    }
    reply: { readonly id: number; readonly automatic_new_visibility_policy?: 2 | 3 }
  }
  /** Get messages. */
  'GET /messages': {
    params: {
      readonly anchor?: string | undefined
      readonly anchor_date?: string | undefined
      readonly use_first_unread_anchor?: boolean | undefined
      readonly include_anchor?: boolean | undefined
      readonly num_before?: number | undefined
      readonly num_after?: number | undefined
      readonly narrow?:
        | readonly (
            | {
                readonly operator: string
                readonly operand: string | number | readonly (string | number)[]
                readonly negated?: boolean
              }
            | readonly unknown[]
          )[]
        | undefined
      readonly client_gravatar?: boolean | undefined
      readonly apply_markdown?: boolean | undefined
      readonly message_ids?: readonly number[] | undefined
      readonly allow_empty_topic_name?: boolean | undefined
      readonly sort?: 'time' | 'fit' | undefined
    }
    reply: {
      readonly messages: readonly Message[]
      readonly anchor?: number
      readonly found_anchor?: boolean
      readonly found_oldest?: boolean
      readonly found_newest?: boolean
      readonly history_limited?: boolean
      readonly ranked_count?: number
      readonly found_all?: boolean
    }
  }
  /** Get a message. */
  'GET /messages/{message_id}': {
    params: {
      readonly message_id: number
      readonly apply_markdown?: boolean | undefined
      readonly allow_empty_topic_name?: boolean | undefined
    }
    reply: { readonly message: Message; readonly raw_content: string }
  }
  /** Get a message's edit history. */
  'GET /messages/{message_id}/history': {
    params: { readonly message_id: number; readonly allow_empty_topic_name?: boolean | undefined }
    reply: { readonly message_history: readonly HistorySnapshot[] }
  }
  /** Edit or move a message. */
  'PATCH /messages/{message_id}': {
    params: {
      readonly message_id: number
      readonly content?: string | undefined
      readonly prev_content_sha256?: string | undefined
      readonly topic?: string | undefined
      readonly stream_id?: number | undefined
      readonly propagate_mode?: 'change_one' | 'change_later' | 'change_all' | undefined
      readonly send_notification_to_old_thread?: boolean | undefined
      readonly send_notification_to_new_thread?: boolean | undefined
    }
    reply: { readonly detached_uploads: readonly Attachment[] }
  }
  /** Render a message. */
  'POST /messages/render': {
    params: { readonly content: string }
    reply: { readonly rendered: string }
  }
  /** Delete a message. */
  'DELETE /messages/{message_id}': {
    params: { readonly message_id: number }
    reply: {}
  }
  /** Report a message. */
  'POST /messages/{message_id}/report': {
    params: {
      readonly message_id: number
      readonly report_type: 'spam' | 'harassment' | 'inappropriate' | 'norms' | 'other'
      readonly description?: string | undefined
    }
    reply: {}
  }
  /** Add a reaction. */
  'POST /messages/{message_id}/reactions': {
    params: {
      readonly message_id: number
      readonly emoji_name: string
      readonly emoji_code?: string | undefined
      readonly reaction_type?: string | undefined
    }
    reply: {}
  }
  /** Remove a reaction. */
  'DELETE /messages/{message_id}/reactions': {
    params: {
      readonly message_id: number
      readonly emoji_name?: string | undefined
      readonly emoji_code?: string | undefined
      readonly reaction_type?: string | undefined
    }
    reply: {}
  }
  /** Take part in a poll or to-do list. */
  'POST /submessage': {
    params: { readonly message_id: number; readonly msg_type: 'widget'; readonly content: string }
    reply: {}
  }
  /** Check messages against a narrow. */
  'GET /messages/matches_narrow': {
    params: {
      readonly msg_ids: readonly number[]
      readonly narrow: readonly (
        | {
            readonly operator: string
            readonly operand: string | number | readonly (string | number)[]
            readonly negated?: boolean
          }
        | readonly unknown[]
      )[]
      readonly allow_empty_topic_name?: boolean | undefined
    }
    reply: {
      readonly messages: Readonly<
        Record<string, { readonly match_content: string; readonly match_subject: string }>
      >
    }
  }
  /** Send a typing notification. */
  'POST /typing': {
    params: {
      readonly type?: 'direct' | 'stream' | 'channel' | undefined
      readonly op: 'start' | 'stop'
      readonly to?: readonly number[] | undefined
      readonly stream_id?: number | undefined
      readonly topic?: string | undefined
    }
    reply: {}
  }
  /** Send a typing notification for an edit. */
  'POST /messages/{message_id}/typing': {
    params: { readonly message_id: number; readonly op: 'start' | 'stop' }
    reply: {}
  }
  /** Update personal message flags. */
  'POST /messages/flags': {
    params: { readonly messages: readonly number[]; readonly op: 'add' | 'remove'; readonly flag: string }
    reply: {
      readonly messages: readonly number[]
      readonly ignored_because_not_subscribed_channels: readonly number[]
    }
  }
  /** Update personal message flags for a narrow. */
  'POST /messages/flags/narrow': {
    params: {
      readonly anchor: string
      readonly include_anchor?: boolean | undefined
      readonly num_before: number
      readonly num_after: number
      readonly narrow?:
        | readonly (
            | {
                readonly operator: string
                readonly operand: string | number | readonly (string | number)[]
                readonly negated?: boolean
              }
            | readonly unknown[]
          )[]
        | undefined
      readonly op: 'add' | 'remove'
      readonly flag: string
    }
    reply: {
      readonly processed_count: number
      readonly updated_count: number
      readonly first_processed_id: number | null
      readonly last_processed_id: number | null
      readonly found_oldest: boolean
      readonly found_newest: boolean
      readonly ignored_because_not_subscribed_channels: readonly number[]
    }
  }
  /** Mark all messages as read. */
  'POST /mark_all_as_read': {
    params: {}
    reply: { readonly complete: boolean }
  }
  /** Mark messages in a channel as read. */
  'POST /mark_stream_as_read': {
    params: { readonly stream_id: number }
    reply: {}
  }
  /** Mark messages in a topic as read. */
  'POST /mark_topic_as_read': {
    params: { readonly stream_id: number; readonly topic_name: string }
    reply: {}
  }
  /** Get a message's read receipts. */
  'GET /messages/{message_id}/read_receipts': {
    params: { readonly message_id: number }
    reply: { readonly user_ids: readonly number[] }
  }
  /** Get all users. */
  'GET /users': {
    params: {
      readonly client_gravatar?: boolean | undefined
      readonly include_custom_profile_fields?: boolean | undefined
      readonly user_ids?: readonly number[] | undefined
    }
    reply: { readonly members: readonly User[] }
  }
  /** Get own user. */
  'GET /users/me': {
    params: {}
    reply: {
      readonly user_id: number
      readonly delivery_email: string
      readonly email: string
      readonly full_name: string
      readonly date_joined: string
      readonly is_active: boolean
      readonly is_owner: boolean
      readonly is_admin: boolean
      readonly is_guest: boolean
      readonly is_bot: boolean
      readonly bot_type: number | null
      readonly bot_owner_id: number | null
      readonly role: number
      readonly timezone: string
      readonly avatar_url: string
      readonly avatar_version: number
      readonly is_imported_stub: boolean
      readonly profile_data?: Profile
      readonly max_message_id: number
    }
  }
  /** Get the picture of a user. */
  'GET /avatar/{user_id_or_email}': {
    params: { readonly user_id_or_email: string }
    reply: {}
  }
  /** Get the large picture of a user. */
  'GET /avatar/{user_id_or_email}/medium': {
    params: { readonly user_id_or_email: string }
    reply: {}
  }
  /** Mark a hint for new users as read. */
  'POST /users/me/onboarding_steps': {
    params: { readonly onboarding_step: string }
    reply: {}
  }
  /** Get a user. */
  'GET /users/{user_id}': {
    params: {
      readonly user_id: number
      readonly client_gravatar?: boolean | undefined
      readonly include_custom_profile_fields?: boolean | undefined
    }
    reply: { readonly user: User }
  }
  /** Get a user by email address. */
  'GET /users/{user_id_or_email}': {
    params: {
      readonly user_id_or_email: string
      readonly client_gravatar?: boolean | undefined
      readonly include_custom_profile_fields?: boolean | undefined
    }
    reply: { readonly user: User }
  }
  /** Create a user. */
  'POST /users': {
    params: { readonly email: string; readonly password: string; readonly full_name: string }
    reply: { readonly user_id: number }
  }
  /** Update a user. */
  'PATCH /users/{user_id}': {
    params: {
      readonly user_id: number
      readonly full_name?: string | undefined
      readonly role?: 100 | 200 | 300 | 400 | 600 | undefined
      readonly profile_data?:
        | readonly { readonly id: number; readonly value: string | readonly number[] | null }[]
        | undefined
    }
    reply: {}
  }
  /** Update a user by email address. */
  'PATCH /users/{user_id_or_email}': {
    params: {
      readonly user_id_or_email: string
      readonly full_name?: string | undefined
      readonly role?: 100 | 200 | 300 | 400 | 600 | undefined
      readonly profile_data?:
        | readonly { readonly id: number; readonly value: string | readonly number[] | null }[]
        | undefined
    }
    reply: {}
  }
  /** Get own bots. */
  'GET /bots': {
    params: {}
    reply: { readonly bots: readonly OwnBot[] }
  }
  /** Create a bot. */
  'POST /bots': {
    params: {
      readonly full_name: string
      readonly short_name: string
      readonly bot_type?: number | undefined
      readonly payload_url?: string | undefined
      readonly interface_type?: number | undefined
      readonly default_sending_stream?: string | undefined
      readonly default_events_register_stream?: string | undefined
      readonly default_all_public_streams?: boolean | undefined
      readonly password?: string | undefined
      readonly otp_token?: string | undefined
    }
    reply: {
      readonly user_id: number
      readonly api_key: string
      readonly avatar_url: string
      readonly default_sending_stream: string | null
      readonly default_events_register_stream: string | null
      readonly default_all_public_streams: boolean
    }
  }
  /** Update a bot. */
  'PATCH /bots/{bot_id}': {
    params: {
      readonly bot_id: number
      readonly full_name?: string | undefined
      readonly role?: 100 | 200 | 300 | 400 | 600 | undefined
      readonly bot_owner_id?: number | undefined
      readonly config_data?: { readonly webhook_secret?: string | null } | undefined
      readonly service_payload_url?: string | undefined
      readonly service_interface?: number | undefined
      readonly default_sending_stream?: string | undefined
      readonly default_events_register_stream?: string | undefined
      readonly default_all_public_streams?: boolean | undefined
    }
    reply: {
      readonly full_name: string
      readonly avatar_url: string
      readonly service_interface: number | null
      readonly service_payload_url: string | null
      readonly default_sending_stream: string | null
      readonly default_events_register_stream: string | null
      readonly default_all_public_streams: boolean
      readonly bot_owner?: string
    }
  }
  /** Deactivate a bot. */
  'DELETE /bots/{bot_id}': {
    params: { readonly bot_id: number }
    reply: {}
  }
  /** Get a bot's API key. */
  'GET /bots/{bot_id}/api_key': {
    params: { readonly bot_id: number }
    reply: { readonly api_key: string }
  }
  /** Regenerate a bot's API key. */
  'POST /bots/{bot_id}/api_key/regenerate': {
    params: {
      readonly bot_id: number
      readonly password?: string | undefined
      readonly otp_token?: string | undefined
    }
    reply: { readonly api_key: string }
  }
  /** Get the signing secret of an outgoing webhook. */
  'GET /bots/{bot_id}/signing_secret': {
    params: { readonly bot_id: number }
    reply: { readonly signing_secret: string }
  }
  /** Regenerate the signing secret of an outgoing webhook. */
  'POST /bots/{bot_id}/signing_secret/regenerate': {
    params: {
      readonly bot_id: number
      readonly password?: string | undefined
      readonly otp_token?: string | undefined
    }
    reply: { readonly signing_secret: string }
  }
  /** Get a bot's stored texts. */
  'GET /bot_storage': {
    params: { readonly keys?: readonly string[] | undefined }
    reply: { readonly storage: Readonly<Record<string, string>> }
  }
  /** Update a bot's stored texts. */
  'PUT /bot_storage': {
    params: { readonly storage: Readonly<Record<string, string>> }
    reply: {}
  }
  /** Remove a bot's stored texts. */
  'DELETE /bot_storage': {
    params: { readonly keys?: readonly string[] | undefined }
    reply: {}
  }
  /** Regenerate own API key. */
  'POST /users/me/api_key/regenerate': {
    params: { readonly password?: string | undefined; readonly otp_token?: string | undefined }
    reply: { readonly api_key: string }
  }
  /** Get own keys of programs. */
  'GET /users/me/keys': {
    params: {}
    reply: {
      readonly keys: readonly {
        readonly id: string
        readonly name: string
        readonly scope: 'read' | 'messages' | 'channel' | 'webhooks'
        readonly stream_id: number | null
        readonly created_at: number
        readonly expires_at: number | null
        readonly last_used_at: number | null
      }[]
    }
  }
  /** Create an own key for a program. */
  'POST /users/me/keys': {
    params: {
      readonly name: string
      readonly scope: 'read' | 'messages' | 'channel' | 'webhooks'
      readonly stream_id?: number | undefined
      readonly expires_in_seconds?: number | null | undefined
      readonly password?: string | undefined
      readonly otp_token?: string | undefined
    }
    reply: { readonly id: string; readonly api_key: string }
  }
  /** Revoke an own key of a program. */
  'DELETE /users/me/keys/{key_id}': {
    params: { readonly key_id: string }
    reply: {}
  }
  /** Get the keys of programs of a bot. */
  'GET /bots/{bot_id}/keys': {
    params: { readonly bot_id: number }
    reply: {
      readonly keys: readonly {
        readonly id: string
        readonly name: string
        readonly scope: 'read' | 'messages' | 'channel' | 'webhooks'
        readonly stream_id: number | null
        readonly created_at: number
        readonly expires_at: number | null
        readonly last_used_at: number | null
      }[]
    }
  }
  /** Create a key for a program of a bot. */
  'POST /bots/{bot_id}/keys': {
    params: {
      readonly bot_id: number
      readonly name: string
      readonly scope: 'read' | 'messages' | 'channel' | 'webhooks'
      readonly stream_id?: number | undefined
      readonly expires_in_seconds?: number | null | undefined
      readonly password?: string | undefined
      readonly otp_token?: string | undefined
    }
    reply: { readonly id: string; readonly api_key: string }
  }
  /** Revoke a key of a program of a bot. */
  'DELETE /bots/{bot_id}/keys/{key_id}': {
    params: { readonly bot_id: number; readonly key_id: string }
    reply: {}
  }
  /** Fill in own profile. */
  'PATCH /users/me/profile_data': {
    params: {
      readonly data: readonly { readonly id: number; readonly value: string | readonly number[] | null }[]
    }
    reply: {}
  }
  /** Empty fields of own profile. */
  'DELETE /users/me/profile_data': {
    params: { readonly data: readonly number[] }
    reply: {}
  }
  /** Get custom profile fields. */
  'GET /realm/profile_fields': {
    params: {}
    reply: { readonly custom_fields: readonly ProfileField[] }
  }
  /** Create a custom profile field. */
  'POST /realm/profile_fields': {
    params: {
      readonly field_type: number
      readonly name?: string | undefined
      readonly hint?: string | undefined
      readonly field_data?: Readonly<Record<string, unknown>> | undefined
      readonly display_in_profile_summary?: boolean | undefined
      readonly required?: boolean | undefined
      readonly editable_by_user?: boolean | undefined
    }
    reply: { readonly id: number }
  }
  /** Update a custom profile field. */
  'PATCH /realm/profile_fields/{field_id}': {
    params: {
      readonly field_id: number
      readonly name?: string | undefined
      readonly hint?: string | undefined
      readonly field_data?: Readonly<Record<string, unknown>> | undefined
      readonly display_in_profile_summary?: boolean | undefined
      readonly required?: boolean | undefined
      readonly editable_by_user?: boolean | undefined
    }
    reply: {}
  }
  /** Delete a custom profile field. */
  'DELETE /realm/profile_fields/{field_id}': {
    params: { readonly field_id: number }
    reply: {}
  }
  /** Reorder custom profile fields. */
  'PATCH /realm/profile_fields': {
    params: { readonly order: readonly number[] }
    reply: {}
  }
  /** Deactivate a user. */
  'DELETE /users/{user_id}': {
    params: { readonly user_id: number }
    reply: {}
  }
  /** Reactivate a user. */
  'POST /users/{user_id}/reactivate': {
    params: { readonly user_id: number }
    reply: {}
  }
  /** Deactivate own user. */
  'DELETE /users/me': {
    params: {}
    reply: {}
  }
  /** Set own avatar. */
  'POST /users/me/avatar': {
    params: {}
    reply: { readonly avatar_url: string }
  }
  /** Remove own avatar. */
  'DELETE /users/me/avatar': {
    params: {}
    reply: { readonly avatar_url: string }
  }
  /** Get a user's status. */
  'GET /users/{user_id}/status': {
    params: { readonly user_id: number }
    reply: { readonly status: UserStatus }
  }
  /** Update user status. */
  'POST /users/{user_id}/status': {
    params: {
      readonly user_id: number
      readonly status_text?: string | undefined
      readonly emoji_name?: string | undefined
      readonly emoji_code?: string | undefined
      readonly reaction_type?: string | undefined
    }
    reply: {}
  }
  /** Update own status. */
  'POST /users/me/status': {
    params: {
      readonly status_text?: string | undefined
      readonly emoji_name?: string | undefined
      readonly emoji_code?: string | undefined
      readonly reaction_type?: string | undefined
      readonly away?: boolean | undefined
    }
    reply: {}
  }
  /** Update your presence. */
  'POST /users/me/presence': {
    params: {
      readonly status: 'active' | 'idle'
      readonly last_update_id?: number | undefined
      readonly history_limit_days?: number | undefined
      readonly new_user_input?: boolean | undefined
      readonly ping_only?: boolean | undefined
      readonly slim_presence?: boolean | undefined
    }
    reply: {
      readonly presences?: PresencesByEmail | Readonly<Record<string, Presence>>
      readonly presence_last_update_id?: number
      readonly zephyr_mirror_active?: boolean
      readonly server_timestamp?: number
    }
  }
  /** Get a user's presence. */
  'GET /users/{user_id_or_email}/presence': {
    params: { readonly user_id_or_email: string }
    reply: {
      readonly presence: {
        readonly active_timestamp: number
        readonly idle_timestamp: number
        readonly aggregated: { readonly status: 'active' | 'idle' | 'offline'; readonly timestamp: number }
        readonly website: { readonly status: 'active' | 'idle' | 'offline'; readonly timestamp: number }
      }
      readonly server_timestamp: number
    }
  }
  /** Get the audit log. */
  'GET /realm/audit_log': {
    params: {
      readonly acting_user_id?: number | undefined
      readonly kinds?:
        | readonly (
            | 'delete_message'
            | 'update_message'
            | 'organization_created'
            | 'realm/update_dict'
            | 'realm/picture'
            | 'realm_linkifiers'
            | 'realm_playgrounds'
            | 'realm_domains/add'
            | 'realm_domains/change'
            | 'realm_domains/remove'
            | 'realm_user_settings_defaults/update'
            | 'realm_emoji/update'
            | 'realm_export'
            | 'own_export'
            | 'realm_import'
            | 'custom_profile_fields'
            | 'scim_token_changed'
            | 'realm_user/add'
            | 'realm_user/update'
            | 'realm_user/avatar'
            | 'realm_user/profile'
            | 'bot_setup_changed'
            | 'api_keys_changed'
            | 'named_key_made'
            | 'named_keys_ended'
            | 'login_sessions_changed'
            | 'password_set'
            | 'second_factors_changed'
            | 'access_refused'
            | 'agent_wrote'
            | 'stream/create'
            | 'stream/update'
            | 'default_streams'
            | 'default_stream_groups'
            | 'channel_folder/add'
            | 'channel_folder/update'
            | 'channel_folder/reorder'
            | 'subscription/add'
            | 'subscription/remove'
            | 'user_group/add'
            | 'user_group/update'
            | 'user_group/add_members'
            | 'user_group/remove_members'
            | 'user_group/add_subgroups'
            | 'user_group/remove_subgroups'
            | 'legal_hold/add'
            | 'legal_hold/remove'
            | 'invites_changed'
            | 'invitation_used'
          )[]
        | undefined
      readonly since?: number | undefined
      readonly until?: number | undefined
      readonly before_id?: number | undefined
      readonly limit?: number | undefined
    }
    reply: {
      readonly entries: readonly (
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'delete_message'
            readonly details: { readonly stream_id: number | null; readonly message_ids: readonly number[] }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'update_message'
            readonly details: {
              readonly stream_id: number | null
              readonly new_stream_id: number | null
              readonly topic_changed: boolean
              readonly message_ids: readonly number[]
            }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'organization_created'
            readonly details: { readonly name: string }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'realm/update_dict'
            readonly details: {
              readonly name?: string
              readonly description?: string
              readonly waiting_period_threshold?: number
              readonly topics_policy?: 'allow_empty_topic' | 'disable_empty_topic'
              readonly enable_spectator_access?: boolean
              readonly message_retention_days?: number
              readonly send_channel_events_messages?: boolean
              readonly new_stream_announcements_stream_id?: number
              readonly moderation_request_channel_id?: number
              readonly allow_message_editing?: boolean
              readonly message_content_edit_limit_seconds?: number | null
              readonly message_content_delete_limit_seconds?: number | null
              readonly move_messages_within_stream_limit_seconds?: number | null
              readonly move_messages_between_streams_limit_seconds?: number | null
              readonly message_edit_history_visibility_policy?: 'all' | 'moves' | 'none'
              readonly enable_read_receipts?: boolean
              readonly second_factor_grace_days?: number
              readonly second_factor_required_at?: number | null
              readonly join_without_confirmation?: boolean
              readonly default_avatar_source?: 'G' | 'J'
              readonly default_language?: string
              readonly default_code_block_language?: string
              readonly emails_restricted_to_domains?: boolean
              readonly inline_image_preview?: boolean
              readonly inline_url_embed_preview?: boolean
              readonly name_changes_disabled?: boolean
              readonly email_changes_disabled?: boolean
              readonly avatar_changes_disabled?: boolean
              readonly presence_disabled?: boolean
              readonly require_unique_names?: boolean
              readonly disallow_disposable_email_addresses?: boolean
              readonly enable_guest_user_indicator?: boolean
              readonly enable_guest_user_dm_warning?: boolean
              readonly digest_emails_enabled?: boolean
              readonly digest_weekday?: number
              readonly send_welcome_emails?: boolean
              readonly welcome_message_custom_text?: string
              readonly message_content_allowed_in_email_notifications?: boolean
              readonly video_chat_provider?: 0 | 1 | 3 | 4 | 1000
              readonly jitsi_server_url?: string | null
              readonly giphy_rating?: 0 | 1 | 2 | 3 | 4 | 5
              readonly org_type?: 0 | 10 | 20 | 30 | 35 | 40 | 50 | 60 | 70 | 80 | 90 | 100 | 1000
              readonly want_advertise_in_communities_directory?: boolean
              readonly mandatory_topics?: boolean
              readonly allow_edit_history?: boolean
              readonly can_access_all_users_group?: GroupSetting
              readonly can_add_custom_emoji_group?: GroupSetting
              readonly can_add_subscribers_group?: GroupSetting
              readonly can_create_bots_group?: GroupSetting
              readonly can_create_groups?: GroupSetting
              readonly can_create_private_channel_group?: GroupSetting
              readonly can_create_public_channel_group?: GroupSetting
              readonly can_create_web_public_channel_group?: GroupSetting
              readonly can_create_write_only_bots_group?: GroupSetting
              readonly can_delete_any_message_group?: GroupSetting
              readonly can_delete_own_message_group?: GroupSetting
              readonly can_invite_users_group?: GroupSetting
              readonly can_manage_all_groups?: GroupSetting
              readonly can_manage_billing_group?: GroupSetting
              readonly can_mention_many_users_group?: GroupSetting
              readonly can_move_messages_between_channels_group?: GroupSetting
              readonly can_move_messages_between_topics_group?: GroupSetting
              readonly can_resolve_topics_group?: GroupSetting
              readonly can_set_delete_message_policy_group?: GroupSetting
              readonly can_set_topics_policy_group?: GroupSetting
              readonly can_summarize_topics_group?: GroupSetting
              readonly create_multiuse_invite_group?: GroupSetting
              readonly direct_message_initiator_group?: GroupSetting
              readonly direct_message_permission_group?: GroupSetting
              readonly create_public_stream_policy?: number
              readonly create_private_stream_policy?: number
              readonly create_web_public_stream_policy?: number
              readonly wildcard_mention_policy?: number
              readonly edit_topic_policy?: number
            }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'realm/picture'
            readonly details: { readonly picture: 'icon' | 'logo' | 'night_logo'; readonly uploaded: boolean }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'realm_linkifiers'
            readonly details: { readonly realm_linkifiers: readonly Linkifier[] }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'realm_playgrounds'
            readonly details: { readonly realm_playgrounds: readonly Playground[] }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'realm_domains/add'
            readonly details: { readonly realm_domain: EmailDomain }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'realm_domains/change'
            readonly details: { readonly realm_domain: EmailDomain }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'realm_domains/remove'
            readonly details: { readonly realm_domain: EmailDomain }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'realm_user_settings_defaults/update'
            readonly details: {
              readonly property: string
              readonly value: boolean | number | string
              readonly language_name?: string
            }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'realm_emoji/update'
            readonly details: {
              readonly emoji_id: number
              readonly name: string
              readonly author_id: number
              readonly deactivated: boolean
            }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'realm_export'
            readonly details: {
              readonly export_id: number
              readonly export_type: number
              readonly op: 'pending' | 'done' | 'failed' | 'deleted'
            }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'own_export'
            readonly details: {
              readonly export_id: number
              readonly op: 'pending' | 'done' | 'failed' | 'deleted'
            }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'realm_import'
            readonly details: {
              readonly import_id: number
              readonly product: 'slack' | 'mattermost' | 'rocket-chat' | 'discord' | 'zulip' | 'parley'
              readonly op: 'waiting' | 'checking' | 'checked' | 'running' | 'done' | 'failed' | 'cancelled'
            }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'custom_profile_fields'
            readonly details: { readonly fields: readonly { readonly id: number; readonly name: string }[] }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'scim_token_changed'
            readonly details: { readonly is_on: boolean }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'realm_user/add'
            readonly details: {
              readonly user_id: number
              readonly full_name: string
              readonly role: number
              readonly bot_type: number | null
              readonly bot_owner_id: number | null
            }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'realm_user/update'
            readonly details: {
              readonly user_id: number
              readonly email_changed: boolean
              readonly full_name?: string
              readonly role?: number
              readonly is_active?: boolean
              readonly bot_owner_id?: number | null
              readonly timezone?: string
              readonly joined_at?: number
            }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'realm_user/avatar'
            readonly details: { readonly user_id: number }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'realm_user/profile'
            readonly details: { readonly user_id: number; readonly field_id: number }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'bot_setup_changed'
            readonly details: { readonly user_id: number }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'api_keys_changed'
            readonly details: { readonly user_id: number; readonly key_count: number }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'named_key_made'
            readonly details: {
              readonly user_id: number
              readonly key_id: string
              readonly name: string
              readonly scope: 'read' | 'messages' | 'channel' | 'webhooks'
              readonly stream_id: number | null
            }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'named_keys_ended'
            readonly details: { readonly user_id: number; readonly key_ids: readonly string[] }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'login_sessions_changed'
            readonly details: { readonly user_id: number; readonly session_count: number }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'password_set'
            readonly details: { readonly user_id: number }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'second_factors_changed'
            readonly details: {
              readonly user_id: number
              readonly change:
                | 'totp_on'
                | 'totp_off'
                | 'codes_renewed'
                | 'passkey_added'
                | 'passkey_removed'
                | 'reset'
            }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'access_refused'
            readonly details: {
              readonly refusal: 'log_in' | 'code' | 'permission' | 'key'
              readonly user_id: number | null
              readonly network: string | null
              readonly operation: string | null
              readonly count: number
            }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'agent_wrote'
            readonly details: {
              readonly user_id: number
              readonly key_id: string | null
              readonly program: string
              readonly wrote: 'message' | 'reaction' | 'draft'
              readonly stream_id: number | null
              readonly message_id: number | null
              readonly draft_id: number | null
              readonly emoji_name: string | null
            }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'stream/create'
            readonly details: {
              readonly streams: readonly { readonly stream_id: number; readonly name: string }[]
            }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'stream/update'
            readonly details: {
              readonly stream_id: number
              readonly property: string
              readonly value: number | null | string | boolean | GroupSetting
              readonly history_public_to_subscribers?: boolean
              readonly is_web_public?: boolean
            }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'default_streams'
            readonly details: { readonly default_streams: readonly number[] }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'default_stream_groups'
            readonly details: {
              readonly default_stream_groups: readonly {
                readonly id: number
                readonly name: string
                readonly description: string
                readonly streams: readonly number[]
              }[]
            }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'channel_folder/add'
            readonly details: { readonly name: string }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'channel_folder/update'
            readonly details: {
              readonly channel_folder_id: number
              readonly name?: string
              readonly description?: string
              readonly is_archived?: boolean
            }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'channel_folder/reorder'
            readonly details: { readonly order: readonly number[] }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'subscription/add'
            readonly details: { readonly stream_ids: readonly number[]; readonly user_ids: readonly number[] }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'subscription/remove'
            readonly details: { readonly stream_ids: readonly number[]; readonly user_ids: readonly number[] }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'user_group/add'
            readonly details: {
              readonly group_id: number
              readonly name: string
              readonly members: readonly number[]
              readonly direct_subgroup_ids: readonly number[]
            }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'user_group/update'
            readonly details: {
              readonly group_id: number
              readonly data: {
                readonly name?: string
                readonly description?: string
                readonly deactivated?: boolean
                readonly can_add_members_group?: GroupSetting
                readonly can_join_group?: GroupSetting
                readonly can_leave_group?: GroupSetting
                readonly can_manage_group?: GroupSetting
                readonly can_mention_group?: GroupSetting
                readonly can_remove_members_group?: GroupSetting
              }
            }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'user_group/add_members'
            readonly details: { readonly group_id: number; readonly user_ids: readonly number[] }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'user_group/remove_members'
            readonly details: { readonly group_id: number; readonly user_ids: readonly number[] }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'user_group/add_subgroups'
            readonly details: { readonly group_id: number; readonly direct_subgroup_ids: readonly number[] }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'user_group/remove_subgroups'
            readonly details: { readonly group_id: number; readonly direct_subgroup_ids: readonly number[] }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'legal_hold/add'
            readonly details: {
              readonly name: string
              readonly reason: string
              readonly whole_organization: boolean
              readonly user_ids: readonly number[]
              readonly stream_ids: readonly number[]
            }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'legal_hold/remove'
            readonly details: { readonly hold_id: number; readonly name: string }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'invites_changed'
            readonly details:
              | {
                  readonly op: 'made' | 'mailed'
                  readonly inviter_id: number
                  readonly role: number
                  readonly stream_ids: readonly number[]
                  readonly group_ids: readonly number[]
                  readonly expires_at: number | null
                }
              | {
                  readonly op: 'revoked' | 'resent' | 'linked' | 'inviter_left'
                  readonly inviter_id: number
                  readonly invite_id?: number
                }
          }
        | {
            readonly id: number
            readonly timestamp: number
            readonly actor: 'user' | 'server' | 'scim' | 'unknown'
            readonly acting_user_id: number | null
            readonly kind: 'invitation_used'
            readonly details: { readonly invite_id: number; readonly user_id: number }
          }
      )[]
      readonly found_oldest: boolean
    }
  }
  /** Get the usage of the server. */
  'GET /realm/usage': {
    params: {}
    reply: {
      readonly storage: {
        readonly database: number
        readonly messages: number
        readonly logs: number
        readonly files: number
      }
      readonly counts: {
        readonly messages: number
        readonly messages_last_month: number
        readonly bytes_per_message: number | null
        readonly files: number
        readonly files_last_month: number
        readonly file_bytes_last_month: number
        readonly growth_per_month: number | null
        readonly is_estimated: boolean
      }
      readonly largest_channels: readonly {
        readonly stream_id: number
        readonly name: string
        readonly messages: number
      }[]
      readonly largest_users: readonly {
        readonly user_id: number
        readonly full_name: string
        readonly messages: number
        readonly file_bytes: number
      }[]
      readonly work: readonly {
        readonly kind:
          | 'scheduled_messages'
          | 'notifications'
          | 'pushes'
          | 'emails'
          | 'received_emails'
          | 'previews'
          | 'search_index'
          | 'exports'
          | 'imports'
          | 'removed_files'
        readonly waiting: number
        readonly late_seconds: number
      }[]
      readonly queues: { readonly all: number; readonly connected: number; readonly users: number }
      readonly devices: {
        readonly browsers: number
        readonly browsers_reached: number
        readonly phones: number
      }
    }
  }
  /** Get all exports. */
  'GET /export/realm': {
    params: {}
    reply: {
      readonly exports: readonly {
        readonly id: number
        readonly export_time: number
        readonly deleted_timestamp: number | null
        readonly failed_timestamp: number | null
        readonly export_url: string | null
        readonly pending: boolean
        readonly acting_user_id: number
        readonly export_type: number
        readonly progress?: number
      }[]
    }
  }
  /** Export the organization. */
  'POST /export/realm': {
    params: { readonly export_type?: number | undefined }
    reply: { readonly id: number }
  }
  /** Delete an export. */
  'DELETE /export/realm/{export_id}': {
    params: { readonly export_id: number }
    reply: {}
  }
  /** Get consents to exports. */
  'GET /export/realm/consents': {
    params: {}
    reply: { readonly export_consents: readonly { readonly user_id: number; readonly consented: boolean }[] }
  }
  /** Get exports of your own data. */
  'GET /users/me/export': {
    params: {}
    reply: {
      readonly exports: readonly {
        readonly id: number
        readonly export_time: number
        readonly deleted_timestamp: number | null
        readonly failed_timestamp: number | null
        readonly export_url: string | null
        readonly pending: boolean
        readonly progress?: number
      }[]
    }
  }
  /** Export your own data. */
  'POST /users/me/export': {
    params: {}
    reply: { readonly id: number }
  }
  /** Delete an export of your own data. */
  'DELETE /users/me/export/{export_id}': {
    params: { readonly export_id: number }
    reply: {}
  }
  /** Get all imports. */
  'GET /realm/imports': {
    params: {}
    reply: {
      readonly imports: readonly {
        readonly id: number
        readonly acting_user_id: number
        readonly product: 'slack' | 'mattermost' | 'rocket-chat' | 'discord' | 'zulip' | 'parley'
        readonly file_name: string
        readonly fetch_files: boolean
        readonly keep_roles: boolean
        readonly import_time: number
        readonly phase: 'waiting' | 'checking' | 'checked' | 'running' | 'done' | 'failed' | 'cancelled'
        readonly phase_time: number
        readonly bytes: number | null
        readonly messages: number | null
        readonly progress: {
          readonly step:
            | 'starting'
            | 'people and channels'
            | 'people'
            | 'pictures of people'
            | 'custom emoji'
            | 'channels'
            | 'files'
            | 'messages'
            | 'pins, stars and archived channels'
          readonly messages: number
        } | null
        readonly reason: string | null
        readonly channel_names: readonly { readonly name: string; readonly imported_as: string }[]
        readonly upload_path?: string
        readonly upload_bytes?: number | null
      }[]
    }
  }
  /** Begin an import. */
  'POST /realm/imports': {
    params: {
      readonly product: 'slack' | 'mattermost' | 'rocket-chat' | 'discord' | 'zulip' | 'parley'
      readonly file_name: string
      readonly fetch_files?: boolean | undefined
      readonly keep_roles?: boolean | undefined
    }
    reply: { readonly id: number }
  }
  /** Start an import. */
  'POST /realm/imports/{import_id}/start': {
    params: { readonly import_id: number }
    reply: {}
  }
  /** Choose the names of imported channels. */
  'PATCH /realm/imports/{import_id}': {
    params: {
      readonly import_id: number
      readonly channel_names: readonly { readonly name: string; readonly imported_as: string }[]
    }
    reply: {}
  }
  /** Cancel an import. */
  'DELETE /realm/imports/{import_id}': {
    params: { readonly import_id: number }
    reply: {}
  }
  /** Get the report of an import. */
  'GET /realm/imports/{import_id}/report': {
    params: { readonly import_id: number }
    reply: {
      readonly report: {
        readonly seconds: number
        readonly users: {
          readonly created: number
          readonly matched: number
          readonly already_imported: number
          readonly deactivated: number
          readonly bots: number
          readonly placeholders: number
        }
        readonly channels: {
          readonly created: number
          readonly already_imported: number
          readonly archived: number
          readonly renamed: number
          readonly merged?: number
        }
        readonly messages: number
        readonly already_imported: number
        readonly topics: number
        readonly files: number
        readonly files_as_links: number
        readonly left_out: readonly {
          readonly reason: string
          readonly count: number
          readonly examples: readonly string[]
        }[]
        readonly places: readonly {
          readonly name: string
          readonly imported_as: string | null
          readonly kind: 'public' | 'private' | 'direct' | 'unknown'
          readonly messages: number
          readonly already_imported: number
          readonly topics: number
          readonly reactions: number
          readonly files_as_links: number
          readonly members: number
          readonly left_out: readonly {
            readonly reason: string
            readonly count: number
            readonly examples: readonly string[]
          }[]
        }[]
        readonly more_places: number
        readonly estimated_minutes?: number
        readonly estimated_disk_mib?: number
        readonly taken_channels?: readonly {
          readonly name: string
          readonly imported_as: string
          readonly stream_id: number | null
          readonly is_private: boolean
        }[]
        readonly matched_people?: readonly { readonly name: string; readonly user_id: number }[]
      }
    }
  }
  /** Get legal holds. */
  'GET /legal_holds': {
    params: {}
    reply: {
      readonly legal_holds: readonly {
        readonly id: number
        readonly name: string
        readonly reason: string
        readonly whole_organization: boolean
        readonly user_ids: readonly number[]
        readonly stream_ids: readonly number[]
        readonly placed_by: number
        readonly placed_at: number
        readonly kept_messages: number
      }[]
    }
  }
  /** Place a legal hold. */
  'POST /legal_holds': {
    params: {
      readonly name: string
      readonly reason: string
      readonly whole_organization?: boolean | undefined
      readonly user_ids?: readonly number[] | undefined
      readonly stream_ids?: readonly number[] | undefined
    }
    reply: { readonly legal_hold_id: number }
  }
  /** Lift a legal hold. */
  'DELETE /legal_holds/{legal_hold_id}': {
    params: { readonly legal_hold_id: number }
    reply: {}
  }
  /** Get presence of all users. */
  'GET /realm/presence': {
    params: {}
    reply: { readonly server_timestamp: number; readonly presences: PresencesByEmail }
  }
  /** Update settings. */
  'PATCH /settings': {
    params: {
      readonly full_name?: string | undefined
      readonly email?: string | undefined
      readonly old_password?: string | undefined
      readonly new_password?: string | undefined
      readonly keep_api_keys?: boolean | undefined
      readonly translate_emoticons?: boolean | undefined
      readonly send_read_receipts?: boolean | undefined
      readonly send_private_typing_notifications?: boolean | undefined
      readonly send_stream_typing_notifications?: boolean | undefined
      readonly receives_typing_notifications?: boolean | undefined
      readonly enable_drafts_synchronization?: boolean | undefined
      readonly resolved_topic_notice_auto_read_policy?: 'always' | 'except_followed' | 'never' | undefined
      readonly enable_login_emails?: boolean | undefined
      readonly twenty_four_hour_time?: boolean | undefined
      readonly enter_sends?: boolean | undefined
      readonly starred_message_counts?: boolean | undefined
      readonly fluid_layout_width?: boolean | undefined
      readonly high_contrast_mode?: boolean | undefined
      readonly color_scheme?: 1 | 2 | 3 | undefined
      readonly display_emoji_reaction_users?: boolean | undefined
      readonly default_language?: string | undefined
      readonly left_side_userlist?: boolean | undefined
      readonly emojiset?: 'google' | 'google-blob' | 'twitter' | 'text' | undefined
      readonly demote_inactive_streams?: 1 | 2 | 3 | undefined
      readonly user_list_style?: 1 | 2 | 3 | undefined
      readonly hide_ai_features?: boolean | undefined
      readonly web_home_view?: 'inbox' | 'recent' | 'all_messages' | undefined
      readonly web_escape_navigates_to_home_view?: boolean | undefined
      readonly web_mark_read_on_scroll_policy?: 1 | 2 | 3 | undefined
      readonly web_channel_default_view?: 1 | 2 | 3 | 4 | undefined
      readonly web_suggest_update_timezone?: boolean | undefined
      readonly web_font_size_px?: number | undefined
      readonly web_line_height_percent?: number | undefined
      readonly web_animate_image_previews?: 'always' | 'on_hover' | 'never' | undefined
      readonly web_stream_unreads_count_display_policy?: 1 | 2 | 3 | undefined
      readonly web_navigate_to_sent_message?: boolean | undefined
      readonly web_left_sidebar_unreads_count_summary?: boolean | undefined
      readonly web_left_sidebar_show_channel_folders?: boolean | undefined
      readonly web_inbox_show_channel_folders?: boolean | undefined
      readonly enable_stream_desktop_notifications?: boolean | undefined
      readonly enable_stream_email_notifications?: boolean | undefined
      readonly enable_stream_push_notifications?: boolean | undefined
      readonly enable_stream_audible_notifications?: boolean | undefined
      readonly notification_sound?: 'ding' | 'none' | undefined
      readonly enable_desktop_notifications?: boolean | undefined
      readonly enable_sounds?: boolean | undefined
      readonly enable_followed_topic_desktop_notifications?: boolean | undefined
      readonly enable_followed_topic_email_notifications?: boolean | undefined
      readonly enable_followed_topic_push_notifications?: boolean | undefined
      readonly enable_followed_topic_audible_notifications?: boolean | undefined
      readonly email_notifications_batching_period_seconds?: number | undefined
      readonly enable_offline_email_notifications?: boolean | undefined
      readonly enable_offline_push_notifications?: boolean | undefined
      readonly enable_online_push_notifications?: boolean | undefined
      readonly enable_digest_emails?: boolean | undefined
      readonly enable_marketing_emails?: boolean | undefined
      readonly message_content_in_email_notifications?: boolean | undefined
      readonly pm_content_in_desktop_notifications?: boolean | undefined
      readonly parley_hide_notification_text?: boolean | undefined
      readonly parley_show_link_previews?: boolean | undefined
      readonly parley_show_topic_tour?: boolean | undefined
      readonly parley_notifications_paused_until?: number | undefined
      readonly parley_quiet_hours?: string | undefined
      readonly wildcard_mentions_notify?: boolean | undefined
      readonly enable_followed_topic_wildcard_mentions_notify?: boolean | undefined
      readonly desktop_icon_count_display?: 1 | 2 | 3 | 4 | undefined
      readonly realm_name_in_email_notifications_policy?: 1 | 2 | 3 | undefined
      readonly automatically_follow_topics_policy?: 1 | 2 | 3 | 4 | undefined
      readonly automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4 | undefined
      readonly automatically_follow_topics_where_mentioned?: boolean | undefined
      readonly presence_enabled?: boolean | undefined
      readonly allow_private_data_export?: boolean | undefined
      readonly email_address_visibility?: 1 | 2 | 3 | 4 | 5 | undefined
      readonly timezone?: string | undefined
    }
    reply: {}
  }
  /** Update settings (/settings/notifications). */
  'PATCH /settings/notifications': {
    params: {
      readonly translate_emoticons?: boolean | undefined
      readonly send_read_receipts?: boolean | undefined
      readonly send_private_typing_notifications?: boolean | undefined
      readonly send_stream_typing_notifications?: boolean | undefined
      readonly receives_typing_notifications?: boolean | undefined
      readonly enable_drafts_synchronization?: boolean | undefined
      readonly resolved_topic_notice_auto_read_policy?: 'always' | 'except_followed' | 'never' | undefined
      readonly enable_login_emails?: boolean | undefined
      readonly twenty_four_hour_time?: boolean | undefined
      readonly enter_sends?: boolean | undefined
      readonly starred_message_counts?: boolean | undefined
      readonly fluid_layout_width?: boolean | undefined
      readonly high_contrast_mode?: boolean | undefined
      readonly color_scheme?: 1 | 2 | 3 | undefined
      readonly display_emoji_reaction_users?: boolean | undefined
      readonly default_language?: string | undefined
      readonly left_side_userlist?: boolean | undefined
      readonly emojiset?: 'google' | 'google-blob' | 'twitter' | 'text' | undefined
      readonly demote_inactive_streams?: 1 | 2 | 3 | undefined
      readonly user_list_style?: 1 | 2 | 3 | undefined
      readonly hide_ai_features?: boolean | undefined
      readonly web_home_view?: 'inbox' | 'recent' | 'all_messages' | undefined
      readonly web_escape_navigates_to_home_view?: boolean | undefined
      readonly web_mark_read_on_scroll_policy?: 1 | 2 | 3 | undefined
      readonly web_channel_default_view?: 1 | 2 | 3 | 4 | undefined
      readonly web_suggest_update_timezone?: boolean | undefined
      readonly web_font_size_px?: number | undefined
      readonly web_line_height_percent?: number | undefined
      readonly web_animate_image_previews?: 'always' | 'on_hover' | 'never' | undefined
      readonly web_stream_unreads_count_display_policy?: 1 | 2 | 3 | undefined
      readonly web_navigate_to_sent_message?: boolean | undefined
      readonly web_left_sidebar_unreads_count_summary?: boolean | undefined
      readonly web_left_sidebar_show_channel_folders?: boolean | undefined
      readonly web_inbox_show_channel_folders?: boolean | undefined
      readonly enable_stream_desktop_notifications?: boolean | undefined
      readonly enable_stream_email_notifications?: boolean | undefined
      readonly enable_stream_push_notifications?: boolean | undefined
      readonly enable_stream_audible_notifications?: boolean | undefined
      readonly notification_sound?: 'ding' | 'none' | undefined
      readonly enable_desktop_notifications?: boolean | undefined
      readonly enable_sounds?: boolean | undefined
      readonly enable_followed_topic_desktop_notifications?: boolean | undefined
      readonly enable_followed_topic_email_notifications?: boolean | undefined
      readonly enable_followed_topic_push_notifications?: boolean | undefined
      readonly enable_followed_topic_audible_notifications?: boolean | undefined
      readonly email_notifications_batching_period_seconds?: number | undefined
      readonly enable_offline_email_notifications?: boolean | undefined
      readonly enable_offline_push_notifications?: boolean | undefined
      readonly enable_online_push_notifications?: boolean | undefined
      readonly enable_digest_emails?: boolean | undefined
      readonly enable_marketing_emails?: boolean | undefined
      readonly message_content_in_email_notifications?: boolean | undefined
      readonly pm_content_in_desktop_notifications?: boolean | undefined
      readonly parley_hide_notification_text?: boolean | undefined
      readonly parley_show_link_previews?: boolean | undefined
      readonly parley_show_topic_tour?: boolean | undefined
      readonly parley_notifications_paused_until?: number | undefined
      readonly parley_quiet_hours?: string | undefined
      readonly wildcard_mentions_notify?: boolean | undefined
      readonly enable_followed_topic_wildcard_mentions_notify?: boolean | undefined
      readonly desktop_icon_count_display?: 1 | 2 | 3 | 4 | undefined
      readonly realm_name_in_email_notifications_policy?: 1 | 2 | 3 | undefined
      readonly automatically_follow_topics_policy?: 1 | 2 | 3 | 4 | undefined
      readonly automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4 | undefined
      readonly automatically_follow_topics_where_mentioned?: boolean | undefined
      readonly presence_enabled?: boolean | undefined
      readonly allow_private_data_export?: boolean | undefined
      readonly email_address_visibility?: 1 | 2 | 3 | 4 | 5 | undefined
      readonly timezone?: string | undefined
    }
    reply: {}
  }
  /** Update settings (/settings/display). */
  'PATCH /settings/display': {
    params: {
      readonly translate_emoticons?: boolean | undefined
      readonly send_read_receipts?: boolean | undefined
      readonly send_private_typing_notifications?: boolean | undefined
      readonly send_stream_typing_notifications?: boolean | undefined
      readonly receives_typing_notifications?: boolean | undefined
      readonly enable_drafts_synchronization?: boolean | undefined
      readonly resolved_topic_notice_auto_read_policy?: 'always' | 'except_followed' | 'never' | undefined
      readonly enable_login_emails?: boolean | undefined
      readonly twenty_four_hour_time?: boolean | undefined
      readonly enter_sends?: boolean | undefined
      readonly starred_message_counts?: boolean | undefined
      readonly fluid_layout_width?: boolean | undefined
      readonly high_contrast_mode?: boolean | undefined
      readonly color_scheme?: 1 | 2 | 3 | undefined
      readonly display_emoji_reaction_users?: boolean | undefined
      readonly default_language?: string | undefined
      readonly left_side_userlist?: boolean | undefined
      readonly emojiset?: 'google' | 'google-blob' | 'twitter' | 'text' | undefined
      readonly demote_inactive_streams?: 1 | 2 | 3 | undefined
      readonly user_list_style?: 1 | 2 | 3 | undefined
      readonly hide_ai_features?: boolean | undefined
      readonly web_home_view?: 'inbox' | 'recent' | 'all_messages' | undefined
      readonly web_escape_navigates_to_home_view?: boolean | undefined
      readonly web_mark_read_on_scroll_policy?: 1 | 2 | 3 | undefined
      readonly web_channel_default_view?: 1 | 2 | 3 | 4 | undefined
      readonly web_suggest_update_timezone?: boolean | undefined
      readonly web_font_size_px?: number | undefined
      readonly web_line_height_percent?: number | undefined
      readonly web_animate_image_previews?: 'always' | 'on_hover' | 'never' | undefined
      readonly web_stream_unreads_count_display_policy?: 1 | 2 | 3 | undefined
      readonly web_navigate_to_sent_message?: boolean | undefined
      readonly web_left_sidebar_unreads_count_summary?: boolean | undefined
      readonly web_left_sidebar_show_channel_folders?: boolean | undefined
      readonly web_inbox_show_channel_folders?: boolean | undefined
      readonly enable_stream_desktop_notifications?: boolean | undefined
      readonly enable_stream_email_notifications?: boolean | undefined
      readonly enable_stream_push_notifications?: boolean | undefined
      readonly enable_stream_audible_notifications?: boolean | undefined
      readonly notification_sound?: 'ding' | 'none' | undefined
      readonly enable_desktop_notifications?: boolean | undefined
      readonly enable_sounds?: boolean | undefined
      readonly enable_followed_topic_desktop_notifications?: boolean | undefined
      readonly enable_followed_topic_email_notifications?: boolean | undefined
      readonly enable_followed_topic_push_notifications?: boolean | undefined
      readonly enable_followed_topic_audible_notifications?: boolean | undefined
      readonly email_notifications_batching_period_seconds?: number | undefined
      readonly enable_offline_email_notifications?: boolean | undefined
      readonly enable_offline_push_notifications?: boolean | undefined
      readonly enable_online_push_notifications?: boolean | undefined
      readonly enable_digest_emails?: boolean | undefined
      readonly enable_marketing_emails?: boolean | undefined
      readonly message_content_in_email_notifications?: boolean | undefined
      readonly pm_content_in_desktop_notifications?: boolean | undefined
      readonly parley_hide_notification_text?: boolean | undefined
      readonly parley_show_link_previews?: boolean | undefined
      readonly parley_show_topic_tour?: boolean | undefined
      readonly parley_notifications_paused_until?: number | undefined
      readonly parley_quiet_hours?: string | undefined
      readonly wildcard_mentions_notify?: boolean | undefined
      readonly enable_followed_topic_wildcard_mentions_notify?: boolean | undefined
      readonly desktop_icon_count_display?: 1 | 2 | 3 | 4 | undefined
      readonly realm_name_in_email_notifications_policy?: 1 | 2 | 3 | undefined
      readonly automatically_follow_topics_policy?: 1 | 2 | 3 | 4 | undefined
      readonly automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4 | undefined
      readonly automatically_follow_topics_where_mentioned?: boolean | undefined
      readonly presence_enabled?: boolean | undefined
      readonly allow_private_data_export?: boolean | undefined
      readonly email_address_visibility?: 1 | 2 | 3 | 4 | 5 | undefined
      readonly timezone?: string | undefined
    }
    reply: {}
  }
  /** Get drafts. */
  'GET /drafts': {
    params: {}
    reply: { readonly count: number; readonly drafts: readonly Draft[] }
  }
  /** Create drafts. */
  'POST /drafts': {
    params: {
      readonly drafts?:
        | readonly {
            readonly type: '' | 'stream' | 'channel' | 'private' | 'direct'
            readonly to: readonly number[]
            readonly topic: string
            readonly content: string
            readonly timestamp?: number
          }[]
        | undefined
    }
    reply: { readonly ids: readonly number[] }
  }
  /** Update a draft. */
  'PATCH /drafts/{draft_id}': {
    params: {
      readonly draft_id: number
      readonly draft: {
        readonly type: '' | 'stream' | 'channel' | 'private' | 'direct'
        readonly to: readonly number[]
        readonly topic: string
        readonly content: string
        readonly timestamp?: number
      }
    }
    reply: {}
  }
  /** Delete a draft. */
  'DELETE /drafts/{draft_id}': {
    params: { readonly draft_id: number }
    reply: {}
  }
  /** Get scheduled messages. */
  'GET /scheduled_messages': {
    params: {}
    reply: { readonly scheduled_messages: readonly ScheduledMessage[] }
  }
  /** Create a scheduled message. */
  'POST /scheduled_messages': {
    params: {
      readonly type: 'direct' | 'channel' | 'stream' | 'private'
      readonly to: number | readonly number[]
      readonly content: string
      readonly topic?: string | undefined
      readonly scheduled_delivery_timestamp: number
      readonly read_by_sender?: boolean | undefined
    }
    reply: { readonly scheduled_message_id: number }
  }
  /** Edit a scheduled message. */
  'PATCH /scheduled_messages/{scheduled_message_id}': {
    params: {
      readonly scheduled_message_id: number
      readonly type?: 'direct' | 'channel' | 'stream' | 'private' | undefined
      readonly to?: number | readonly number[] | undefined
      readonly content?: string | undefined
      readonly topic?: string | undefined
      readonly scheduled_delivery_timestamp?: number | undefined
    }
    reply: {}
  }
  /** Delete a scheduled message. */
  'DELETE /scheduled_messages/{scheduled_message_id}': {
    params: { readonly scheduled_message_id: number }
    reply: {}
  }
  /** Get reminders. */
  'GET /reminders': {
    params: {}
    reply: { readonly reminders: readonly Reminder[] }
  }
  /** Create a message reminder. */
  'POST /reminders': {
    params: {
      readonly message_id: number
      readonly scheduled_delivery_timestamp: number
      readonly note?: string | undefined
    }
    reply: { readonly reminder_id: number }
  }
  /** Delete a reminder. */
  'DELETE /reminders/{reminder_id}': {
    params: { readonly reminder_id: number }
    reply: {}
  }
  /** Get saved snippets. */
  'GET /saved_snippets': {
    params: {}
    reply: { readonly saved_snippets: readonly Snippet[] }
  }
  /** Create a saved snippet. */
  'POST /saved_snippets': {
    params: { readonly title: string; readonly content: string }
    reply: { readonly saved_snippet_id: number }
  }
  /** Edit a saved snippet. */
  'PATCH /saved_snippets/{saved_snippet_id}': {
    params: {
      readonly saved_snippet_id: number
      readonly title?: string | undefined
      readonly content?: string | undefined
    }
    reply: {}
  }
  /** Delete a saved snippet. */
  'DELETE /saved_snippets/{saved_snippet_id}': {
    params: { readonly saved_snippet_id: number }
    reply: {}
  }
  /** Get navigation views. */
  'GET /navigation_views': {
    params: {}
    reply: { readonly navigation_views: readonly NavigationView[] }
  }
  /** Add a navigation view. */
  'POST /navigation_views': {
    params: { readonly fragment: string; readonly is_pinned: boolean; readonly name?: string | undefined }
    reply: {}
  }
  /** Update a navigation view. */
  'PATCH /navigation_views/{fragment}': {
    params: {
      readonly fragment: string
      readonly is_pinned?: boolean | undefined
      readonly name?: string | undefined
    }
    reply: {}
  }
  /** Remove a navigation view. */
  'DELETE /navigation_views/{fragment}': {
    params: { readonly fragment: string }
    reply: {}
  }
  /** Receive a webhook. */
  'POST /external/{integration_name}': {
    params: {
      readonly integration_name: string
      readonly api_key: string
      readonly stream?: string | undefined
      readonly topic?: string | undefined
      readonly only_events?: readonly string[] | undefined
      readonly exclude_events?: readonly string[] | undefined
    }
    reply: { readonly ignored_events?: readonly string[] }
  }
  /** Get the integrations. */
  'GET /integrations': {
    params: {}
    reply: {
      readonly integrations: readonly {
        readonly name: string
        readonly title: string
        readonly events: readonly string[]
      }[]
    }
  }
  /** Upload a file. */
  'POST /user_uploads': {
    params: {}
    reply: { readonly url: string; readonly uri: string; readonly filename: string }
  }
  /** Get a temporary address of a file. */
  'GET /user_uploads/{realm_id_str}/{filename}': {
    params: { readonly realm_id_str: number; readonly filename: string }
    reply: { readonly url: string }
  }
  /** Get the state of a thumbnail. */
  'GET /thumbnail/status/{realm_id_str}/{filename}': {
    params: { readonly realm_id_str: number; readonly filename: string }
    reply: { readonly has_thumbnail: boolean }
  }
  /** Get own uploads. */
  'GET /attachments': {
    params: {}
    reply: { readonly attachments: readonly Attachment[]; readonly upload_space_used: number }
  }
  /** Delete an upload. */
  'DELETE /attachments/{attachment_id}': {
    params: { readonly attachment_id: number }
    reply: {}
  }
  /** Get alert words. */
  'GET /users/me/alert_words': {
    params: {}
    reply: { readonly alert_words: readonly string[] }
  }
  /** Add alert words. */
  'POST /users/me/alert_words': {
    params: { readonly alert_words: readonly string[] }
    reply: { readonly alert_words: readonly string[] }
  }
  /** Remove alert words. */
  'DELETE /users/me/alert_words': {
    params: { readonly alert_words: readonly string[] }
    reply: { readonly alert_words: readonly string[] }
  }
  /** Mute a user. */
  'POST /users/me/muted_users/{muted_user_id}': {
    params: { readonly muted_user_id: number }
    reply: {}
  }
  /** Unmute a user. */
  'DELETE /users/me/muted_users/{muted_user_id}': {
    params: { readonly muted_user_id: number }
    reply: {}
  }
  /** Register a device. */
  'POST /register_client_device': {
    params: {}
    reply: { readonly device_id: number }
  }
  /** Remove a device. */
  'POST /remove_client_device': {
    params: { readonly device_id: number }
    reply: {}
  }
  /** Register a device for push notifications. */
  'POST /mobile_push/register': {
    params: {
      readonly device_id: number
      readonly push_key_id?: number | undefined
      readonly push_key?: string | undefined
      readonly token_kind?: 'apns' | 'fcm' | undefined
      readonly token_id?: string | undefined
      readonly bouncer_public_key?: string | undefined
      readonly encrypted_push_registration?: string | undefined
    }
    reply: {}
  }
  /** Get own subscriptions to web push. */
  'GET /users/me/web_push': {
    params: {}
    reply: {
      readonly public_key: string | null
      readonly subscriptions: readonly {
        readonly id: number
        readonly client: string
        readonly client_name: string
        readonly service: string
        readonly created_at: number
        readonly last_success_at: number | null
        readonly last_answer: string | null
        readonly is_current: boolean
      }[]
      readonly phones: readonly {
        readonly device_id: number | null
        readonly kind: string
        readonly registered_at: number
        readonly is_registered: boolean
        readonly last_success_at: number | null
        readonly last_answer: string | null
      }[]
      readonly email: { readonly last_success_at: number | null; readonly last_answer: string | null }
    }
  }
  /** Subscribe to web push. */
  'POST /users/me/web_push': {
    params: { readonly endpoint: string; readonly p256dh: string; readonly auth: string }
    reply: { readonly web_push_id: number }
  }
  /** Unsubscribe from web push. */
  'DELETE /users/me/web_push/{web_push_id}': {
    params: { readonly web_push_id: number }
    reply: {}
  }
  /** Send a test notification by web push. */
  'POST /users/me/web_push/{web_push_id}/test': {
    params: { readonly web_push_id: number }
    reply: {}
  }
  /** Send an end-to-end encrypted test notification. */
  'POST /mobile_push/e2ee/test_notification': {
    params: { readonly device_id?: number | undefined }
    reply: {}
  }
  /** Send a test notification. */
  'POST /mobile_push/test_notification': {
    params: { readonly token?: string | undefined }
    reply: {}
  }
  /** Add a push registration token. */
  'POST /users/me/android_push_reg_id': {
    params: { readonly token: string }
    reply: {}
  }
  /** Remove a push registration token. */
  'DELETE /users/me/android_push_reg_id': {
    params: { readonly token: string }
    reply: {}
  }
  /** Add an APNs device token. */
  'POST /users/me/apns_device_token': {
    params: { readonly token: string; readonly appid: string }
    reply: {}
  }
  /** Remove an APNs device token. */
  'DELETE /users/me/apns_device_token': {
    params: { readonly token: string }
    reply: {}
  }
  /** Update the organization. */
  'PATCH /realm': {
    params: {
      readonly name?: string | undefined
      readonly description?: string | undefined
      readonly waiting_period_threshold?: number | undefined
      readonly second_factor_grace_days?: number | undefined
      readonly join_without_confirmation?: boolean | undefined
      readonly topics_policy?: 'allow_empty_topic' | 'disable_empty_topic' | undefined
      readonly mandatory_topics?: boolean | undefined
      readonly enable_spectator_access?: boolean | undefined
      readonly message_retention_days?: 'unlimited' | number | undefined
      readonly send_channel_events_messages?: boolean | undefined
      readonly new_stream_announcements_stream_id?: number | undefined
      readonly moderation_request_channel_id?: number | undefined
      readonly default_avatar_source?: 'G' | 'J' | undefined
      readonly allow_message_editing?: boolean | undefined
      readonly message_content_edit_limit_seconds?: 'unlimited' | number | undefined
      readonly message_content_delete_limit_seconds?: 'unlimited' | number | undefined
      readonly move_messages_within_stream_limit_seconds?: 'unlimited' | number | undefined
      readonly move_messages_between_streams_limit_seconds?: 'unlimited' | number | undefined
      readonly message_edit_history_visibility_policy?: 'all' | 'moves' | 'none' | undefined
      readonly allow_edit_history?: boolean | undefined
      readonly enable_read_receipts?: boolean | undefined
      readonly default_language?: string | undefined
      readonly default_code_block_language?: string | undefined
      readonly emails_restricted_to_domains?: boolean | undefined
      readonly inline_image_preview?: boolean | undefined
      readonly inline_url_embed_preview?: boolean | undefined
      readonly name_changes_disabled?: boolean | undefined
      readonly email_changes_disabled?: boolean | undefined
      readonly avatar_changes_disabled?: boolean | undefined
      readonly presence_disabled?: boolean | undefined
      readonly require_unique_names?: boolean | undefined
      readonly disallow_disposable_email_addresses?: boolean | undefined
      readonly enable_guest_user_indicator?: boolean | undefined
      readonly enable_guest_user_dm_warning?: boolean | undefined
      readonly digest_emails_enabled?: boolean | undefined
      readonly digest_weekday?: number | undefined
      readonly send_welcome_emails?: boolean | undefined
      readonly welcome_message_custom_text?: string | undefined
      readonly message_content_allowed_in_email_notifications?: boolean | undefined
      readonly video_chat_provider?: 0 | 1 | 3 | 4 | 1000 | undefined
      readonly jitsi_server_url?: string | undefined
      readonly giphy_rating?: 0 | 1 | 2 | 3 | 4 | 5 | undefined
      readonly org_type?: 0 | 10 | 20 | 30 | 35 | 40 | 50 | 60 | 70 | 80 | 90 | 100 | 1000 | undefined
      readonly want_advertise_in_communities_directory?: boolean | undefined
      readonly can_access_all_users_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_add_custom_emoji_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_add_subscribers_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_create_bots_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_create_groups?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_create_private_channel_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_create_public_channel_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_create_web_public_channel_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_create_write_only_bots_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_delete_any_message_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_delete_own_message_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_invite_users_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_manage_all_groups?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_manage_billing_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_mention_many_users_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_move_messages_between_channels_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_move_messages_between_topics_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_resolve_topics_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_set_delete_message_policy_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_set_topics_policy_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_summarize_topics_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly create_multiuse_invite_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly direct_message_initiator_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly direct_message_permission_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
    }
    reply: {}
  }
  /** Set the icon of the organization. */
  'POST /realm/icon': {
    params: {}
    reply: { readonly icon_url: string }
  }
  /** Remove the icon of the organization. */
  'DELETE /realm/icon': {
    params: {}
    reply: { readonly icon_url: string }
  }
  /** Get the icon of the organization. */
  'GET /realm/icon': {
    params: {}
    reply: {}
  }
  /** Set the logo of the organization. */
  'POST /realm/logo': {
    params: { readonly night: boolean }
    reply: {}
  }
  /** Remove the logo of the organization. */
  'DELETE /realm/logo': {
    params: { readonly night: boolean }
    reply: {}
  }
  /** Get the logo of the organization. */
  'GET /realm/logo': {
    params: { readonly night: boolean }
    reply: {}
  }
  /** Get custom emoji. */
  'GET /realm/emoji': {
    params: {}
    reply: { readonly emoji: Readonly<Record<string, CustomEmoji>> }
  }
  /** Upload a custom emoji. */
  'POST /realm/emoji/{emoji_name}': {
    params: { readonly emoji_name: string }
    reply: {}
  }
  /** Deactivate a custom emoji. */
  'DELETE /realm/emoji/{emoji_name}': {
    params: { readonly emoji_name: string }
    reply: {}
  }
  /** Update the settings of new users. */
  'PATCH /realm/user_settings_defaults': {
    params: {
      readonly translate_emoticons?: boolean | undefined
      readonly send_read_receipts?: boolean | undefined
      readonly send_private_typing_notifications?: boolean | undefined
      readonly send_stream_typing_notifications?: boolean | undefined
      readonly receives_typing_notifications?: boolean | undefined
      readonly enable_drafts_synchronization?: boolean | undefined
      readonly resolved_topic_notice_auto_read_policy?: 'always' | 'except_followed' | 'never' | undefined
      readonly twenty_four_hour_time?: boolean | undefined
      readonly enter_sends?: boolean | undefined
      readonly starred_message_counts?: boolean | undefined
      readonly fluid_layout_width?: boolean | undefined
      readonly high_contrast_mode?: boolean | undefined
      readonly color_scheme?: 1 | 2 | 3 | undefined
      readonly display_emoji_reaction_users?: boolean | undefined
      readonly left_side_userlist?: boolean | undefined
      readonly emojiset?: 'google' | 'google-blob' | 'twitter' | 'text' | undefined
      readonly demote_inactive_streams?: 1 | 2 | 3 | undefined
      readonly user_list_style?: 1 | 2 | 3 | undefined
      readonly hide_ai_features?: boolean | undefined
      readonly web_home_view?: 'inbox' | 'recent' | 'all_messages' | undefined
      readonly web_escape_navigates_to_home_view?: boolean | undefined
      readonly web_mark_read_on_scroll_policy?: 1 | 2 | 3 | undefined
      readonly web_channel_default_view?: 1 | 2 | 3 | 4 | undefined
      readonly web_suggest_update_timezone?: boolean | undefined
      readonly web_font_size_px?: number | undefined
      readonly web_line_height_percent?: number | undefined
      readonly web_animate_image_previews?: 'always' | 'on_hover' | 'never' | undefined
      readonly web_stream_unreads_count_display_policy?: 1 | 2 | 3 | undefined
      readonly web_navigate_to_sent_message?: boolean | undefined
      readonly web_left_sidebar_unreads_count_summary?: boolean | undefined
      readonly web_left_sidebar_show_channel_folders?: boolean | undefined
      readonly web_inbox_show_channel_folders?: boolean | undefined
      readonly enable_stream_desktop_notifications?: boolean | undefined
      readonly enable_stream_email_notifications?: boolean | undefined
      readonly enable_stream_push_notifications?: boolean | undefined
      readonly enable_stream_audible_notifications?: boolean | undefined
      readonly notification_sound?: 'ding' | 'none' | undefined
      readonly enable_desktop_notifications?: boolean | undefined
      readonly enable_sounds?: boolean | undefined
      readonly enable_followed_topic_desktop_notifications?: boolean | undefined
      readonly enable_followed_topic_email_notifications?: boolean | undefined
      readonly enable_followed_topic_push_notifications?: boolean | undefined
      readonly enable_followed_topic_audible_notifications?: boolean | undefined
      readonly email_notifications_batching_period_seconds?: number | undefined
      readonly enable_offline_email_notifications?: boolean | undefined
      readonly enable_offline_push_notifications?: boolean | undefined
      readonly enable_online_push_notifications?: boolean | undefined
      readonly enable_digest_emails?: boolean | undefined
      readonly message_content_in_email_notifications?: boolean | undefined
      readonly pm_content_in_desktop_notifications?: boolean | undefined
      readonly parley_hide_notification_text?: boolean | undefined
      readonly parley_show_link_previews?: boolean | undefined
      readonly parley_show_topic_tour?: boolean | undefined
      readonly parley_notifications_paused_until?: number | undefined
      readonly parley_quiet_hours?: string | undefined
      readonly wildcard_mentions_notify?: boolean | undefined
      readonly enable_followed_topic_wildcard_mentions_notify?: boolean | undefined
      readonly desktop_icon_count_display?: 1 | 2 | 3 | 4 | undefined
      readonly realm_name_in_email_notifications_policy?: 1 | 2 | 3 | undefined
      readonly automatically_follow_topics_policy?: 1 | 2 | 3 | 4 | undefined
      readonly automatically_unmute_topics_in_muted_streams_policy?: 1 | 2 | 3 | 4 | undefined
      readonly automatically_follow_topics_where_mentioned?: boolean | undefined
      readonly presence_enabled?: boolean | undefined
      readonly email_address_visibility?: 1 | 2 | 3 | 4 | 5 | undefined
    }
    reply: {}
  }
  /** Test a welcome message. */
  'POST /realm/test_welcome_bot_custom_message': {
    params: { readonly welcome_message_custom_text: string }
    reply: { readonly message_id: number }
  }
  /** Get linkifiers. */
  'GET /realm/linkifiers': {
    params: {}
    reply: { readonly linkifiers: readonly Linkifier[] }
  }
  /** Get linkifiers in their older form. */
  'GET /realm/filters': {
    params: {}
    reply: { readonly filters: readonly (readonly (string | number)[])[] }
  }
  /** Add a linkifier. */
  'POST /realm/filters': {
    params: {
      readonly pattern: string
      readonly url_template: string
      readonly reverse_template?: string | null | undefined
      readonly example_input?: string | null | undefined
      readonly alternative_url_templates?: '' | readonly string[] | undefined
    }
    reply: { readonly id: number }
  }
  /** Update a linkifier. */
  'PATCH /realm/filters/{filter_id}': {
    params: {
      readonly filter_id: number
      readonly pattern: string
      readonly url_template: string
      readonly reverse_template?: string | null | undefined
      readonly example_input?: string | null | undefined
      readonly alternative_url_templates?: '' | readonly string[] | undefined
    }
    reply: {}
  }
  /** Remove a linkifier. */
  'DELETE /realm/filters/{filter_id}': {
    params: { readonly filter_id: number }
    reply: {}
  }
  /** Reorder linkifiers. */
  'PATCH /realm/linkifiers': {
    params: { readonly ordered_linkifier_ids: readonly number[] }
    reply: {}
  }
  /** Add a code playground. */
  'POST /realm/playgrounds': {
    params: { readonly name: string; readonly highlighter_language: string; readonly url_template: string }
    reply: { readonly id: number }
  }
  /** Remove a code playground. */
  'DELETE /realm/playgrounds/{playground_id}': {
    params: { readonly playground_id: number }
    reply: {}
  }
  /** Get allowed domains. */
  'GET /realm/domains': {
    params: {}
    reply: { readonly domains: readonly EmailDomain[] }
  }
  /** Add an allowed domain. */
  'POST /realm/domains': {
    params: { readonly domain: string; readonly allow_subdomains: boolean }
    reply: { readonly new_domain: readonly (number | string)[] }
  }
  /** Update an allowed domain. */
  'PATCH /realm/domains/{domain}': {
    params: { readonly domain: string; readonly allow_subdomains: boolean }
    reply: {}
  }
  /** Remove an allowed domain. */
  'DELETE /realm/domains/{domain}': {
    params: { readonly domain: string }
    reply: {}
  }
  /** Get all channels. */
  'GET /streams': {
    params: {
      readonly include_public?: boolean | undefined
      readonly include_web_public?: boolean | undefined
      readonly include_subscribed?: boolean | undefined
      readonly exclude_archived?: boolean | undefined
      readonly include_all?: boolean | undefined
      readonly include_default?: boolean | undefined
      readonly include_owner_subscribed?: boolean | undefined
      readonly include_can_access_content?: boolean | undefined
      readonly include_all_active?: boolean | undefined
    }
    reply: {
      readonly streams: readonly {
        readonly stream_id: number
        readonly name: string
        readonly is_archived: boolean
        readonly description: string
        readonly rendered_description: string
        readonly date_created: number
        readonly creator_id: number | null
        readonly invite_only: boolean
        readonly is_web_public: boolean
        readonly stream_post_policy: number
        readonly is_announcement_only: boolean
        readonly message_retention_days: number | null
        readonly history_public_to_subscribers: boolean
        readonly topics_policy: string
        readonly parley_link_previews: boolean
        readonly folder_id: number | null
        readonly can_add_subscribers_group: GroupSetting
        readonly can_remove_subscribers_group: GroupSetting
        readonly can_administer_channel_group: GroupSetting
        readonly can_delete_any_message_group: GroupSetting
        readonly can_delete_own_message_group: GroupSetting
        readonly can_move_messages_out_of_channel_group: GroupSetting
        readonly can_move_messages_within_channel_group: GroupSetting
        readonly can_send_message_group: GroupSetting
        readonly can_subscribe_group: GroupSetting
        readonly can_resolve_topics_group: GroupSetting
        readonly can_create_topic_group: GroupSetting
        readonly can_pin_group: GroupSetting
        readonly first_message_id: number | null
        readonly is_recently_active: boolean
        readonly stream_weekly_traffic: number | null
        readonly subscriber_count: number
        readonly is_default?: boolean
      }[]
    }
  }
  /** Get a channel by id. */
  'GET /streams/{stream_id}': {
    params: { readonly stream_id: number }
    reply: { readonly stream: Channel }
  }
  /** Get the id of a channel. */
  'GET /get_stream_id': {
    params: { readonly stream: string }
    reply: { readonly stream_id: number }
  }
  /** Get the subscribers of a channel. */
  'GET /streams/{stream_id}/members': {
    params: { readonly stream_id: number }
    reply: { readonly subscribers: readonly number[] }
  }
  /** Get a channel's email address. */
  'GET /streams/{stream_id}/email_address': {
    params: { readonly stream_id: number; readonly sender_id?: number | undefined }
    reply: { readonly email: string }
  }
  /** Update a channel. */
  'PATCH /streams/{stream_id}': {
    params: {
      readonly stream_id: number
      readonly description?: string | undefined
      readonly new_name?: string | undefined
      readonly is_private?: boolean | undefined
      readonly is_web_public?: boolean | undefined
      readonly history_public_to_subscribers?: boolean | undefined
      readonly is_default_stream?: boolean | undefined
      readonly message_retention_days?: 'realm_default' | 'unlimited' | number | undefined
      readonly is_archived?: boolean | undefined
      readonly folder_id?: number | null | undefined
      readonly topics_policy?:
        | 'inherit'
        | 'allow_empty_topic'
        | 'disable_empty_topic'
        | 'empty_topic_only'
        | undefined
      readonly parley_link_previews?: boolean | undefined
      readonly can_add_subscribers_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_remove_subscribers_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_administer_channel_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_delete_any_message_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_delete_own_message_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_move_messages_out_of_channel_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_move_messages_within_channel_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_send_message_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_subscribe_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_resolve_topics_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_create_topic_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_pin_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
    }
    reply: {}
  }
  /** Archive a channel. */
  'DELETE /streams/{stream_id}': {
    params: { readonly stream_id: number }
    reply: {}
  }
  /** Add a default channel. */
  'POST /default_streams': {
    params: { readonly stream_id: number }
    reply: {}
  }
  /** Remove a default channel. */
  'DELETE /default_streams': {
    params: { readonly stream_id: number }
    reply: {}
  }
  /** Create a group of default channels. */
  'POST /default_stream_groups/create': {
    params: {
      readonly group_name: string
      readonly description: string
      readonly stream_names: readonly string[]
    }
    reply: { readonly group_id: number }
  }
  /** Update a group of default channels. */
  'PATCH /default_stream_groups/{group_id}': {
    params: {
      readonly group_id: number
      readonly new_group_name?: string | undefined
      readonly new_description?: string | undefined
    }
    reply: {}
  }
  /** Add or remove channels of a group of default channels. */
  'PATCH /default_stream_groups/{group_id}/streams': {
    params: {
      readonly group_id: number
      readonly op: 'add' | 'remove'
      readonly stream_names: readonly string[]
    }
    reply: {}
  }
  /** Remove a group of default channels. */
  'DELETE /default_stream_groups/{group_id}': {
    params: { readonly group_id: number }
    reply: {}
  }
  /** Get channel folders. */
  'GET /channel_folders': {
    params: { readonly include_archived?: boolean | undefined }
    reply: { readonly channel_folders: readonly ChannelFolder[] }
  }
  /** Get the pins of a channel. */
  'GET /streams/{stream_id}/pins': {
    params: { readonly stream_id: number }
    reply: {
      readonly pins: readonly {
        readonly id: number
        readonly message_id: number | null
        readonly topic: string | null
      }[]
    }
  }
  /** Pin a message or a topic. */
  'POST /messages/{message_id}/pin': {
    params: { readonly message_id: number; readonly kind?: 'message' | 'topic' | undefined }
    reply: { readonly pin_id: number }
  }
  /** Unpin a message or a topic. */
  'DELETE /pins/{pin_id}': {
    params: { readonly pin_id: number }
    reply: {}
  }
  /** Create a channel folder. */
  'POST /channel_folders/create': {
    params: { readonly name: string; readonly description?: string | undefined }
    reply: { readonly channel_folder_id: number }
  }
  /** Update a channel folder. */
  'PATCH /channel_folders/{channel_folder_id}': {
    params: {
      readonly channel_folder_id: number
      readonly name?: string | undefined
      readonly description?: string | undefined
      readonly is_archived?: boolean | undefined
    }
    reply: {}
  }
  /** Reorder channel folders. */
  'PATCH /channel_folders': {
    params: { readonly order: readonly number[] }
    reply: {}
  }
  /** Create a channel. */
  'POST /channels/create': {
    params: {
      readonly name: string
      readonly description?: string | undefined
      readonly subscribers: readonly number[]
      readonly send_new_subscription_messages?: boolean | undefined
      readonly can_add_subscribers_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_remove_subscribers_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_administer_channel_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_delete_any_message_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_delete_own_message_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_move_messages_out_of_channel_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_move_messages_within_channel_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_send_message_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_subscribe_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_resolve_topics_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_create_topic_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_pin_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly announce?: boolean | undefined
      readonly invite_only?: boolean | undefined
      readonly is_web_public?: boolean | undefined
      readonly is_default_stream?: boolean | undefined
      readonly history_public_to_subscribers?: boolean | undefined
      readonly message_retention_days?: 'realm_default' | 'unlimited' | number | undefined
      readonly topics_policy?:
        | 'inherit'
        | 'allow_empty_topic'
        | 'disable_empty_topic'
        | 'empty_topic_only'
        | undefined
      readonly folder_id?: number | null | undefined
    }
    reply: { readonly id: number }
  }
  /** Get subscribed channels. */
  'GET /users/me/subscriptions': {
    params: { readonly include_subscribers?: 'true' | 'false' | 'partial' | undefined }
    reply: { readonly subscriptions: readonly Subscription[] }
  }
  /** Get whether a user is subscribed to a channel. */
  'GET /users/{user_id}/subscriptions/{stream_id}': {
    params: { readonly user_id: number; readonly stream_id: number }
    reply: { readonly is_subscribed: boolean }
  }
  /** Subscribe to a channel. */
  'POST /users/me/subscriptions': {
    params: {
      readonly subscriptions: readonly {
        readonly name: string
        readonly description?: string
        readonly color?: string
      }[]
      readonly principals?: readonly number[] | readonly string[] | undefined
      readonly authorization_errors_fatal?: boolean | undefined
      readonly send_new_subscription_messages?: boolean | undefined
      readonly can_add_subscribers_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_remove_subscribers_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_administer_channel_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_delete_any_message_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_delete_own_message_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_move_messages_out_of_channel_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_move_messages_within_channel_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_send_message_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_subscribe_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_resolve_topics_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_create_topic_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_pin_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly announce?: boolean | undefined
      readonly invite_only?: boolean | undefined
      readonly is_web_public?: boolean | undefined
      readonly is_default_stream?: boolean | undefined
      readonly history_public_to_subscribers?: boolean | undefined
      readonly message_retention_days?: 'realm_default' | 'unlimited' | number | undefined
      readonly topics_policy?:
        | 'inherit'
        | 'allow_empty_topic'
        | 'disable_empty_topic'
        | 'empty_topic_only'
        | undefined
      readonly folder_id?: number | null | undefined
    }
    reply: {
      readonly subscribed: Readonly<Record<string, readonly string[]>>
      readonly already_subscribed: Readonly<Record<string, readonly string[]>>
      readonly unauthorized?: readonly string[]
      readonly new_subscription_messages_sent?: boolean
    }
  }
  /** Unsubscribe from a channel. */
  'DELETE /users/me/subscriptions': {
    params: {
      readonly subscriptions: readonly string[]
      readonly principals?: readonly number[] | readonly string[] | undefined
    }
    reply: { readonly removed: readonly string[]; readonly not_removed: readonly string[] }
  }
  /** Update subscriptions. */
  'PATCH /users/me/subscriptions': {
    params: {
      readonly delete?: readonly string[] | undefined
      readonly add?:
        | readonly { readonly name: string; readonly description?: string; readonly color?: string }[]
        | undefined
    }
    reply: {
      readonly subscribed: Readonly<Record<string, readonly string[]>>
      readonly already_subscribed: Readonly<Record<string, readonly string[]>>
      readonly removed: readonly string[]
      readonly not_removed: readonly string[]
    }
  }
  /** Change personal settings of subscriptions. */
  'POST /users/me/subscriptions/properties': {
    params: {
      readonly subscription_data: readonly {
        readonly stream_id: number
        readonly property: string
        readonly value: boolean | string
      }[]
    }
    reply: {}
  }
  /** Change a personal setting of a subscription. */
  'PATCH /users/me/subscriptions/{stream_id}': {
    params: { readonly stream_id: number; readonly property: string; readonly value: boolean | string }
    reply: {}
  }
  /** Mute or unmute a topic. */
  'PATCH /users/me/subscriptions/muted_topics': {
    params: {
      readonly stream_id?: number | undefined
      readonly stream?: string | undefined
      readonly topic: string
      readonly op: 'add' | 'remove'
    }
    reply: {}
  }
  /** Mute, unmute or follow a topic. */
  'POST /user_topics': {
    params: { readonly stream_id: number; readonly topic: string; readonly visibility_policy: number }
    reply: {}
  }
  /** Get the topics of a channel. */
  'GET /users/me/{stream_id}/topics': {
    params: { readonly stream_id: number; readonly allow_empty_topic_name?: boolean | undefined }
    reply: { readonly topics: readonly { readonly name: string; readonly max_id: number }[] }
  }
  /** Delete a topic. */
  'POST /streams/{stream_id}/delete_topic': {
    params: { readonly stream_id: number; readonly topic_name: string }
    reply: { readonly complete: boolean }
  }
  /** Get all user groups. */
  'GET /user_groups': {
    params: { readonly include_deactivated_groups?: boolean | undefined }
    reply: { readonly user_groups: readonly UserGroup[] }
  }
  /** Create a user group. */
  'POST /user_groups/create': {
    params: {
      readonly name: string
      readonly description: string
      readonly members: readonly number[]
      readonly subgroups?: readonly number[] | undefined
      readonly can_add_members_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_join_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_leave_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_manage_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_mention_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
      readonly can_remove_members_group?:
        | number
        | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
        | undefined
    }
    reply: { readonly group_id: number }
  }
  /** Update a user group. */
  'PATCH /user_groups/{user_group_id}': {
    params: {
      readonly user_group_id: number
      readonly name?: string | undefined
      readonly description?: string | undefined
      readonly deactivated?: boolean | undefined
      readonly can_add_members_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_join_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_leave_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_manage_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_mention_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
      readonly can_remove_members_group?:
        | {
            readonly new:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
            readonly old?:
              | number
              | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
          }
        | undefined
    }
    reply: {}
  }
  /** Deactivate a user group. */
  'POST /user_groups/{user_group_id}/deactivate': {
    params: { readonly user_group_id: number }
    reply: {}
  }
  /** Remove a user group. */
  'DELETE /user_groups/{user_group_id}': {
    params: { readonly user_group_id: number }
    reply: {}
  }
  /** Get user group members. */
  'GET /user_groups/{user_group_id}/members': {
    params: { readonly user_group_id: number; readonly direct_member_only?: boolean | undefined }
    reply: { readonly members: readonly number[] }
  }
  /** Update user group members. */
  'POST /user_groups/{user_group_id}/members': {
    params: {
      readonly user_group_id: number
      readonly add?: readonly number[] | undefined
      readonly delete?: readonly number[] | undefined
      readonly add_subgroups?: readonly number[] | undefined
      readonly delete_subgroups?: readonly number[] | undefined
    }
    reply: {}
  }
  /** Get user group membership status. */
  'GET /user_groups/{user_group_id}/members/{user_id}': {
    params: {
      readonly user_group_id: number
      readonly direct_member_only?: boolean | undefined
      readonly user_id: number
    }
    reply: { readonly is_user_group_member: boolean }
  }
  /** Get subgroups of a user group. */
  'GET /user_groups/{user_group_id}/subgroups': {
    params: { readonly user_group_id: number; readonly direct_subgroup_only?: boolean | undefined }
    reply: { readonly subgroups: readonly number[] }
  }
  /** Update subgroups of a user group. */
  'POST /user_groups/{user_group_id}/subgroups': {
    params: {
      readonly user_group_id: number
      readonly add?: readonly number[] | undefined
      readonly delete?: readonly number[] | undefined
    }
    reply: {}
  }
  /** Fetch an API key without a password. */
  'POST /dev_fetch_api_key': {
    params: { readonly username: string }
    reply: { readonly api_key: string; readonly email: string; readonly user_id: number }
  }
  /** List the users of a development server. */
  'GET /dev_list_users': {
    params: {}
    reply: {
      readonly direct_admins: readonly {
        readonly email: string
        readonly full_name: string
        readonly realm_url: string
        readonly realm_uri: string
      }[]
      readonly direct_users: readonly {
        readonly email: string
        readonly full_name: string
        readonly realm_url: string
        readonly realm_uri: string
      }[]
    }
  }
}
