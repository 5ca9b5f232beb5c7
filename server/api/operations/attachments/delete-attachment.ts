/** `DELETE /attachments/{attachment_id}`: removes a file of the caller. */

import { findUploadById, MissingUploadError } from '../../../../db/uploads.ts'
import type { UploadId } from '../../../domain/ids.ts'
import { decideUploadRemoval } from '../../../decisions/uploads/remove-uploads.ts'
import { fail as failWith } from '../../../errors/api-error.ts'
import { change } from '../../change-operation.ts'
import { id, looseJson, required, type Type } from '../../params.ts'

/** The id of a file; whatever else the path says names none of the caller's. */
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
  description: 'Of messages that link it, the link leads nowhere from then on.',
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
