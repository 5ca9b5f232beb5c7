/** The registration of the client. */

import type { EventOptions } from '../../packages/client/src/event-stream.ts'

/** The form of state and events that the client works with. */
export const REGISTRATION: NonNullable<EventOptions['register']> = {
  apply_markdown: true,
  include_subscribers: true,
  slim_presence: true,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    stream_typing_notifications: true,
    user_settings_object: true,
    linkifier_url_template: true,
    include_deactivated_groups: true,
    archived_channels: true,
    empty_topic_name: true,
    simplified_presence_events: true,
    individual_emoji_changes: true,
  },
}
