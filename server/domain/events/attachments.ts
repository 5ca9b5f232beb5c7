/** Uploaded files, for their owners alone. */

import type { UploadId, UserId } from '../ids.ts'
import type { LinkingMessage, Upload } from '../files/uploads.ts'

export type AttachmentFact =
  /** A file was stored. `spaceUsed` is the sum of all files' bytes after it. */
  | { readonly type: 'attachment/add'; readonly upload: Upload; readonly spaceUsed: number }
  /** Other messages link the file than before. These are the ones that its owner may read. */
  | {
      readonly type: 'attachment/update'
      readonly upload: Upload
      /** Ascending. */
      readonly messages: readonly LinkingMessage[]
      readonly spaceUsed: number
    }
  /** The file was removed. */
  | {
      readonly type: 'attachment/remove'
      readonly uploadId: UploadId
      readonly ownerId: UserId
      readonly spaceUsed: number
    }
