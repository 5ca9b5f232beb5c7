/** What is to be sent at a time, as its owner's clients see it. */

import type { ReminderId, ScheduledId, UserId } from '../domain/ids.ts'
import type { ReminderContent, ScheduledContent } from '../domain/scheduled-messages.ts'

type ViewedMessage = ScheduledContent & { readonly id: ScheduledId; readonly hasFailed?: boolean }

/** A scheduled message; only those for channels have a topic. */
export function viewScheduledMessage({
  id,
  target,
  content,
  rendered,
  deliverAt,
  hasFailed = false,
}: ViewedMessage) {
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
export function viewReminder({ id, userId, targetId, content, rendered, deliverAt }: ViewedReminder) {
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
