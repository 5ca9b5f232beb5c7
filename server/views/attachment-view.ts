/** Uploads as their owners see them. */

import type { LinkingMessage, Upload } from '../domain/uploads.ts'

/** An upload with the messages that link it. */
export function viewAttachment(
  { id, name, path, size, createdAt }: Upload,
  messages: readonly LinkingMessage[],
) {
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
