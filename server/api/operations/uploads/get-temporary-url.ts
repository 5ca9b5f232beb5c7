/** `GET /user_uploads/{realm_id_str}/{filename}`: a temporary address that needs no credentials. */

import { readAddressSecret } from '../../../../db/accounts/signing-secrets.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import { operation } from '../../operation.ts'
import { integer, required } from '../../params.ts'
import { STRING } from '../../../domain/json-schema.ts'
import { findReadableUpload } from '../../../changes/uploads/find-upload.ts'
import { createTemporaryUrl } from './temporary-url.ts'
import { uploadPathType } from './upload-params.ts'

export const getTemporaryUrl = operation({
  method: 'GET',
  path: '/user_uploads/{realm_id_str}/{filename}',
  summary: 'Get a temporary address of a file',
  description: 'The address works for some minutes and without credentials, for example in browsers.',
  access: 'user',
  params: {
    realm_id_str: required(integer({ min: 0 }), 'The organization, as in the address of the file.'),
    filename: required(uploadPathType, 'The rest of the address of the file.'),
  },
  reply: { url: { schema: STRING, description: 'The address, relative to that of the server.' } },
  errors: ['UPLOAD_UNKNOWN'],
  events: [],
  async run({ user, params, services, fail }) {
    const upload = await findReadableUpload(services, user, `${params.realm_id_str}/${params.filename}`)
    if (!upload) throw fail('UPLOAD_UNKNOWN')
    const secret = await readAddressSecret(services.sql)
    return { url: createTemporaryUrl(upload, secret, nowSeconds(services.clock)) }
  },
})
