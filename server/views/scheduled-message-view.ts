/** Scheduled messages and reminders for their owners. */

import type { ReminderId, ScheduledId, UserId } from '../domain/ids.ts'
import type { ReminderContent, ScheduledContent } from '../domain/messages/scheduled-messages.ts'
import {
  anyOf,
  arrayOf,
  BOOLEAN,
  INTEGER,
  oneOf,
  record,
  STRING,
  type ValueOf,
} from '../domain/json-schema.ts'

/** Schema of `viewScheduledMessage`. */
export const SCHEDULED_MESSAGE = record(
  {
    scheduled_message_id: INTEGER,
    type: oneOf('stream', 'private'),
    to: anyOf(INTEGER, arrayOf(INTEGER)),
    content: STRING,
    rendered_content: STRING,
    scheduled_delivery_timestamp: INTEGER,
    failed: BOOLEAN,
  },
  { topic: STRING },
)

/** Schema of `viewReminder`. */
export const REMINDER = record({
  reminder_id: INTEGER,
  type: oneOf('private'),
  to: arrayOf(INTEGER),
  content: STRING,
  rendered_content: STRING,
  scheduled_delivery_timestamp: INTEGER,
  failed: BOOLEAN,
  reminder_target_message_id: INTEGER,
})

type ViewedMessage = ScheduledContent & { readonly id: ScheduledId; readonly hasFailed?: boolean }

/** A scheduled message; only messages to channels have a topic. */
export function viewScheduledMessage({
  id,
  target,
  content,
  rendered,
  deliverAt,
  hasFailed = false,
}: ViewedMessage): ValueOf<typeof SCHEDULED_MESSAGE> {
  return {
    scheduled_message_id: id,
    ...(target.kind === 'channel'
      ? { type: 'stream', to: target.channelId, topic: target.topic }
      : { type: 'private', to: target.userIds }),
    content,
    rendered_content: rendered,
    scheduled_delivery_timestamp: deliverAt,
    failed: hasFailed,
  }
}

type ViewedReminder = ReminderContent & { readonly id: ReminderId; readonly userId: UserId }

/** A reminder: a direct message to its owner. */
export function viewReminder({
  id,
  userId,
  targetId,
  content,
  rendered,
  deliverAt,
}: ViewedReminder): ValueOf<typeof REMINDER> {
  return {
    reminder_id: id,
    type: 'private',
    to: [userId],
    content,
    rendered_content: rendered,
    scheduled_delivery_timestamp: deliverAt,
    failed: false,
    reminder_target_message_id: targetId,
  }
}
