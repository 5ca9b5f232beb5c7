/** `POST /user_uploads`: stores a file of the caller. */

import { operation } from '../../operation.ts'
import { STRING } from '../../../domain/json-schema.ts'
import { finishUpload } from '../../../changes/uploads/store-upload.ts'
import { STORE_UPLOAD_ERRORS } from '../../../decisions/uploads/store-upload.ts'

export const uploadFile = operation({
  method: 'POST',
  path: '/user_uploads',
  summary: 'Upload a file',
  description:
    'At first only its uploader can read it; once a message links it, all readers of the message can. A link ' +
    'in Markdown is `[filename](url)`, without square brackets in the name.',
  access: 'user',
  file: { description: 'The file.', mibMax: 'streamed' },
  params: {},
  reply: {
    url: { schema: STRING, description: 'The address of the file, relative to that of the server.' },
    uri: { schema: STRING, description: 'The same, for older clients.' },
    filename: { schema: STRING, description: 'The name of the file.' },
  },
  errors: [
    'UPLOAD_MISSING',
    'UPLOAD_COUNT',
    'UPLOAD_TOO_LARGE',
    'UPLOADS_UNAVAILABLE',
    ...STORE_UPLOAD_ERRORS,
  ],
  events: ['attachment/add'],
  async run({ user, arrived: { count, first }, services, fail }) {
    if (count > 1) throw fail('UPLOAD_COUNT')
    if (first === 'too_large') throw fail('UPLOAD_TOO_LARGE', { mibMax: services.uploads.mibMax })
    if (first === 'not_kept') throw fail('UPLOADS_UNAVAILABLE')
    if (!first || first.size === 0) throw fail('UPLOAD_MISSING')
    const { url, filename } = await finishUpload(services, user, first)
    return { url, uri: url, filename }
  },
})
