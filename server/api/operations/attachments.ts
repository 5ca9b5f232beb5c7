/** Uploaded files: the list of one's own, and their deletion. */

import { findUploadById, MissingUploadError, readUploads } from '../../../db/files/uploads.ts'
import { ATTACHMENT, viewAttachment } from '../../views/attachment-view.ts'
import { uploadReaderOf } from '../../changes/uploads/upload-access.ts'
import { operation } from '../operation.ts'
import { arrayOf, INTEGER } from '../../domain/json-schema.ts'
import type { UploadId } from '../../domain/ids.ts'
import { decideUploadRemoval } from '../../decisions/uploads/remove-uploads.ts'
import { fail as failWith } from '../../errors/api-error.ts'
import { change } from '../change-operation.ts'
import { id, looseJson, required, type Type } from '../params.ts'

/** `GET /attachments`: the caller's uploads. */
export const getAttachments = operation({
  method: 'GET',
  path: '/attachments',
  summary: 'Get own uploads',
  description: 'The files that the caller has uploaded, the newest first, with the messages that link them.',
  access: 'user',
  params: {},
  reply: {
    attachments: { schema: arrayOf(ATTACHMENT), description: 'The files.' },
    upload_space_used: { schema: INTEGER, description: 'Bytes of all files of the organization.' },
  },
  errors: [],
  events: [],
  async run({ user, services: { sql, state } }) {
    const reader = uploadReaderOf(user, state)
    const spaceUsed = state.uploadSpaceUsed
    const uploads = await readUploads(sql, reader)
    return {
      attachments: uploads.map((upload) => viewAttachment(upload, upload.messages)),
      upload_space_used: spaceUsed,
    }
  },
})

/** The id of a file; any other text matches no file. */
const uploadIdType: Type<UploadId> = {
  ...looseJson(id<UploadId>()),
  check(value) {
    if (!Number.isSafeInteger(value)) throw failWith('ATTACHMENT_UNKNOWN')
    return value as UploadId
  },
}

/** `DELETE /attachments/{attachment_id}`: deletes the caller's file. */
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
