/** Temporary addresses of files for programs that send no credentials; everyone with the address can read the file. */

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { UploadId } from '../../../domain/ids.ts'
import { UPLOADS_BASE, type Upload } from '../../../domain/uploads.ts'

/** The lifetime of an address: a player that seeks within a video sends many requests. */
export const TEMPORARY_SECONDS = 300

/** The path before the token. */
export const TEMPORARY_BASE = `${UPLOADS_BASE}temporary/`

/** `<id>-<the second it ends>-<signature>`. */
const TOKEN = /^([0-9a-z]{1,10})-([0-9a-z]{1,10})-([A-Za-z0-9_-]{43})$/

/** A temporary address of an upload, relative to the server's own. */
export function createTemporaryUrl({ id, path }: Upload, secret: Uint8Array, nowSeconds: number): string {
  const stem = `${id.toString(36)}-${(nowSeconds + TEMPORARY_SECONDS).toString(36)}`
  const name = path.split('/').at(-1) ?? ''
  return `${TEMPORARY_BASE}${stem}-${sign(stem, secret).toString('base64url')}/${encodeURIComponent(name)}`
}

/** The upload of a token; undefined if the token is invalid or has expired. */
export function readTemporaryToken(
  token: string,
  secret: Uint8Array,
  nowSeconds: number,
): UploadId | undefined {
  const [, id = '', end = '', signature = ''] = TOKEN.exec(token) ?? []
  if (id === '') return undefined
  const given = Buffer.from(signature, 'base64url')
  const right = sign(`${id}-${end}`, secret)
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined
  return Number.parseInt(end, 36) > nowSeconds ? (Number.parseInt(id, 36) as UploadId) : undefined
}

function sign(stem: string, secret: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`temporary upload ${stem}`).digest()
}
