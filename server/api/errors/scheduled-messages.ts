/** Failures around what is to be sent at a time. */

import { type ErrorCases, plain, worded } from './error-case.ts'

export const SCHEDULED_ERRORS = {
  SCHEDULED_UNKNOWN: plain(400, 'BAD_REQUEST', 'Scheduled message does not exist'),
  SCHEDULED_SENT: plain(400, 'BAD_REQUEST', 'Scheduled message was already sent'),
  DELIVERY_TIME_PAST: plain(400, 'BAD_REQUEST', 'Scheduled delivery time must be in the future.'),
  SCHEDULED_UNCHANGED: plain(400, 'BAD_REQUEST', 'Nothing to change'),
  SCHEDULED_RECIPIENT_MISSING: plain(
    400,
    'BAD_REQUEST',
    'Recipient required when updating type of scheduled message.',
  ),
  SCHEDULED_TOPIC_MISSING: plain(
    400,
    'BAD_REQUEST',
    'Topic required when updating scheduled message type to channel.',
  ),
  SCHEDULED_CHANNEL_INVALID: plain(400, 'BAD_REQUEST', 'Invalid data type for channel ID'),
  SCHEDULED_RECIPIENTS_INVALID: plain(400, 'BAD_REQUEST', 'Invalid data type for recipients'),
  TOO_MANY_SCHEDULED: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many scheduled messages (maximum ${countMax}).`,
  ),
  REMINDER_UNKNOWN: plain(400, 'BAD_REQUEST', 'Reminder does not exist'),
  REMINDER_NOTE_TOO_LONG: worded(
    400,
    'BAD_REQUEST',
    ({ lengthMax }: { lengthMax: number }) => `Maximum reminder note length: ${lengthMax} characters`,
  ),
  TOO_MANY_REMINDERS: worded(
    400,
    'BAD_REQUEST',
    ({ countMax }: { countMax: number }) => `Too many reminders (maximum ${countMax}).`,
  ),
} satisfies ErrorCases
