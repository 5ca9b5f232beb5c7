/** Failures of editing and moving messages. */

import { badRequest, type ErrorCases, plain, worded } from './error-case.ts'

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
