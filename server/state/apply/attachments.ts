/** What the state holds of uploads: how many bytes they have together. */

import type { AttachmentEvent } from '../../domain/events/attachments.ts'
import { type Appliers, noticeOnly } from './appliers.ts'

/** How uploads change the state. */
export const ATTACHMENT_APPLIERS: Appliers<AttachmentEvent> = {
  'attachment/add': (state, { spaceUsed }) => {
    state.uploadSpaceUsed = spaceUsed
  },
  'attachment/update': noticeOnly,
  'attachment/remove': (state, { spaceUsed }) => {
    state.uploadSpaceUsed = spaceUsed
  },
}
