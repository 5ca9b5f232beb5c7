/** What owners are told of their uploads. */

import type { AttachmentEvent } from '../../domain/events/attachments.ts'
import { viewAttachment } from '../attachment-view.ts'
import type { EventViews } from './event-context.ts'

/** The views of what becomes of uploads. */
export const ATTACHMENT_EVENT_VIEWS: EventViews<AttachmentEvent> = {
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
