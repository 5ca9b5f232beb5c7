/** Failures around messages: who may send, delete and flag what, and react to it. */

import { type ErrorCases, plain, worded } from './error-case.ts'

export const MESSAGE_ERRORS = {
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
} satisfies ErrorCases
