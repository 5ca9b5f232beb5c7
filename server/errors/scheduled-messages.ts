/** Failures of scheduled messages and reminders. */

import { badRequest, type ErrorCases } from './error-case.ts'

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
