/** `DELETE /attachments/{attachment_id}`: deletes the caller's file. */

import { findUploadById, MissingUploadError } from '../../../../db/files/uploads.ts'
import type { UploadId } from '../../../domain/ids.ts'
import { decideUploadRemoval } from '../../../decisions/uploads/remove-uploads.ts'
import { fail as failWith } from '../../../errors/api-error.ts'
import { change } from '../../change-operation.ts'
import { id, looseJson, required, type Type } from '../../params.ts'

/** The id of a file; any other text matches no file. */
const uploadIdType: Type<UploadId> = {
  ...looseJson(id<UploadId>()),
  check(value) {
    if (!Number.isSafeInteger(value)) throw failWith('ATTACHMENT_UNKNOWN')
    return value as UploadId
  },
}

export const deleteAttachment = change({
  method: 'DELETE',
  path: '/attachments/{attachment_id}',
  summary: 'Delete an upload',
  description: 'Links to the file in messages no longer work.',
  access: 'user',
  params: { attachment_id: required(uploadIdType, 'The file.') },
  reply: {},
  errors: ['ATTACHMENT_UNKNOWN'],
  events: ['attachment/remove'],
  async prepare({ user, params, services: { sql }, fail }) {
    const upload = await findUploadById(sql, params.attachment_id)
    if (upload?.ownerId !== user.id) throw fail('ATTACHMENT_UNKNOWN')
    return upload
  },
  decide: decideUploadRemoval,
  explain: (error, { fail }) =>
    error instanceof MissingUploadError ? fail('ATTACHMENT_UNKNOWN') : undefined,
})
