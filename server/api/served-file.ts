/** Serves files: access and headers. */

import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { readAddressSecret } from '../../db/accounts/signing-secrets.ts'
import { findUploadById } from '../../db/files/uploads.ts'
import { nowSeconds } from '../domain/clock.ts'
import { isInlineType } from '../domain/files/content-types.ts'
import type { User } from '../domain/entities.ts'
import { VISITOR } from '../domain/users/visitor.ts'
import { keyOfPath, UPLOADS_BASE, type Upload } from '../domain/files/uploads.ts'
import { isAdministrator } from '../../packages/rules/roles.ts'
import { exportName, readExportPath } from '../views/export-view.ts'
import { FILE_POLICY, type Policy, SECRET_ADDRESS_POLICY } from './door/policies.ts'
import { fail } from '../errors/api-error.ts'
import type { Services } from './services.ts'
import { findThumbnail } from '../changes/uploads/find-thumbnail.ts'
import { findReadableUpload } from '../changes/uploads/find-upload.ts'
import { isSignedBy, parseTemporaryToken, TEMPORARY_BASE } from './operations/uploads.ts'

/** A file that the caller may read. */
export interface ServedFile {
  /** Bytes. */
  readonly size: number
  readonly contentType: string
  /** Its content never changes, so this is its version. */
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  /** The bytes from `start` to `end`, both included. */
  open(start: number, end: number): Promise<Readable>
  /** An address elsewhere where the client gets it; undefined if it is served from here. */
  findElsewhere(): Promise<string | undefined>
}

const THUMBNAIL_BASE = `${UPLOADS_BASE}thumbnail/`

/**
 * Files never change, but their readers do: a browser asks with the version that it has, so that the next person at the
 * same computer gets nothing out of its cache.
 */
const CACHE_CONTROL = 'private, no-cache'

/** No scripts and no requests elsewhere; browsers' built-in viewers, such as a player, may load the file. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

/** Whether a path leads to a file. */
export function isFilePath(path: string): boolean {
  return path.startsWith(UPLOADS_BASE)
}

/** The policy for the file at a path. */
export function filePolicy(path: string): Policy {
  return path.startsWith(TEMPORARY_BASE) ? SECRET_ADDRESS_POLICY : FILE_POLICY
}

/** The file at an undecoded path, for an admitted user or visitor. Absent and forbidden files fail alike. */
export async function findServedFile(
  path: string,
  user: User | undefined,
  services: Services,
): Promise<ServedFile> {
  return path.startsWith(TEMPORARY_BASE)
    ? findTemporary(path, services)
    : findFile(path, user ?? VISITOR, services)
}

async function findTemporary(path: string, services: Services): Promise<ServedFile> {
  const { sql, clock } = services
  const [token = ''] = path.slice(TEMPORARY_BASE.length).split('/', 1)
  const claim = parseTemporaryToken(token, nowSeconds(clock))
  const isSigned = claim && isSignedBy(claim, await readAddressSecret(sql))
  const upload = isSigned ? await findUploadById(sql, claim.id) : undefined
  if (!upload) throw fail('UPLOAD_UNKNOWN')
  return serveUpload(upload, services)
}

async function findFile(path: string, user: User, services: Services): Promise<ServedFile> {
  const exportId = readExportPath(path)
  if (exportId !== undefined) return findExport(exportId, user, services)
  if (path.startsWith(THUMBNAIL_BASE)) {
    const asked = decode(path.slice(THUMBNAIL_BASE.length))
    const thumbnail = await findThumbnail(asked, user, services)
    if (!thumbnail) throw fail('UPLOAD_UNKNOWN')
    const { contentType, bytes } = thumbnail
    const open = async (start: number, end: number) => Readable.from([bytes.subarray(start, end + 1)])
    const served = { path: asked, contentType, size: bytes.length, open }
    return describe({ ...served, name: asked.split('/').at(-1) ?? '' }, async () => undefined)
  }
  const upload = await findReadableUpload(services, user, decode(path.slice(UPLOADS_BASE.length)))
  if (!upload) throw fail('UPLOAD_UNKNOWN')
  return serveUpload(upload, services)
}

/** An archive of the organization, for administrators, or of a person's own data, for that person alone. */
function findExport(id: number, user: User, services: Services): ServedFile {
  const found = services.state.exports.find((one) => one.id === id)
  const isReader = found?.kind === 'own' ? user.id === found.userId : isAdministrator(user)
  if (found?.outcome.phase !== 'done' || user.id === VISITOR.id || !isReader) throw fail('UPLOAD_UNKNOWN')
  const { key, bytes } = found.outcome
  return serveStored(
    key,
    { path: key, name: exportName(found.id), contentType: 'application/zip', size: bytes },
    services,
  )
}

function serveUpload(upload: Upload, services: Services): ServedFile {
  return serveStored(keyOfPath(upload.path), upload, services)
}

function serveStored(
  key: string,
  file: Pick<Upload, 'name' | 'path' | 'contentType' | 'size'>,
  { fileStore, uploads }: Services,
): ServedFile {
  const open: ServedFile['open'] = (start, end) => fileStore.open(key, start, end)
  return describe({ ...file, open }, async (disposition) =>
    // An empty file has no byte that would pay the way.
    uploads.isRedirected && file.size > 0
      ? fileStore.signAddress(key, {
          contentType: file.contentType,
          disposition,
          cacheControl: CACHE_CONTROL,
        })
      : undefined,
  )
}

function describe(
  file: Pick<Upload, 'name' | 'path' | 'contentType' | 'size'> & Pick<ServedFile, 'open'>,
  findElsewhere: (disposition: string) => Promise<string | undefined>,
): ServedFile {
  const { name, path, contentType, size, open } = file
  const shown = disposition(isInlineType(contentType) ? 'inline' : 'attachment', name)
  return {
    size,
    contentType,
    etag: `"${hash('sha256', path, 'hex').slice(0, 32)}"`,
    headers: {
      'Cache-Control': CACHE_CONTROL,
      'Content-Disposition': shown,
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Referrer-Policy': 'no-referrer',
    },
    open,
    findElsewhere: () => findElsewhere(shown),
  }
}

/** As in RFC 6266: ASCII for old programs, and the full name for others. */
function disposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/gu, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

function decode(path: string): string {
  let decoded = '\0'
  try {
    decoded = decodeURIComponent(path)
  } catch {
    // A malformed escape matches nothing.
  }
  if (decoded.includes('\0')) throw fail('UPLOAD_UNKNOWN') // The database cannot store such text.
  return decoded
}
