/** `GET /thumbnail/status/{realm_id_str}/{filename}`: whether an own picture has a thumbnail. */

import { findUpload } from '../../../../db/files/uploads.ts'
import { operation } from '../../operation.ts'
import { integer, required } from '../../params.ts'
import { BOOLEAN } from '../../../domain/json-schema.ts'
import { PICTURE_TYPES } from '../../../changes/uploads/inspect-upload.ts'
import { uploadPathType } from './upload-params.ts'

export const getThumbnailStatus = operation({
  method: 'GET',
  path: '/thumbnail/status/{realm_id_str}/{filename}',
  summary: 'Get the state of a thumbnail',
  description:
    'For the owner of an uploaded picture. Thumbnails are made before the reply to an upload. So a picture ' +
    'without one never gets one: it is too large or cannot be read.',
  access: 'user',
  params: {
    realm_id_str: required(integer({ min: 0 }), 'The organization, as in the address of the file.'),
    filename: required(uploadPathType, 'The rest of the address of the file.'),
  },
  reply: { has_thumbnail: { schema: BOOLEAN, description: 'Whether it has a thumbnail.' } },
  errors: ['ATTACHMENT_UNKNOWN'],
  events: [],
  async run({ user, params, services: { sql }, fail }) {
    const upload = await findUpload(sql, `${params.realm_id_str}/${params.filename}`)
    if (upload?.ownerId !== user.id || !PICTURE_TYPES.has(upload.contentType))
      throw fail('ATTACHMENT_UNKNOWN')
    return { has_thumbnail: upload.hasThumbnail }
  },
})
