/** The state of uploads: the sum of their bytes. */

import type { AttachmentEvent } from '../../domain/events/attachments.ts'
import { type Appliers, noticeOnly } from './appliers.ts'

/** Applies the events of uploads. */
export const ATTACHMENT_APPLIERS: Appliers<AttachmentEvent> = {
  'attachment/add': (state, { spaceUsed }) => {
    state.uploadSpaceUsed = spaceUsed
  },
  'attachment/update': noticeOnly,
  'attachment/remove': (state, { spaceUsed }) => {
    state.uploadSpaceUsed = spaceUsed
  },
}
