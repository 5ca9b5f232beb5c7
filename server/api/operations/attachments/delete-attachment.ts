/** `DELETE /attachments/{attachment_id}`: removes a file of the caller. */

import { findUploadById, MissingUploadError } from '../../../../db/uploads.ts'
import type { UploadId } from '../../../domain/ids.ts'
import { removeUploads } from '../../changes/remove-uploads.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'

export const deleteAttachment = operation({
  method: 'DELETE',
  path: '/attachments/{attachment_id}',
  summary: 'Delete an upload',
  description: 'Of messages that link it, the link leads nowhere from then on.',
  access: 'user',
  params: { attachment_id: required(id<UploadId>(), 'The file.') },
  reply: {},
  errors: ['ATTACHMENT_UNKNOWN'],
  events: ['attachment/remove'],
  async run({ user, params, services: { sql, committer }, fail }) {
    const upload = await findUploadById(sql, params.attachment_id)
    if (upload?.ownerId !== user.id) throw fail('ATTACHMENT_UNKNOWN')
    return committer
      .submit({
        kind: 'structure',
        decide: (state) => ({ events: removeUploads(state.uploadSpaceUsed, [upload]), reply: () => ({}) }),
      })
      .catch((error: unknown) => {
        throw error instanceof MissingUploadError ? fail('ATTACHMENT_UNKNOWN') : error
      })
  },
})
