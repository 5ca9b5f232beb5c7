/** Uploaded files, for their owners. */

import { removeUpload, storeUpload } from '../../db/files/uploads.ts'
import { activeOwners, ownersOfAdded, ownersOfRemoved } from '../audience/attachments.ts'
import type { AttachmentFact } from '../domain/events/attachments.ts'
import { INTEGER, record } from '../domain/json-schema.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { ATTACHMENT, viewAttachment } from '../views/attachment-view.ts'
import { type Entries, fact } from './entry.ts'
import { shown } from './view.ts'

const CHANGED = record({ attachment: ATTACHMENT, upload_space_used: INTEGER })

function applySpace(state: OrganizationState, { spaceUsed }: { readonly spaceUsed: number }): void {
  state.uploadSpaceUsed = spaceUsed
}

export const ATTACHMENT_EVENTS: Entries<AttachmentFact> = {
  'attachment/add': fact({
    audience: ownersOfAdded,
    apply: applySpace,
    store: (writes, _, { upload }) => storeUpload(writes, upload),
    view: shown('The user uploaded a file.', CHANGED, ({ upload, spaceUsed }) => ({
      attachment: viewAttachment(upload, []),
      upload_space_used: spaceUsed,
    })),
  }),
  // Its rows are stored with the messages.
  'attachment/update': fact({
    audience: activeOwners,
    view: shown(
      'Messages that link a file of the user changed.',
      CHANGED,
      ({ upload, messages, spaceUsed }) => ({
        attachment: viewAttachment(upload, messages),
        upload_space_used: spaceUsed,
      }),
    ),
  }),
  'attachment/remove': fact({
    audience: ownersOfRemoved,
    apply: applySpace,
    store: (writes, _, { uploadId, ownerId }) => removeUpload(writes, uploadId, ownerId),
    view: shown(
      'A file of the user was removed.',
      record({ attachment: record({ id: INTEGER }), upload_space_used: INTEGER }),
      ({ uploadId, spaceUsed }) => ({ attachment: { id: uploadId }, upload_space_used: spaceUsed }),
    ),
  }),
}
