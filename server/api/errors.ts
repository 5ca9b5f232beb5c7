/** Every way in which a request can fail: HTTP status, code and message, as clients match on them. */

type Extra = Record<string, unknown>

interface ErrorCase<Details> {
  readonly status: number
  /** Absent only where the API family sends none. */
  readonly code?: string
  message(details: Details): string
  /** Documented fields beside `result`, `msg` and `code`; strict clients reject others. */
  extra?(details: Details): Extra
}

function plain(status: number, code: string, text: string): ErrorCase<undefined> {
  return { status, code, message: () => text }
}

function worded<Details>(
  status: number,
  code: string,
  message: (details: Details) => string,
  extra?: (details: Details) => Extra,
): ErrorCase<Details> {
  return extra ? { status, code, message, extra } : { status, code, message }
}

/** The table of errors. The names are ours; codes and messages are the API's. */
export const ERRORS = {
  AUTHORIZATION_MISSING: plain(401, 'UNAUTHORIZED', 'Missing authorization header for basic auth'),
  AUTHORIZATION_MALFORMED: plain(401, 'UNAUTHORIZED', 'Invalid authorization header for basic auth'),
  API_KEY_MALFORMED: plain(401, 'UNAUTHORIZED', 'Malformed API key'),
  API_KEY_INVALID: plain(401, 'UNAUTHORIZED', 'Invalid API key'),
  ACCOUNT_DEACTIVATED: plain(401, 'UNAUTHORIZED', 'Account is deactivated'),
  TICKET_INVALID: plain(401, 'UNAUTHORIZED', 'Invalid ticket'),
  WEBHOOK_BOT_REFUSED: plain(401, 'UNAUTHORIZED', 'This API is not available to incoming webhook bots.'),
  PASSWORD_INCORRECT: plain(401, 'AUTHENTICATION_FAILED', 'Your username or password is incorrect'),

  ENDPOINT_UNKNOWN: plain(404, 'NOT_FOUND', 'No such endpoint'),
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: () => 'Method Not Allowed',
    extra: ({ allowed }) => ({ allowed_methods: allowed }),
  } as ErrorCase<{ allowed: readonly string[] }>,
  BODY_TOO_LARGE: worded(
    413,
    'BAD_REQUEST',
    ({ bytesMax }: { bytesMax: number }) => `Request body is too large (limit: ${bytesMax} bytes)`,
  ),
  BODY_MALFORMED: plain(400, 'BAD_REQUEST', 'Malformed request body'),
  TOO_MANY_FIELDS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many parameters in one request (maximum ${countMax}).`,
  ),
  RATE_LIMIT_HIT: worded(
    429,
    'RATE_LIMIT_HIT',
    ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `API usage exceeded rate limit, try again in ${Math.ceil(retryAfterSeconds)} seconds`,
    ({ retryAfterSeconds }) => ({ 'retry-after': retryAfterSeconds }),
  ),
  OVERLOADED: plain(503, 'SERVICE_UNAVAILABLE', 'The server is overloaded, try again shortly'),
  INTERNAL: plain(500, 'INTERNAL_SERVER_ERROR', 'Internal server error'),
  ORGANIZATION_MISSING: plain(400, 'BAD_REQUEST', 'This server has no organization yet'),

  PARAMETER_MISSING: worded(
    400,
    'REQUEST_VARIABLE_MISSING',
    ({ name }: { name: string }) => `Missing '${name}' argument`,
    ({ name }) => ({ var_name: name }),
  ),
  PARAMETER_INVALID: worded(400, 'BAD_REQUEST', ({ message }: { message: string }) => message),
  ROLE_REQUIRED: worded(
    400,
    'BAD_REQUEST',
    ({ role }: { role: string }) => `Must be an organization ${role}`,
  ),
  PERMISSION_MISSING: plain(400, 'BAD_REQUEST', 'Insufficient permission'),

  QUEUE_UNKNOWN: worded(
    400,
    'BAD_EVENT_QUEUE_ID',
    ({ queueId }: { queueId: string }) => `Bad event queue ID: ${queueId}`,
    ({ queueId }) => ({ queue_id: queueId }),
  ),
  EVENT_PRUNED: worded(
    400,
    'BAD_REQUEST',
    ({ id }: { id: number }) => `An event newer than ${id} has already been pruned!`,
  ),
  EVENT_NOT_IN_QUEUE: worded(
    400,
    'BAD_REQUEST',
    ({ id }: { id: number }) => `Event ${id} was not in this queue`,
  ),
  NARROW_UNSUPPORTED: worded(
    400,
    'BAD_REQUEST',
    ({ operator }: { operator: string }) => `Operator ${operator} not supported.`,
  ),

  NARROW_INVALID: worded(
    400,
    'BAD_NARROW',
    ({ reason }: { reason: string }) => `Invalid narrow operator: ${reason}`,
    ({ reason }) => ({ desc: reason }),
  ),
  PAGE_TOO_LONG: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many messages requested (maximum ${countMax}).`,
  ),
  ANCHOR_INVALID: plain(400, 'BAD_REQUEST', 'Invalid anchor'),
  ANCHOR_UNEXPECTED: plain(400, 'BAD_REQUEST', 'The anchor can only be omitted where message_ids are given.'),

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
  PARAMETERS_INCOMPATIBLE: worded(
    400,
    'BAD_REQUEST',
    ({ names }: { names: readonly string[] }) => `Unsupported parameter combination: ${names.join(', ')}`,
    ({ names }) => ({ parameters: names.join(', ') }),
  ),
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

  GROUP_UNKNOWN: plain(400, 'BAD_REQUEST', 'Invalid user group'),
  GROUP_ID_UNKNOWN: worded(400, 'BAD_REQUEST', ({ id }: { id: number }) => `Invalid user group ID: ${id}`),
  GROUP_MEMBER_UNKNOWN: worded(400, 'BAD_REQUEST', ({ id }: { id: number }) => `Invalid user ID: ${id}`),
  GROUP_FORBIDDEN: worded(
    400,
    'BAD_REQUEST',
    ({ setting, group }: { setting: string; group: string }) =>
      `'${setting}' setting cannot be set to '${group}' group.`,
  ),
  SYSTEM_GROUP_REQUIRED: worded(
    400,
    'SYSTEM_GROUP_REQUIRED',
    ({ setting }: { setting: string }) => `'${setting}' must be a system user group.`,
    ({ setting }) => ({ setting_name: setting }),
  ),
  GROUP_NAME_EMPTY: plain(400, 'BAD_REQUEST', "User group name can't be empty!"),
  GROUP_NAME_TOO_LONG: worded(
    400,
    'BAD_REQUEST',
    ({ lengthMax }: { lengthMax: number }) => `User group name cannot exceed ${lengthMax} characters.`,
  ),
  GROUP_NAME_PREFIX: worded(
    400,
    'BAD_REQUEST',
    ({ prefix }: { prefix: string }) => `User group name cannot start with '${prefix}'.`,
  ),
  GROUP_NAME_CHARACTER: worded(
    400,
    'BAD_REQUEST',
    ({ position }: { position: number }) => `Invalid character in user group name, at position ${position}.`,
  ),
  GROUP_NAME_TAKEN: worded(
    400,
    'BAD_REQUEST',
    ({ name }: { name: string }) => `User group '${name}' already exists.`,
  ),
  GROUP_DEACTIVATED: plain(400, 'BAD_REQUEST', 'User group is deactivated.'),
  GROUP_UNCHANGED: plain(400, 'BAD_REQUEST', 'No new data supplied'),
  GROUP_MEMBERS_UNCHANGED: worded(
    400,
    'BAD_REQUEST',
    ({ options }: { options: string }) => `Nothing to do. Specify at least one of ${options}.`,
  ),
  GROUP_MEMBER_ALREADY: worded(
    400,
    'BAD_REQUEST',
    ({ id }: { id: number }) => `User ${id} is already a member of this group`,
  ),
  GROUP_MEMBER_MISSING: worded(
    400,
    'BAD_REQUEST',
    ({ id }: { id: number }) => `There is no member '${id}' in this user group`,
  ),
  SUBGROUP_ALREADY: worded(
    400,
    'BAD_REQUEST',
    ({ id }: { id: number }) => `User group ${id} is already a subgroup of this group.`,
  ),
  SUBGROUP_MISSING: worded(
    400,
    'BAD_REQUEST',
    ({ id }: { id: number }) => `User group ${id} is not a subgroup of this group.`,
  ),
  SUBGROUP_CYCLE: worded(
    400,
    'BAD_REQUEST',
    ({ id }: { id: number }) => `User group ${id} is already a subgroup of one of the passed subgroups.`,
  ),
  SUBGROUP_TOO_DEEP: worded(
    400,
    'BAD_REQUEST',
    ({ depthMax }: { depthMax: number }) => `User groups are nested too deeply (maximum ${depthMax} levels).`,
  ),
  TOO_MANY_GROUPS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many user groups (maximum ${countMax}).`,
  ),
  TOO_MANY_SUBGROUPS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many subgroups in all user groups (maximum ${countMax}).`,
  ),
  GROUP_IN_USE: {
    status: 400,
    code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
    message: () => 'To deactivate this user group, please remove all usages of it.',
    extra: ({ objections }) => ({ objections }),
  } as ErrorCase<{ objections: readonly Extra[] }>,
  EXPECTATION_MISMATCH: plain(400, 'EXPECTATION_MISMATCH', "'old' value does not match the expected value."),

  USER_UNKNOWN: plain(400, 'BAD_REQUEST', 'No such user'),
  USER_DEACTIVATED: plain(400, 'BAD_REQUEST', 'User is deactivated'),
  EMAIL_INVALID: plain(400, 'BAD_REQUEST', 'Invalid email address'),
  EMAIL_TAKEN: worded(
    400,
    'BAD_REQUEST',
    ({ email }: { email: string }) => `Email '${email}' already in use`,
  ),
  PASSWORD_TOO_WEAK: plain(400, 'BAD_REQUEST', 'The password is too weak.'),
  NEW_PASSWORD_TOO_WEAK: plain(400, 'BAD_REQUEST', 'New password is too weak!'),
  OWN_PASSWORD_WRONG: plain(400, 'BAD_REQUEST', 'Wrong password!'),
  EMAIL_CHANGES_DISABLED: plain(
    400,
    'BAD_REQUEST',
    'Email address changes are disabled in this organization.',
  ),
  NAME_CHANGES_DISABLED: plain(400, 'BAD_REQUEST', 'Name changes are disabled in this organization.'),
  TOO_MANY_API_KEYS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many API keys (maximum ${countMax}): make the key anew.`,
  ),
  BOT_REFUSED: plain(400, 'BAD_REQUEST', 'This endpoint does not accept bot requests.'),
  BOT_UNKNOWN: plain(400, 'BAD_REQUEST', 'No such bot'),
  BOT_TYPE_UNKNOWN: plain(400, 'BAD_REQUEST', 'Invalid bot type'),
  BOT_ADDRESS_INVALID: plain(400, 'BAD_REQUEST', 'Bad name or username'),
  BOT_ADDRESS_TAKEN: plain(400, 'BAD_REQUEST', 'Username already in use'),
  BOT_NAME_TAKEN: plain(400, 'BAD_REQUEST', 'Name is already in use!'),
  BOT_NAME_TAKEN_MEANWHILE: worded(
    400,
    'BAD_REQUEST',
    ({ name }: { name: string }) => `There is already an active bot named "${name}" in this organization.`,
  ),
  BOT_INTERFACE_UNKNOWN: plain(400, 'BAD_REQUEST', 'Invalid interface type'),
  BOT_SERVICE_MISSING: plain(400, 'BAD_REQUEST', 'This bot is not an outgoing webhook.'),
  BOT_CONFIG_REFUSED: plain(400, 'BAD_REQUEST', 'Only embedded bots have a configuration.'),
  BOT_OWNER_UNKNOWN: plain(400, 'BAD_REQUEST', 'Failed to change owner, no such user'),
  BOT_OWNER_INACTIVE: plain(400, 'BAD_REQUEST', 'Failed to change owner, user is deactivated'),
  BOT_OWNED_BY_BOT: plain(400, 'BAD_REQUEST', "Failed to change owner, bots can't own other bots"),
  TOO_MANY_BOTS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many bots (maximum ${countMax}).`,
  ),
  BOT_OWNER_DEACTIVATED: plain(400, 'BAD_REQUEST', "The bot's owner is deactivated."),
  LAST_OWNER_DEMOTION: plain(
    400,
    'BAD_REQUEST',
    'The owner permission cannot be removed from the only organization owner.',
  ),
  LAST_OWNER_DEACTIVATION: plain(400, 'BAD_REQUEST', 'Cannot deactivate the only organization owner'),
  LAST_USER_LEAVING: worded(
    400,
    'CANNOT_DEACTIVATE_LAST_USER',
    ({ isOwner }: { isOwner: boolean }) =>
      `Cannot deactivate the only ${isOwner ? 'organization owner' : 'user'}.`,
    ({ isOwner }) => ({ is_last_owner: isOwner, entity: isOwner ? 'organization owner' : 'user' }),
  ),
  RECIPIENTS_MISSING: plain(400, 'BAD_REQUEST', 'Message must have recipients'),
  RECIPIENT_EMAIL_UNKNOWN: worded(
    400,
    'BAD_REQUEST',
    ({ email }: { email: string }) => `Invalid email '${email}'`,
  ),
  RECIPIENT_ID_UNKNOWN: worded(400, 'BAD_REQUEST', ({ id }: { id: number }) => `Invalid user ID ${id}`),
  RECIPIENT_DEACTIVATED: worded(
    400,
    'BAD_REQUEST',
    ({ email }: { email: string }) => `'${email}' is no longer using this organization.`,
  ),
  TOO_MANY_RECIPIENTS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many recipients (maximum ${countMax}).`,
  ),
  SINGLE_CHANNEL_EXPECTED: plain(400, 'BAD_REQUEST', 'Expected exactly one channel'),
  MESSAGE_EMPTY: plain(400, 'BAD_REQUEST', 'Message must not be empty'),
  MESSAGE_RENDERING_FAILED: plain(400, 'BAD_REQUEST', 'Unable to render message'),
  GROUP_MENTION_FORBIDDEN: worded(
    400,
    'BAD_REQUEST',
    ({ name }: { name: string }) => `You are not allowed to mention user group '${name}'.`,
  ),
  CHANNEL_WILDCARD_FORBIDDEN: plain(
    400,
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'You do not have permission to use channel wildcard mentions in this channel.',
  ),
  TOPIC_WILDCARD_FORBIDDEN: plain(
    400,
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    'You do not have permission to use topic wildcard mentions in this topic.',
  ),
  CHANNEL_CLOSED: worded(
    400,
    'BAD_REQUEST',
    ({ name }: { name: string }) => `Not authorized to send to channel '${name}'`,
  ),
  POSTING_FORBIDDEN: plain(400, 'BAD_REQUEST', 'You do not have permission to post in this channel.'),
  EMPTY_TOPIC_FORBIDDEN: plain(
    400,
    'BAD_REQUEST',
    'Sending messages to the general chat is not allowed in this channel.',
  ),
  EMPTY_TOPIC_REQUIRED: plain(400, 'BAD_REQUEST', 'Only the general chat topic is allowed in this channel.'),
  NEW_TOPIC_FORBIDDEN: plain(
    400,
    'BAD_REQUEST',
    'You do not have permission to create new topics in this channel.',
  ),
  DIRECT_MESSAGES_DISABLED: plain(400, 'BAD_REQUEST', 'Direct messages are disabled in this organization.'),
  DIRECT_MESSAGE_UNAUTHORIZED: plain(
    400,
    'BAD_REQUEST',
    'This conversation does not include any users who can authorize it.',
  ),
  NEW_CONVERSATION_FORBIDDEN: plain(
    400,
    'BAD_REQUEST',
    'You do not have permission to initiate direct message conversations.',
  ),

  MESSAGE_UNKNOWN: plain(400, 'BAD_REQUEST', 'Invalid message(s)'),
  MESSAGE_HISTORY_DISABLED: plain(
    400,
    'BAD_REQUEST',
    'Message edit history is disabled in this organization',
  ),
  RECIPIENT_LIST_EMPTY: plain(400, 'BAD_REQUEST', "Empty 'to' list"),
  DIRECT_TYPING_DISABLED: plain(
    400,
    'BAD_REQUEST',
    'User has disabled typing notifications for direct messages',
  ),
  CHANNEL_TYPING_DISABLED: plain(
    400,
    'BAD_REQUEST',
    'User has disabled typing notifications for channel messages',
  ),
  MODERATION_CHANNEL_MISSING: plain(
    400,
    'BAD_REQUEST',
    'Moderation request channel must be specified to enable message reporting.',
  ),
  EXPLANATION_MISSING: plain(400, 'BAD_REQUEST', 'An explanation is required.'),
  MESSAGE_DELETION_FORBIDDEN: plain(400, 'BAD_REQUEST', "You don't have permission to delete this message"),
  MESSAGE_DELETION_TOO_LATE: plain(400, 'BAD_REQUEST', 'The time limit for deleting this message has passed'),
  FLAG_UNKNOWN: worded(400, 'BAD_REQUEST', ({ flag }: { flag: string }) => `Invalid flag: '${flag}'`),
  FLAG_NOT_EDITABLE: worded(
    400,
    'BAD_REQUEST',
    ({ flag }: { flag: string }) => `Flag not editable: '${flag}'`,
  ),
  TOPIC_UNKNOWN: worded(400, 'BAD_REQUEST', ({ topic }: { topic: string }) => `No such topic '${topic}'`),
  READ_RECEIPTS_DISABLED: plain(400, 'BAD_REQUEST', 'Read receipts are disabled in this organization.'),
  NOTHING_TO_CHANGE: plain(400, 'BAD_REQUEST', 'Nothing to change'),
  DIRECT_MESSAGE_MOVED: plain(400, 'BAD_REQUEST', 'Direct messages cannot be moved to channels.'),
  DIRECT_MESSAGE_TOPIC: plain(400, 'BAD_REQUEST', 'Direct messages cannot have topics.'),
  PROPAGATION_WITHOUT_MOVE: plain(400, 'BAD_REQUEST', 'Invalid propagate_mode without topic edit'),
  CONTENT_AND_CHANNEL: plain(400, 'BAD_REQUEST', 'Cannot change message content while changing channel'),
  WIDGET_EDITED: plain(400, 'BAD_REQUEST', 'Widgets cannot be edited.'),
  CONTENT_MISMATCH: plain(
    400,
    'EXPECTATION_MISMATCH',
    "'prev_content_sha256' value does not match the expected value.",
  ),
  EDITING_DISABLED: plain(400, 'BAD_REQUEST', 'Your organization has turned off message editing'),
  EDITING_FORBIDDEN: plain(400, 'BAD_REQUEST', "You don't have permission to edit this message"),
  EDITING_TOO_LATE: plain(400, 'BAD_REQUEST', 'The time limit for editing this message has passed'),
  MOVING_FORBIDDEN: plain(400, 'BAD_REQUEST', "You don't have permission to move this message"),
  TOPIC_MOVE_TOO_LATE: plain(
    400,
    'BAD_REQUEST',
    "The time limit for editing this message's topic has passed.",
  ),
  CHANNEL_MOVE_TOO_LATE: plain(
    400,
    'BAD_REQUEST',
    "The time limit for editing this message's channel has passed",
  ),
  PROPAGATION_TOO_LATE: worded(
    400,
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    ({ count, countMax }: { firstId: number; count: number; countMax: number }) =>
      `You only have permission to move the ${countMax}/${count} most recent messages in this topic.`,
    ({ firstId, count, countMax }) => ({
      first_message_id_allowed_to_move: firstId,
      total_messages_in_topic: count,
      total_messages_allowed_to_move: countMax,
    }),
  ),
  RESOLVING_FORBIDDEN: plain(
    400,
    'BAD_REQUEST',
    'You do not have permission to resolve topics in this channel.',
  ),
  TOPIC_REQUIRED: plain(400, 'BAD_REQUEST', 'Topics are required in this organization.'),
  TOO_MANY_MESSAGES_MOVED: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many messages moved at once (maximum ${countMax}).`,
  ),
  EMOJI_UNKNOWN: worded(400, 'BAD_REQUEST', ({ name }: { name: string }) => `Emoji '${name}' does not exist`),
  EMOJI_NAME_INVALID: plain(400, 'BAD_REQUEST', 'Invalid emoji name.'),
  EMOJI_CODE_INVALID: plain(400, 'BAD_REQUEST', 'Invalid emoji code.'),
  EMOJI_TYPE_INVALID: plain(400, 'BAD_REQUEST', 'Invalid emoji type.'),
  CUSTOM_EMOJI_UNKNOWN: plain(400, 'BAD_REQUEST', 'Invalid custom emoji.'),
  EMOJI_NAME_MISSING: plain(
    400,
    'BAD_REQUEST',
    'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
  ),
  STATUS_UNCHANGED: plain(400, 'BAD_REQUEST', 'Client did not pass any new values.'),
  PRESENCE_OF_BOT: plain(400, 'BAD_REQUEST', 'Presence is not supported for bot users.'),
  PRESENCE_MISSING: worded(400, 'BAD_REQUEST', ({ who }: { who: string }) => `No presence data for ${who}`),
  EMOJI_MISSING: plain(
    400,
    'BAD_REQUEST',
    'At least one of the following arguments must be present: emoji_name, emoji_code',
  ),
  SUBMESSAGE_MALFORMED: plain(400, 'BAD_REQUEST', 'Invalid json for submessage'),
  SUBMESSAGE_INVALID: worded(400, 'BAD_REQUEST', ({ message }: { message: string }) => message),
  SUBMESSAGE_REFUSED: plain(400, 'BAD_REQUEST', 'You cannot attach a submessage to this message.'),
  QUESTION_FORBIDDEN: plain(400, 'BAD_REQUEST', "You can't edit a question unless you are the author."),
  TASK_TITLE_FORBIDDEN: plain(
    400,
    'BAD_REQUEST',
    "You can't edit the task list title unless you are the author.",
  ),
  TOO_MANY_SUBMESSAGES: plain(400, 'BAD_REQUEST', 'This message can hold no more submessages.'),
  REACTION_EXISTS: plain(400, 'REACTION_ALREADY_EXISTS', 'Reaction already exists.'),
  REACTION_MISSING: plain(400, 'REACTION_DOES_NOT_EXIST', "Reaction doesn't exist."),
  TOO_MANY_REACTIONS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) =>
      `Too many different reactions to one message (maximum ${countMax}).`,
  ),

  FILE_TOO_LARGE: worded(
    400,
    'BAD_REQUEST',
    ({ mibMax }: { mibMax: number }) => `Uploaded file is larger than the allowed limit of ${mibMax} MiB`,
  ),
  FILE_COUNT: plain(400, 'BAD_REQUEST', 'You must upload exactly one file.'),
  AVATAR_COUNT: plain(400, 'BAD_REQUEST', 'You must upload exactly one avatar.'),
  AVATAR_CHANGES_DISABLED: plain(400, 'BAD_REQUEST', 'Avatar changes are disabled in this organization.'),
  IMAGE_UNDECODABLE: plain(400, 'BAD_REQUEST', 'Could not decode image; did you upload an image file?'),
  IMAGE_FORMAT_UNKNOWN: plain(400, 'BAD_REQUEST', 'Invalid image format'),
  IMAGE_TOO_LARGE: plain(400, 'BAD_REQUEST', 'Image size exceeds limit.'),
  CUSTOM_EMOJI_NAME_WRONG: plain(400, 'BAD_REQUEST', 'Invalid custom emoji name.'),
  CUSTOM_EMOJI_DEACTIVATED: plain(400, 'BAD_REQUEST', 'This custom emoji has been deactivated.'),
  NEW_EMOJI_NAME_EMPTY: plain(400, 'BAD_REQUEST', 'Emoji name is missing'),
  NEW_EMOJI_NAME_CHARACTER: plain(
    400,
    'BAD_REQUEST',
    'Emoji names must contain only lowercase English letters, digits, spaces, dashes, underscores, and periods.',
  ),
  NEW_EMOJI_NAME_END: plain(400, 'BAD_REQUEST', 'Emoji names must end with either a letter or digit.'),
  NEW_EMOJI_NAME_TAKEN: plain(400, 'BAD_REQUEST', 'A custom emoji with this name already exists.'),
  NEW_EMOJI_OVERRIDES: plain(400, 'BAD_REQUEST', 'Only administrators can override default emoji.'),
  EMOJI_OF_OTHERS: plain(400, 'BAD_REQUEST', 'Must be an organization administrator or emoji author'),
  TOO_MANY_CUSTOM_EMOJI: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many custom emoji (maximum ${countMax}).`,
  ),

  NAME_TOO_LONG: plain(400, 'BAD_REQUEST', 'Name too long!'),
  NAME_TOO_SHORT: plain(400, 'BAD_REQUEST', 'Name too short!'),
  NAME_CHARACTER: plain(400, 'BAD_REQUEST', 'Invalid characters in name!'),
  NAME_FORMAT: plain(400, 'BAD_REQUEST', 'Invalid format!'),
  FULL_NAME_TAKEN: plain(400, 'BAD_REQUEST', 'Unique names required in this organization.'),

  PROFILE_OF_BOT: plain(400, 'BAD_REQUEST', 'Bots have no profile.'),
  PROFILE_FIELD_UNKNOWN: worded(400, 'BAD_REQUEST', ({ id }: { id: number }) => `Field id ${id} not found.`),
  PROFILE_FIELD_LOCKED: plain(
    400,
    'BAD_REQUEST',
    'You are not allowed to change this field. Contact an administrator to update it.',
  ),
  PROFILE_VALUE_INVALID: worded(400, 'BAD_REQUEST', ({ message }: { message: string }) => message),
  PROFILE_FIELD_NAME_EMPTY: plain(400, 'BAD_REQUEST', 'Label cannot be blank.'),
  PROFILE_FIELD_NAME_TAKEN: plain(400, 'BAD_REQUEST', 'A field with that label already exists.'),
  PROFILE_FIELD_TYPE_UNKNOWN: plain(400, 'BAD_REQUEST', 'Invalid field type.'),
  PROFILE_FIELD_DATA_INVALID: worded(400, 'BAD_REQUEST', ({ message }: { message: string }) => message),
  PROFILE_FIELD_FIXED: plain(400, 'BAD_REQUEST', 'Default custom field cannot be updated.'),
  PROFILE_SUMMARY_TYPE: plain(400, 'BAD_REQUEST', 'Field type not supported for display in profile summary.'),
  PROFILE_SUMMARY_FULL: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) =>
      `Only ${countMax} custom profile fields can be displayed in the profile summary.`,
  ),
  PROFILE_ORDER_INVALID: plain(400, 'BAD_REQUEST', 'Invalid order mapping.'),
  TOO_MANY_PROFILE_FIELDS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many custom profile fields (maximum ${countMax}).`,
  ),

  LINKIFIER_UNKNOWN: plain(400, 'BAD_REQUEST', 'Linkifier not found.'),
  LINKIFIER_INVALID: worded(
    400,
    'BAD_REQUEST',
    ({ errors }: { errors: Readonly<Record<string, readonly string[]>> }) =>
      Object.values(errors)[0]?.[0] ?? 'Invalid linkifier.',
    ({ errors }) => ({ errors }),
  ),
  LINKIFIER_ORDER_INVALID: plain(
    400,
    'BAD_REQUEST',
    'The ordered list must enumerate all existing linkifiers exactly once',
  ),
  TOO_MANY_LINKIFIERS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many linkifiers (maximum ${countMax}).`,
  ),
  PLAYGROUND_UNKNOWN: plain(400, 'BAD_REQUEST', 'Invalid playground'),
  PLAYGROUND_LANGUAGE_INVALID: plain(400, 'BAD_REQUEST', 'Invalid characters in highlighter language'),
  PLAYGROUND_TEMPLATE_INVALID: worded(400, 'BAD_REQUEST', ({ message }: { message: string }) => message),
  PLAYGROUND_EXISTS: plain(
    400,
    'BAD_REQUEST',
    'Realm playground with this Realm, Highlighter language and Name already exists.',
  ),
  TOO_MANY_PLAYGROUNDS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many code playgrounds (maximum ${countMax}).`,
  ),
  EMAIL_DOMAIN_UNKNOWN: worded(
    400,
    'BAD_REQUEST',
    ({ domain }: { domain: string }) => `No entry found for domain ${domain}.`,
  ),
  EMAIL_DOMAIN_INVALID: worded(
    400,
    'BAD_REQUEST',
    ({ reason }: { reason: string }) => `Invalid domain: ${reason}`,
  ),
  EMAIL_DOMAIN_EXISTS: worded(
    400,
    'BAD_REQUEST',
    ({ domain }: { domain: string }) => `The domain ${domain} is already a part of your organization.`,
  ),
  TOO_MANY_EMAIL_DOMAINS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many domains (maximum ${countMax}).`,
  ),
  EMAIL_NOT_ALLOWED: worded(
    400,
    'BAD_REQUEST',
    ({ email }: { email: string }) => `Email '${email}' not allowed in this organization`,
  ),
  EMAIL_HOLDS_PLUS: plain(400, 'BAD_REQUEST', 'Email addresses containing + are not allowed.'),

  DRAFT_UNKNOWN: plain(400, 'BAD_REQUEST', 'Draft does not exist'),
  DRAFTS_DISABLED: plain(400, 'BAD_REQUEST', 'User has disabled synchronizing drafts.'),
  DRAFT_CHANNEL_COUNT: plain(400, 'BAD_REQUEST', 'Must specify exactly 1 channel ID for channel messages'),
  TOO_MANY_DRAFTS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many drafts (maximum ${countMax}).`,
  ),

  SNIPPET_UNKNOWN: plain(400, 'BAD_REQUEST', 'Saved snippet does not exist.'),
  TOO_MANY_SNIPPETS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many saved snippets (maximum ${countMax}).`,
  ),

  VIEW_UNKNOWN: plain(404, 'NOT_FOUND', 'Navigation view does not exist.'),
  VIEW_EXISTS: plain(400, 'BAD_REQUEST', 'Navigation view already exists.'),
  VIEW_NAME_FIXED: plain(400, 'BAD_REQUEST', 'Built-in views cannot have a custom name.'),
  VIEW_NAME_MISSING: plain(400, 'BAD_REQUEST', 'Custom views must have a valid name.'),
  TOO_MANY_VIEWS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many navigation views (maximum ${countMax}).`,
  ),

  MUTING_ONESELF: plain(400, 'BAD_REQUEST', 'Cannot mute self'),
  USER_MUTED: plain(400, 'BAD_REQUEST', 'User already muted'),
  USER_NOT_MUTED: plain(400, 'BAD_REQUEST', 'User is not muted'),
  TOO_MANY_MUTED_USERS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many muted users (maximum ${countMax}).`,
  ),

  TOO_MANY_ALERT_WORDS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many alert words (maximum ${countMax}).`,
  ),
  ALERT_PHRASE_TOO_LONG: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `An alert word has at most ${countMax} words and signs.`,
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
  TOPIC_MUTED_ALREADY: plain(400, 'BAD_REQUEST', 'Topic already muted'),
  TOPIC_NOT_MUTED: plain(400, 'BAD_REQUEST', 'Topic is not muted'),
  TOO_MANY_USER_TOPICS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many topics with a visibility policy (maximum ${countMax}).`,
  ),
} satisfies Record<string, ErrorCase<never>>

export type ErrorName = keyof typeof ERRORS
type DetailsOf<Name extends ErrorName> = Parameters<(typeof ERRORS)[Name]['message']>[0]

/** Errors that any operation may answer; the others it declares. */
export const COMMON_ERRORS = [
  'AUTHORIZATION_MISSING',
  'AUTHORIZATION_MALFORMED',
  'API_KEY_MALFORMED',
  'API_KEY_INVALID',
  'ACCOUNT_DEACTIVATED',
  'TICKET_INVALID',
  'WEBHOOK_BOT_REFUSED',
  'METHOD_NOT_ALLOWED',
  'ENDPOINT_UNKNOWN',
  'BODY_TOO_LARGE',
  'BODY_MALFORMED',
  'TOO_MANY_FIELDS',
  'RATE_LIMIT_HIT',
  'OVERLOADED',
  'INTERNAL',
  'ORGANIZATION_MISSING',
  'PARAMETER_MISSING',
  'PARAMETER_INVALID',
] as const satisfies readonly ErrorName[]
export type CommonErrorName = (typeof COMMON_ERRORS)[number]

/** A failure that the client is told of as it stands. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly errorName: ErrorName
  readonly status: number
  /** The JSON body. */
  readonly body: Extra

  constructor(errorName: ErrorName, status: number, body: Extra & { msg: string }) {
    super(body.msg)
    this.errorName = errorName
    this.status = status
    this.body = body
  }
}

/** Makes the failures of the given names; an operation's own accepts only what it declares. */
export type Fail<Names extends ErrorName> = <Name extends Names>(
  name: Name,
  ...details: DetailsOf<Name> extends undefined ? [] : [DetailsOf<Name>]
) => ApiError

/** Makes any failure of the table, to be thrown. */
export const fail: Fail<ErrorName> = (name, ...[details]) => {
  const errorCase = ERRORS[name] as ErrorCase<unknown>
  return new ApiError(name, errorCase.status, {
    result: 'error',
    msg: errorCase.message(details),
    ...(errorCase.code === undefined ? {} : { code: errorCase.code }),
    ...errorCase.extra?.(details),
  })
}
