/** The server's limits, and the features that this server lacks. */

import {
  AVATAR_MIB_MAX,
  CHANNEL_DESCRIPTION_LENGTH_MAX,
  CHANNEL_NAME_LENGTH_MAX,
  FOLDER_DESCRIPTION_LENGTH_MAX,
  FOLDER_NAME_LENGTH_MAX,
  MESSAGE_LENGTH_MAX,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  SUBSCRIPTION_NOTICES_MAX,
  TOPIC_LENGTH_MAX,
} from '../../domain/limits.ts'
import { THUMBNAIL_FORMATS } from '../../domain/thumbnails.ts'
import { PRESENCE_OFFLINE_SECONDS, PRESENCE_PING_SECONDS } from '../../domain/presence.ts'

/** The limits, the same for all users. */
export const LIMITS_VIEW = {
  max_stream_name_length: CHANNEL_NAME_LENGTH_MAX,
  max_stream_description_length: CHANNEL_DESCRIPTION_LENGTH_MAX,
  max_channel_folder_name_length: FOLDER_NAME_LENGTH_MAX,
  max_channel_folder_description_length: FOLDER_DESCRIPTION_LENGTH_MAX,
  max_bulk_new_subscription_messages: SUBSCRIPTION_NOTICES_MAX,
  max_topic_length: TOPIC_LENGTH_MAX,
  max_message_length: MESSAGE_LENGTH_MAX,
  password_min_length: PASSWORD_LENGTH_MIN,
  password_max_length: PASSWORD_LENGTH_MAX,
  password_min_guesses: 0, // The strength of a password is not estimated.
  max_avatar_file_size_mib: AVATAR_MIB_MAX,
  max_icon_file_size_mib: 0,
  max_logo_file_size_mib: 0,
  server_presence_ping_interval_seconds: PRESENCE_PING_SECONDS,
  server_presence_offline_threshold_seconds: PRESENCE_OFFLINE_SECONDS,
  server_typing_started_expiry_period_milliseconds: 45_000,
  server_typing_stopped_wait_period_milliseconds: 12_000,
  server_typing_started_wait_period_milliseconds: 30_000,
}

/** The server's features, and those that it lacks. */
export const SERVER_VIEW = {
  server_needs_upgrade: false,
  development_environment: false,
  server_avatar_changes_disabled: false,
  server_name_changes_disabled: false,
  server_inline_image_preview: true,
  server_inline_url_embed_preview: false,
  server_thumbnail_formats: THUMBNAIL_FORMATS.map(({ name, widthMax, heightMax, isAnimated }) => ({
    name,
    max_width: widthMax,
    max_height: heightMax,
    format: 'webp',
    animated: isAnimated,
  })),
  server_can_summarize_topics: false,
  server_jitsi_server_url: null,
  jitsi_server_url: '',
  // Organizations cannot be deactivated, so they are never deleted later.
  server_min_deactivated_realm_deletion_days: null,
  server_max_deactivated_realm_deletion_days: null,
  settings_send_digest_emails: false,
}
