/** The events of uploads, as their owners get them. */

import type { AttachmentEvent } from '../../domain/events/attachments.ts'
import { ATTACHMENT, viewAttachment } from '../attachment-view.ts'
import { type EventSchemas, type EventViews, opEventOf } from './event-context.ts'
import { INTEGER, record } from '../../domain/json-schema.ts'

const CHANGED = { attachment: ATTACHMENT, upload_space_used: INTEGER }

/** The events of uploads. */
export const ATTACHMENT_EVENTS = {
  'attachment/add': opEventOf('attachment/add', 'The user uploaded a file.', CHANGED),
  'attachment/update': opEventOf(
    'attachment/update',
    'Messages that link a file of the user changed.',
    CHANGED,
  ),
  'attachment/remove': opEventOf('attachment/remove', 'A file of the user was removed.', {
    attachment: record({ id: INTEGER }),
    upload_space_used: INTEGER,
  }),
} satisfies EventSchemas<AttachmentEvent>

/** The views of uploads. */
export const ATTACHMENT_EVENT_VIEWS: EventViews<AttachmentEvent, typeof ATTACHMENT_EVENTS> = {
  'attachment/add': ({ upload, spaceUsed }) => ({
    type: 'attachment',
    op: 'add',
    attachment: viewAttachment(upload, []),
    upload_space_used: spaceUsed,
  }),
  'attachment/update': ({ upload, messages, spaceUsed }) => ({
    type: 'attachment',
    op: 'update',
    attachment: viewAttachment(upload, messages),
    upload_space_used: spaceUsed,
  }),
  'attachment/remove': ({ uploadId, spaceUsed }) => ({
    type: 'attachment',
    op: 'remove',
    attachment: { id: uploadId },
    upload_space_used: spaceUsed,
  }),
}
