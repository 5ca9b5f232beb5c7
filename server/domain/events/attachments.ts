/** Uploaded files, as their owners are told of them; nobody else is. */

import type { UploadId, UserId } from '../ids.ts'
import type { LinkingMessage, Upload } from '../uploads.ts'

/** The events of uploaded files. */
export type AttachmentEvent =
  /** A file came whole. `spaceUsed` is the sum of all files' bytes after it. */
  | { readonly type: 'attachment/add'; readonly upload: Upload; readonly spaceUsed: number }
  /** Told only: other messages link it than before, of which these are those that its owner may read. */
  | {
      readonly type: 'attachment/update'
      readonly upload: Upload
      /** Ascending. */
      readonly messages: readonly LinkingMessage[]
      readonly spaceUsed: number
    }
  /** It is gone. */
  | {
      readonly type: 'attachment/remove'
      readonly uploadId: UploadId
      readonly ownerId: UserId
      readonly spaceUsed: number
    }
