/** Pins for clients. */

import type { ShownPin } from '../domain/channels/pins.ts'
import { describe, INTEGER, orNull, record, STRING, type ValueOf } from '../domain/json-schema.ts'

export const PIN = record({
  id: INTEGER,
  message_id: describe(orNull(INTEGER), 'The pinned message; null for a topic.'),
  topic: describe(orNull(STRING), 'The pinned topic; null for a message.'),
})

export function viewPin({ id, messageId, topic }: ShownPin): ValueOf<typeof PIN> {
  return { id, message_id: messageId, topic }
}
