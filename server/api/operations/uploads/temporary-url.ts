/** Temporary addresses of files for programs that send no credentials; everyone with the address can read the file. */

import { createHmac, timingSafeEqual } from 'node:crypto'
import type { UploadId } from '../../../domain/ids.ts'
import { UPLOADS_BASE, type Upload } from '../../../domain/files/uploads.ts'

/** The lifetime of an address: a player that seeks within a video sends many requests. */
export const TEMPORARY_SECONDS = 300

/** Clocks of processes may differ by this. */
const CLOCK_SECONDS = 60

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
