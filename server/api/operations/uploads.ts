/** Uploads and their temporary addresses. */

import { integer, required, text, type Type } from '../params.ts'
import { readAddressSecret } from '../../../db/accounts/signing-secrets.ts'
import { nowSeconds } from '../../domain/clock.ts'
import { operation } from '../operation.ts'
import { BOOLEAN, STRING } from '../../domain/json-schema.ts'
import { findReadableUpload } from '../../changes/uploads/find-upload.ts'
import { findUpload } from '../../../db/files/uploads.ts'
import { PICTURE_TYPES } from '../../changes/uploads/inspect-upload.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { UploadId } from '../../domain/ids.ts'
import { type Upload, UPLOADS_BASE } from '../../domain/files/uploads.ts'
import { finishUpload } from '../../changes/uploads/store-upload.ts'
import { STORE_UPLOAD_ERRORS } from '../../decisions/uploads/store-upload.ts'

/** Code points of an address after the organization; ours are shorter. */
const PATH_LENGTH_MAX = 500

/** The rest of an upload's address, with slashes. */
const uploadPathType: Type<string> = { ...text({ lengthMax: PATH_LENGTH_MAX }), takesSlashes: true }

/** `GET /user_uploads/{realm_id_str}/{filename}`: a temporary address that needs no credentials. */
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

/** `GET /thumbnail/status/{realm_id_str}/{filename}`: whether an own picture has a thumbnail. */
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

/** The lifetime of an address: a player that seeks within a video sends many requests. */
export const TEMPORARY_SECONDS = 300

/** Clocks of processes may differ by this. */
const CLOCK_SECONDS = 60

/** The path before the token. */
export const TEMPORARY_BASE = `${UPLOADS_BASE}temporary/`

/** `<id>-<the second it ends>-<signature>`. */
const TOKEN = /^([0-9a-z]{1,10})-([0-9a-z]{1,10})-([A-Za-z0-9_-]{43})$/

/** A temporary address of an upload, relative to the server's own. */
function createTemporaryUrl({ id, path }: Upload, secret: Uint8Array, nowSeconds: number): string {
  const stem = `${id.toString(36)}-${(nowSeconds + TEMPORARY_SECONDS).toString(36)}`
  const name = path.split('/').at(-1) ?? ''
  return `${TEMPORARY_BASE}${stem}-${sign(stem, secret).toString('base64url')}/${encodeURIComponent(name)}`
}

/** The upload that a token names, if its signature is right. */
export interface TemporaryClaim {
  readonly id: UploadId
  readonly stem: string
  readonly signature: Buffer
}

/** Reads a token; undefined if it is malformed, has ended, or ends later than this server makes any. */
export function parseTemporaryToken(token: string, nowSeconds: number): TemporaryClaim | undefined {
  const [, id = '', end = '', signature = ''] = TOKEN.exec(token) ?? []
  const endSeconds = Number.parseInt(end, 36)
  // A signature may be of a secret that somebody read: it opens a file for no longer than others do.
  if (!(endSeconds > nowSeconds && endSeconds <= nowSeconds + TEMPORARY_SECONDS + CLOCK_SECONDS))
    return undefined
  return {
    id: Number.parseInt(id, 36) as UploadId,
    stem: `${id}-${end}`,
    signature: Buffer.from(signature, 'base64url'),
  }
}

/** Whether a token is of this server. */
export function isSignedBy({ stem, signature }: TemporaryClaim, secret: Uint8Array): boolean {
  const right = sign(stem, secret)
  return signature.length === right.length && timingSafeEqual(signature, right)
}

function sign(stem: string, secret: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`temporary upload ${stem}`).digest()
}

/** `POST /user_uploads`: stores a file of the caller. */
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
