/** `GET /attachments`: the caller's uploads. */

import { readUploads } from '../../../../db/files/uploads.ts'
import { ATTACHMENT, viewAttachment } from '../../../views/attachment-view.ts'
import { uploadReaderOf } from '../../../changes/uploads/upload-access.ts'
import { operation } from '../../operation.ts'
import { arrayOf, INTEGER } from '../../../domain/json-schema.ts'

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
