/** Failures around channels, their folders and who is subscribed to them. */

import { type ErrorCases, plain, worded } from './error-case.ts'

export const CHANNEL_ERRORS = {
  CHANNEL_NAMED_UNKNOWN: worded(
    400,
    'STREAM_DOES_NOT_EXIST',
    ({ name }: { name: string }) => `Channel '${name}' does not exist`,
    ({ name }) => ({ stream: name }),
  ),
  CHANNEL_ID_UNKNOWN: worded(
    400,
    'STREAM_DOES_NOT_EXIST',
    ({ id }: { id: number }) => `Channel with ID '${id}' does not exist`,
    ({ id }) => ({ stream_id: id }),
  ),
  CHANNEL_NAME_EMPTY: plain(400, 'BAD_REQUEST', "Channel name can't be empty."),
  CHANNEL_NAME_TOO_LONG: worded(
    400,
    'BAD_REQUEST',
    ({ lengthMax }: { lengthMax: number }) => `Channel name too long (limit: ${lengthMax} characters).`,
  ),
  CHANNEL_NAME_CHARACTER: worded(
    400,
    'BAD_REQUEST',
    ({ position }: { position: number }) => `Invalid character in channel name, at position ${position}.`,
  ),
  CHANNEL_INACCESSIBLE: worded(
    400,
    'BAD_REQUEST',
    ({ names }: { names: readonly string[] }) => `Unable to access channel (${names.join(', ')}).`,
  ),
  CHANNEL_HISTORY_CONTRADICTION: plain(400, 'BAD_REQUEST', 'Invalid parameters'),
  CHANNEL_UNKNOWN: plain(400, 'BAD_REQUEST', 'Invalid channel ID'),
  CHANNEL_NAME_UNKNOWN: worded(
    400,
    'BAD_REQUEST',
    ({ name }: { name: string }) => `Invalid channel name '${name}'`,
  ),
  CHANNEL_ADMINISTRATION_FORBIDDEN: plain(
    400,
    'BAD_REQUEST',
    'You do not have permission to administer this channel.',
  ),
  CHANNEL_CONTENT_FORBIDDEN: plain(400, 'BAD_REQUEST', 'Channel content access is required.'),
  CHANNEL_NAME_UNCHANGED: plain(400, 'BAD_REQUEST', 'Channel already has that name.'),
  CHANNEL_NAME_TAKEN: plain(400, 'BAD_REQUEST', 'Channel name is already in use.'),
  CHANNEL_ARCHIVED_ALREADY: plain(400, 'BAD_REQUEST', 'Channel is already deactivated'),
  CHANNEL_HAS_TOPICS: plain(
    400,
    'BAD_REQUEST',
    'To enable this configuration, all messages in this channel must be in the general chat topic.',
  ),
  DEFAULT_CHANNELS_FORBIDDEN: plain(
    400,
    'BAD_REQUEST',
    'You do not have permission to change default channels.',
  ),
  DEFAULT_CHANNEL_ARCHIVED: plain(400, 'BAD_REQUEST', 'A default channel cannot be archived.'),
  MODERATION_CHANNEL_PUBLIC: plain(400, 'BAD_REQUEST', 'Moderation request channel must be private.'),
  PRIVATE_CHANNEL_DEFAULT: plain(400, 'BAD_REQUEST', 'Private channels cannot be made default.'),
  DEFAULT_CHANNEL_PRIVATE: plain(400, 'BAD_REQUEST', 'A default channel cannot be private.'),
  WEB_PUBLIC_DISABLED: plain(400, 'BAD_REQUEST', 'Web-public channels are not enabled.'),
  FOLDER_UNKNOWN: plain(400, 'BAD_REQUEST', 'Invalid channel folder ID'),
  FOLDER_NAME_EMPTY: plain(400, 'BAD_REQUEST', "Channel folder name can't be empty."),
  FOLDER_NAME_CHARACTER: worded(
    400,
    'BAD_REQUEST',
    ({ position }: { position: number }) =>
      `Invalid character in channel folder name, at position ${position}.`,
  ),
  FOLDER_NAME_TAKEN: plain(400, 'BAD_REQUEST', 'Channel folder name already in use'),
  FOLDER_IN_USE: plain(
    400,
    'BAD_REQUEST',
    'You need to remove all the channels from this folder to archive it.',
  ),
  FOLDER_ORDER_INVALID: plain(400, 'BAD_REQUEST', 'Invalid order mapping.'),
  TOO_MANY_FOLDERS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many channel folders (maximum ${countMax}).`,
  ),
  CHANNEL_EXISTS: worded(
    409,
    'CHANNEL_ALREADY_EXISTS',
    ({ name }: { name: string }) => `Channel '${name}' already exists`,
  ),
  SUBSCRIPTION_CHANGES_MISSING: plain(
    400,
    'BAD_REQUEST',
    'Nothing to do. Specify at least one of "add" or "delete".',
  ),
  TOO_MANY_SUBSCRIPTIONS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many subscriptions in one request (maximum ${countMax}).`,
  ),
  TOO_MANY_HOLDERS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) =>
      `Too many users and groups in the permissions of the channels of one request (maximum ${countMax}).`,
  ),
  SUBSCRIPTION_PROPERTY_UNKNOWN: worded(
    400,
    'BAD_REQUEST',
    ({ property }: { property: string }) => `Unknown subscription property: ${property}`,
  ),
  COLOR_INVALID: plain(400, 'BAD_REQUEST', 'color is not a valid hex color code'),
  NOT_SUBSCRIBED: worded(
    400,
    'BAD_REQUEST',
    ({ id }: { id: number }) => `Not subscribed to channel id ${id}`,
  ),
} satisfies ErrorCases
