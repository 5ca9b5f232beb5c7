/** Uploads as their owners see them. */

import type { LinkingMessage, Upload } from '../domain/files/uploads.ts'
import { arrayOf, INTEGER, record, STRING, type ValueOf } from '../domain/json-schema.ts'

/** Schema of `viewAttachment`. */
export const ATTACHMENT = record({
  id: INTEGER,
  name: STRING,
  path_id: STRING,
  size: INTEGER,
  create_time: INTEGER,
  messages: arrayOf(record({ id: INTEGER, date_sent: INTEGER })),
  message_ids: arrayOf(INTEGER),
})

/** An upload and the messages that link it. */
export function viewAttachment(
  { id, name, path, size, createdAt }: Upload,
  messages: readonly LinkingMessage[],
): ValueOf<typeof ATTACHMENT> {
  return {
    id,
    name,
    path_id: path,
    size,
    create_time: Math.floor(createdAt),
    messages: messages.map((message) => ({ id: message.id, date_sent: message.sentAt })),
    message_ids: messages.map((message) => message.id),
  }
}
