/** Failures in editing and moving messages. */

import { type ErrorCases, plain, worded } from './error-case.ts'

export const EDIT_ERRORS = {
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
} satisfies ErrorCases
