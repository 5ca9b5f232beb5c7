/** Failures of messages, sent, edited and scheduled. */

import { badRequest, type ErrorCases, plain, worded } from './error-case.ts'

/** Failures of sending, deleting, flagging and reacting to messages. */
export const MESSAGE_ERRORS = {
  RECIPIENTS_MISSING: badRequest('Message must have recipients'),
  RECIPIENT_EMAIL_UNKNOWN: badRequest(({ email }: { email: string }) => `Invalid email '${email}'`),
  RECIPIENT_ID_UNKNOWN: badRequest(({ id }: { id: number }) => `Invalid user ID ${id}`),
  RECIPIENT_DEACTIVATED: badRequest(
    ({ email }: { email: string }) => `'${email}' is no longer using this organization.`,
  ),
  TOO_MANY_RECIPIENTS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many recipients (maximum ${countMax}).`,
  ),
  SINGLE_CHANNEL_EXPECTED: badRequest('Expected exactly one channel'),
  MESSAGE_EMPTY: badRequest('Message must not be empty'),
  MESSAGE_RENDERING_FAILED: badRequest('Unable to render message'),
  GROUP_MENTION_FORBIDDEN: badRequest(
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
  CHANNEL_CLOSED: badRequest(({ name }: { name: string }) => `Not authorized to send to channel '${name}'`),
  POSTING_FORBIDDEN: badRequest('You do not have permission to post in this channel.'),
  TOPIC_MISSING: badRequest('Missing topic'),
  TOPIC_CHARACTER: badRequest(
    ({ position }: { position: number }) => `Invalid character in topic, at position ${position}!`,
  ),
  EMPTY_TOPIC_FORBIDDEN: badRequest('Sending messages to the general chat is not allowed in this channel.'),
  EMPTY_TOPIC_REQUIRED: badRequest('Only the general chat topic is allowed in this channel.'),
  NEW_TOPIC_FORBIDDEN: badRequest('You do not have permission to create new topics in this channel.'),
  DIRECT_MESSAGES_DISABLED: badRequest('Direct messages are disabled in this organization.'),
  DIRECT_MESSAGE_UNAUTHORIZED: badRequest(
    'This conversation does not include any users who can authorize it.',
  ),
  NEW_CONVERSATION_FORBIDDEN: badRequest(
    'You do not have permission to initiate direct message conversations.',
  ),
  MESSAGE_UNKNOWN: badRequest('Invalid message(s)'),
  MESSAGE_HISTORY_DISABLED: badRequest('Message edit history is disabled in this organization'),
  RECIPIENT_LIST_EMPTY: badRequest("Empty 'to' list"),
  DIRECT_TYPING_DISABLED: badRequest('User has disabled typing notifications for direct messages'),
  CHANNEL_TYPING_DISABLED: badRequest('User has disabled typing notifications for channel messages'),
  MODERATION_CHANNEL_MISSING: badRequest(
    'Moderation request channel must be specified to enable message reporting.',
  ),
  EXPLANATION_MISSING: badRequest('An explanation is required.'),
  MESSAGE_DELETION_FORBIDDEN: badRequest("You don't have permission to delete this message"),
  MESSAGE_DELETION_TOO_LATE: badRequest('The time limit for deleting this message has passed'),
  FLAG_UNKNOWN: badRequest(({ flag }: { flag: string }) => `Invalid flag: '${flag}'`),
  FLAG_NOT_EDITABLE: badRequest(({ flag }: { flag: string }) => `Flag not editable: '${flag}'`),
  TOPIC_UNKNOWN: badRequest(({ topic }: { topic: string }) => `No such topic '${topic}'`),
  READ_RECEIPTS_DISABLED: badRequest('Read receipts are disabled in this organization.'),
  SUBMESSAGE_MALFORMED: badRequest('Invalid json for submessage'),
  SUBMESSAGE_INVALID: badRequest(({ message }: { message: string }) => message),
  SUBMESSAGE_REFUSED: badRequest('You cannot attach a submessage to this message.'),
  QUESTION_FORBIDDEN: badRequest("You can't edit a question unless you are the author."),
  TASK_TITLE_FORBIDDEN: badRequest("You can't edit the task list title unless you are the author."),
  TOO_MANY_SUBMESSAGES: badRequest('This message can hold no more submessages.'),
  REACTION_EXISTS: plain(400, 'REACTION_ALREADY_EXISTS', 'Reaction already exists.'),
  REACTION_MISSING: plain(400, 'REACTION_DOES_NOT_EXIST', "Reaction doesn't exist."),
  TOO_MANY_REACTIONS: badRequest(
    ({ countMax }: { countMax: number }) =>
      `Too many different reactions to one message (maximum ${countMax}).`,
  ),
} satisfies ErrorCases

/** Failures of editing and moving messages. */
export const EDIT_ERRORS = {
  DIRECT_MESSAGE_MOVED: badRequest('Direct messages cannot be moved to channels.'),
  DIRECT_MESSAGE_TOPIC: badRequest('Direct messages cannot have topics.'),
  PROPAGATION_WITHOUT_MOVE: badRequest('Invalid propagate_mode without topic edit'),
  CONTENT_AND_CHANNEL: badRequest('Cannot change message content while changing channel'),
  WIDGET_EDITED: badRequest('Widgets cannot be edited.'),
  CONTENT_MISMATCH: plain(
    400,
    'EXPECTATION_MISMATCH',
    "'prev_content_sha256' value does not match the expected value.",
  ),
  EDITING_DISABLED: badRequest('Your organization has turned off message editing'),
  EDITING_FORBIDDEN: badRequest("You don't have permission to edit this message"),
  EDITING_TOO_LATE: badRequest('The time limit for editing this message has passed'),
  MOVING_FORBIDDEN: badRequest("You don't have permission to move this message"),
  TOPIC_MOVE_TOO_LATE: badRequest("The time limit for editing this message's topic has passed."),
  CHANNEL_MOVE_TOO_LATE: badRequest("The time limit for editing this message's channel has passed"),
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
  RESOLVING_FORBIDDEN: badRequest('You do not have permission to resolve topics in this channel.'),
  TOPIC_REQUIRED: badRequest('Topics are required in this organization.'),
  TOO_MANY_MESSAGES_MOVED: badRequest(
    ({ countMax }: { countMax: number }) => `Too many messages moved at once (maximum ${countMax}).`,
  ),
} satisfies ErrorCases

/** Failures of scheduled messages and reminders. */
export const SCHEDULED_ERRORS = {
  SCHEDULED_UNKNOWN: badRequest('Scheduled message does not exist'),
  SCHEDULED_SENT: badRequest('Scheduled message was already sent'),
  DELIVERY_TIME_PAST: badRequest('Scheduled delivery time must be in the future.'),
  SCHEDULED_UNCHANGED: badRequest('Nothing to change'),
  SCHEDULED_RECIPIENT_MISSING: badRequest('Recipient required when updating type of scheduled message.'),
  SCHEDULED_TOPIC_MISSING: badRequest('Topic required when updating scheduled message type to channel.'),
  SCHEDULED_CHANNEL_INVALID: badRequest('Invalid data type for channel ID'),
  SCHEDULED_RECIPIENTS_INVALID: badRequest('Invalid data type for recipients'),
  TOO_MANY_SCHEDULED: badRequest(
    ({ countMax }: { countMax: number }) => `Too many scheduled messages (maximum ${countMax}).`,
  ),
  REMINDER_UNKNOWN: badRequest('Reminder does not exist'),
  REMINDER_NOTE_TOO_LONG: badRequest(
    ({ lengthMax }: { lengthMax: number }) => `Maximum reminder note length: ${lengthMax} characters`,
  ),
  TOO_MANY_REMINDERS: badRequest(
    ({ countMax }: { countMax: number }) => `Too many reminders (maximum ${countMax}).`,
  ),
} satisfies ErrorCases
