/** Uploaded files: what is known of them, what they are called, and where they are. */

import type { MessageId, UploadId, UserId } from './ids.ts'

/** Where uploads are served. */
export const UPLOADS_BASE = '/user_uploads/'
/** The one organization of a server, as addresses name it. */
const UPLOADS_REALM = 1
/** Code points of a file's name; most file systems take 255 bytes. */
const UPLOAD_NAME_LENGTH_MAX = 255
/** Code points of the name at the end of an address: links with it are to stay readable. */
const SLUG_LENGTH_MAX = 100
/** Code points of an ending that outlives the shortening of its name. */
const ENDING_LENGTH_MAX = 20
/** What a file is called that came without a usable name. */
const UNNAMED = 'uploaded-file'

/** A file that came whole. What it holds never changes. */
export interface Upload {
  readonly id: UploadId
  readonly ownerId: UserId
  /** `<realm>/<xx>/<random>/<name>`: what stands after `/user_uploads/`, not encoded. */
  readonly path: string
  /** As its owner called it, cleaned. */
  readonly name: string
  /** What the server took its bytes for. */
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  /** UNIX seconds. */
  readonly createdAt: number
  /** Of a picture, in pixels. */
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

/** What is inspected of an upload before it is told of. */
export type UploadInspection = Pick<Upload, 'width' | 'height' | 'isAnimated' | 'hasThumbnail'>

/** An upload's path, of the key of its bytes and its name. */
export function uploadPath(key: string, name: string): string {
  return `${UPLOADS_REALM}/${key}/${slugOf(name)}`
}

/** The key of an upload's bytes, of its path. */
export function keyOfPath(path: string): string {
  return path.split('/').slice(1, 3).join('/')
}

/** The address of an upload below the server's own. */
export function uploadUrl(path: string): string {
  return UPLOADS_BASE + path
}

/**
 * A file's name as it can be shown: without the folders before it, control characters, and marks that turn the
 * direction of writing, behind which an ending could hide. Any language and any sign may stand in it.
 */
export function cleanFileName(given: string): string {
  const last = given.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const clean = last
    // Control characters, line and paragraph separators, and what turns the direction or cannot be seen.
    .replace(
      /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu,
      '',
    )
    .replace(/\s+/gu, ' ')
    .trim()
  return /^\.*$/.test(clean) ? UNNAMED : shorten(clean, UPLOAD_NAME_LENGTH_MAX)
}

/** A name as it stands in addresses: letters and digits of any language, dots, strokes. */
function slugOf(name: string): string {
  const slug = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}\s._-]/gu, '')
    .replace(/[\s-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/gu, '')
  return slug === '' ? UNNAMED : shorten(slug, SLUG_LENGTH_MAX)
}

/** A name of at most so many code points; what follows its last dot is kept. */
function shorten(name: string, lengthMax: number): string {
  const letters = Array.from(name)
  if (letters.length <= lengthMax) return name
  const dot = letters.lastIndexOf('.')
  const ending = dot > 0 && letters.length - dot <= ENDING_LENGTH_MAX ? letters.slice(dot) : []
  return [...letters.slice(0, lengthMax - ending.length), ...ending].join('')
}
