/** The server's limits. */

import {
  AVATAR_MIB_MAX,
  CHANNEL_DESCRIPTION_LENGTH_MAX,
  CHANNEL_NAME_LENGTH_MAX,
  FOLDER_DESCRIPTION_LENGTH_MAX,
  FOLDER_NAME_LENGTH_MAX,
  ORGANIZATION_PICTURE_MIB_MAX,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  SUBSCRIPTION_NOTICES_MAX,
  TOPIC_LENGTH_MAX,
} from '../../domain/limits.ts'
import { MESSAGE_LENGTH_MAX } from '../../../packages/rules/limits.ts'
import { INTEGER } from '../../domain/json-schema.ts'
import { PRESENCE_OFFLINE_SECONDS, PRESENCE_PING_SECONDS } from '../../domain/users/presence.ts'
import { constant } from './state-part.ts'

const limit = (value: number, description: string) => constant(INTEGER, value, description)
const length = (value: number, text: string) => limit(value, `The longest ${text}, in Unicode code points.`)

/** The limits, the same for all users. */
export const LIMIT_FIELDS = {
  max_stream_name_length: length(CHANNEL_NAME_LENGTH_MAX, 'name of a channel'),
  max_stream_description_length: length(CHANNEL_DESCRIPTION_LENGTH_MAX, 'description of a channel'),
  max_channel_folder_name_length: length(FOLDER_NAME_LENGTH_MAX, 'name of a folder'),
  max_channel_folder_description_length: length(FOLDER_DESCRIPTION_LENGTH_MAX, 'description of a folder'),
  max_bulk_new_subscription_messages: limit(
    SUBSCRIPTION_NOTICES_MAX,
    'The most new subscribers of one call who get a message about it.',
  ),
  max_topic_length: length(TOPIC_LENGTH_MAX, 'topic'),
  max_message_length: length(MESSAGE_LENGTH_MAX, 'message'),
  password_min_length: limit(PASSWORD_LENGTH_MIN, 'The shortest password, in Unicode code points.'),
  password_max_length: length(PASSWORD_LENGTH_MAX, 'password'),
  password_min_guesses: limit(0, 'The guesses that a password must withstand: strength is not estimated.'),
  max_avatar_file_size_mib: limit(AVATAR_MIB_MAX, 'The largest avatar, in MiB.'),
  max_icon_file_size_mib: limit(
    ORGANIZATION_PICTURE_MIB_MAX,
    'The largest icon of the organization, in MiB.',
  ),
  max_logo_file_size_mib: limit(
    ORGANIZATION_PICTURE_MIB_MAX,
    'The largest logo of the organization, in MiB.',
  ),
  server_presence_ping_interval_seconds: limit(PRESENCE_PING_SECONDS, 'Seconds between reports of presence.'),
  server_presence_offline_threshold_seconds: limit(
    PRESENCE_OFFLINE_SECONDS,
    'Seconds after the last report until a user is offline.',
  ),
  server_typing_started_expiry_period_milliseconds: limit(
    45_000,
    'Milliseconds after which a typing notification expires.',
  ),
  server_typing_stopped_wait_period_milliseconds: limit(
    12_000,
    'Milliseconds without a key press after which a user stopped typing.',
  ),
  server_typing_started_wait_period_milliseconds: limit(
    30_000,
    'Milliseconds after which a client that still types notifies again.',
  ),
}
