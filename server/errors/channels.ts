/** Failures of channels, channel folders and subscriptions. */

import { badRequest, type ErrorCases, worded } from './error-case.ts'

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
  CHANNEL_NAME_EMPTY: badRequest("Channel name can't be empty."),
  CHANNEL_NAME_TOO_LONG: badRequest(
    ({ lengthMax }: { lengthMax: number }) => `Channel name too long (limit: ${lengthMax} characters).`,
  ),
  CHANNEL_NAME_CHARACTER: badRequest(
    ({ position }: { position: number }) => `Invalid character in channel name, at position ${position}.`,
  ),
  CHANNEL_INACCESSIBLE: badRequest(
    ({ names }: { names: readonly string[] }) => `Unable to access channel (${names.join(', ')}).`,
  ),
  CHANNEL_HISTORY_CONTRADICTION: badRequest('Invalid parameters'),
  CHANNEL_UNKNOWN: badRequest('Invalid channel ID'),
  CHANNEL_NAME_UNKNOWN: badRequest(({ name }: { name: string }) => `Invalid channel name '${name}'`),
  CHANNEL_ADMINISTRATION_FORBIDDEN: badRequest('You do not have permission to administer this channel.'),
  CHANNEL_CONTENT_FORBIDDEN: badRequest('Channel content access is required.'),
  CHANNEL_NAME_UNCHANGED: badRequest('Channel already has that name.'),
  CHANNEL_NAME_TAKEN: badRequest('Channel name is already in use.'),
  CHANNEL_ARCHIVED_ALREADY: badRequest('Channel is already deactivated'),
  CHANNEL_HAS_TOPICS: badRequest(
    'To enable this configuration, all messages in this channel must be in the general chat topic.',
  ),
  DEFAULT_CHANNELS_FORBIDDEN: badRequest('You do not have permission to change default channels.'),
  DEFAULT_CHANNEL_ARCHIVED: badRequest('A default channel cannot be archived.'),
  MODERATION_CHANNEL_PUBLIC: badRequest('Moderation request channel must be private.'),
  PRIVATE_CHANNEL_DEFAULT: badRequest('Private channels cannot be made default.'),
  DEFAULT_CHANNEL_PRIVATE: badRequest('A default channel cannot be private.'),
  CHANNEL_GROUP_UNKNOWN: badRequest(
    ({ id }: { id: number }) => `Default channel group with id '${id}' does not exist.`,
  ),
  CHANNEL_GROUP_NAME_INVALID: badRequest(
    ({ name }: { name: string }) => `Invalid default channel group name '${name}'`,
  ),
  CHANNEL_GROUP_NAME_UNCHANGED: badRequest(
    ({ name }: { name: string }) => `This default channel group is already named '${name}'`,
  ),
  CHANNEL_GROUP_EXISTS: badRequest(
    ({ name }: { name: string }) => `Default channel group '${name}' already exists`,
  ),
  CHANNEL_GROUP_CHANGE_MISSING: badRequest('You must pass "new_description" or "new_group_name".'),
  CHANNEL_GROUP_DEFAULT: badRequest(
    ({ channel, group }: { channel: string; group: string }) =>
      `'${channel}' is a default channel and cannot be added to '${group}'`,
  ),
  CHANNEL_GROUP_HAS: badRequest(
    ({ channel, group }: { channel: string; group: string }) =>
      `Channel '${channel}' is already present in default channel group '${group}'`,
  ),
  CHANNEL_GROUP_LACKS: badRequest(
    ({ channel, group }: { channel: string; group: string }) =>
      `Channel '${channel}' is not present in default channel group '${group}'`,
  ),
  TOO_MANY_CHANNEL_GROUPS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many default channel groups (maximum ${countMax}).`,
  ),
  TOO_MANY_CHANNELS_IN_GROUP: badRequest(
    ({ countMax }: { countMax: number }) =>
      `Too many channels in a default channel group (maximum ${countMax}).`,
  ),
  DIRECT_MESSAGE_PINNED: badRequest('Direct messages cannot be pinned.'),
  PINNING_FORBIDDEN: badRequest('You do not have permission to pin in this channel.'),
  PIN_UNKNOWN: badRequest('Pin does not exist'),
  TOO_MANY_PINS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many pins in this channel (maximum ${countMax}).`,
  ),
  WEB_PUBLIC_DISABLED: badRequest('Web-public channels are not enabled.'),
  FOLDER_UNKNOWN: badRequest('Invalid channel folder ID'),
  FOLDER_NAME_EMPTY: badRequest("Channel folder name can't be empty."),
  FOLDER_NAME_CHARACTER: badRequest(
    ({ position }: { position: number }) =>
      `Invalid character in channel folder name, at position ${position}.`,
  ),
  FOLDER_NAME_TAKEN: badRequest('Channel folder name already in use'),
  FOLDER_IN_USE: badRequest('You need to remove all the channels from this folder to archive it.'),
  FOLDER_ORDER_INVALID: badRequest('Invalid order mapping.'),
  TOO_MANY_FOLDERS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many channel folders (maximum ${countMax}).`,
  ),
  CHANNEL_EXISTS: worded(
    409,
    'CHANNEL_ALREADY_EXISTS',
    ({ name }: { name: string }) => `Channel '${name}' already exists`,
  ),
  SUBSCRIPTION_CHANGES_MISSING: badRequest('Nothing to do. Specify at least one of "add" or "delete".'),
  TOO_MANY_SUBSCRIPTIONS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many subscriptions in one request (maximum ${countMax}).`,
  ),
  TOO_MANY_NEW_CHANNELS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many new channels in one request (maximum ${countMax}).`,
  ),
  TOO_MANY_HOLDERS: badRequest(
    ({ countMax }: { countMax: number }) =>
      `Too many users and groups in the permissions of the channels of one request (maximum ${countMax}).`,
  ),
  SUBSCRIPTION_PROPERTY_UNKNOWN: badRequest(
    ({ property }: { property: string }) => `Unknown subscription property: ${property}`,
  ),
  COLOR_INVALID: badRequest('color is not a valid hex color code'),
  NOT_SUBSCRIBED: badRequest(({ id }: { id: number }) => `Not subscribed to channel id ${id}`),
} satisfies ErrorCases
