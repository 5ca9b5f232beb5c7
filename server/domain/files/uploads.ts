/** Uploaded files: their metadata, names and addresses. */

import type { MessageId, UploadId, UserId } from '../ids.ts'

/** Base address of uploads. */
export const UPLOADS_BASE = '/user_uploads/'
/** The number of the one organization of a server in addresses. */
const UPLOADS_REALM = 1
/** Code points of a file name; most file systems allow 255 bytes. */
const UPLOAD_NAME_LENGTH_MAX = 255
/** Code points of the name at the end of an address, to keep links readable. */
const SLUG_LENGTH_MAX = 100
/** Code points of a file extension that is kept when a name is shortened. */
const ENDING_LENGTH_MAX = 20
/** The name of a file without a usable name. */
const UNNAMED = 'uploaded-file'

/** A complete file. Its content never changes. */
export interface Upload {
  readonly id: UploadId
  readonly ownerId: UserId
  /** `<realm>/<xx>/<random>/<name>`: the part after `/user_uploads/`, unencoded. */
  readonly path: string
  /** The owner's file name, cleaned. */
  readonly name: string
  /** Detected from its bytes. */
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  /** UNIX seconds. */
  readonly createdAt: number
  /** For pictures, in pixels. */
  readonly width: number | null
  readonly height: number | null
  readonly isAnimated: boolean
  readonly hasThumbnail: boolean
}

/** A message that links an upload. */
export interface LinkingMessage {
  readonly id: MessageId
  /** UNIX seconds. */
  readonly sentAt: number
}

/** Properties that are inspected before an upload is announced. */
export type UploadInspection = Pick<Upload, 'width' | 'height' | 'isAnimated' | 'hasThumbnail'>

/** The path of an upload from the key of its bytes and its name. */
export function uploadPath(key: string, name: string): string {
  return `${UPLOADS_REALM}/${key}/${slugOf(name)}`
}

/** The key of an upload's bytes from its path. */
export function keyOfPath(path: string): string {
  return path.split('/').slice(1, 3).join('/')
}

/** The address of an upload, relative to the server's. */
export function uploadUrl(path: string): string {
  return UPLOADS_BASE + path
}

/**
 * A displayable file name: without folders, control characters, and marks of writing direction, which could hide a file
 * extension. All languages and signs are allowed.
 */
export function cleanFileName(given: string): string {
  const last = given.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const clean = last
    // Control characters, line and paragraph separators, marks of direction and invisible characters.
    .replace(
      /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu,
      '',
    )
    .replace(/\s+/gu, ' ')
    .trim()
  return /^\.*$/.test(clean) ? UNNAMED : shorten(clean, UPLOAD_NAME_LENGTH_MAX)
}

/** The form of a name in addresses: letters and digits of any language, dots, dashes. */
function slugOf(name: string): string {
  const slug = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}\s._-]/gu, '')
    .replace(/[\s-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/gu, '')
  return slug === '' ? UNNAMED : shorten(slug, SLUG_LENGTH_MAX)
}

/** Shortens a name to a number of code points, and keeps its extension. */
function shorten(name: string, lengthMax: number): string {
  const letters = Array.from(name)
  if (letters.length <= lengthMax) return name
  const dot = letters.lastIndexOf('.')
  const ending = dot > 0 && letters.length - dot <= ENDING_LENGTH_MAX ? letters.slice(dot) : []
  return [...letters.slice(0, lengthMax - ending.length), ...ending].join('')
}
