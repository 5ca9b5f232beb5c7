/** Detects a file's content type from its first bytes; the type that the client claims is not trusted. */

/** Bytes at the start of a file that detection reads. */
export const SNIFFED_BYTES = 4096
/** For unknown types, and for types that a browser must not open. */
const UNKNOWN_CONTENT_TYPE = 'application/octet-stream'
const TEXT = 'text/plain; charset=utf-8'

/** Types that browsers show without running any of their content. All others are downloaded. */
const INLINE_TYPES: ReadonlySet<string> = new Set([
  'audio/aac',
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'image/avif',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  TEXT,
  'video/mp4',
  'video/quicktime',
  'video/webm',
])

/** Whether a browser may show a file inline. */
export function isInlineType(contentType: string): boolean {
  return INLINE_TYPES.has(contentType)
}

/** Magic bytes: at an offset, in Latin-1. */
const SIGNATURES: readonly (readonly [contentType: string, offset: number, bytes: string])[] = [
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/bmp', 0, 'BM'],
  ['image/tiff', 0, 'II*\0'],
  ['image/tiff', 0, 'MM\0*'],
  ['application/pdf', 0, '%PDF-'],
  ['application/zip', 0, 'PK\x03\x04'],
  ['application/gzip', 0, '\x1f\x8b\x08'],
  ['audio/flac', 0, 'fLaC'],
  ['audio/ogg', 0, 'OggS'],
  ['audio/mpeg', 0, 'ID3'],
]

/** By the brand of an ISO base media file. */
const BRANDS: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  avis: 'image/avif',
  heic: 'image/heic',
  heix: 'image/heic',
  hevc: 'image/heic',
  mif1: 'image/heif',
  'M4A ': 'audio/mp4',
  'M4B ': 'audio/mp4',
  'qt  ': 'video/quicktime',
}
const VIDEO_BRANDS = /^(?:isom|iso[2-9]|mp4[12]|avc1|M4V |dash|mmp4|MSNV|3gp.)/

/** The content type of a file from its first bytes: `SNIFFED_BYTES` of them, or all of a shorter file. */
export function detectContentType(head: Uint8Array): string {
  const text = latin1(head.subarray(0, 64))
  for (const [contentType, offset, bytes] of SIGNATURES) {
    if (text.startsWith(bytes, offset)) return contentType === 'audio/ogg' ? oggType(text) : contentType
  }
  if (text.startsWith('RIFF')) return riffType(text.slice(8, 12))
  if (text.startsWith('ftyp', 4)) return brandType(text.slice(8, 12))
  if (text.startsWith('\x1a\x45\xdf\xa3')) {
    return text.includes('webm') ? 'video/webm' : 'video/x-matroska'
  }
  const [first = 0, second = 0] = head
  if (first === 0xff) {
    if ((second & 0xf6) === 0xf0) return 'audio/aac'
    if ((second & 0xe6) === 0xe2) return 'audio/mpeg' // Layer III without a tag before it.
  }
  return isPlainText(head) ? TEXT : UNKNOWN_CONTENT_TYPE
}

function riffType(form: string): string {
  if (form === 'WEBP') return 'image/webp'
  return form === 'WAVE' ? 'audio/wav' : UNKNOWN_CONTENT_TYPE
}

function brandType(brand: string): string {
  return BRANDS[brand] ?? (VIDEO_BRANDS.test(brand) ? 'video/mp4' : UNKNOWN_CONTENT_TYPE)
}

function oggType(text: string): string {
  return text.includes('theora') ? 'video/ogg' : 'audio/ogg'
}

/** UTF-8 without control characters that does not begin like markup: a browser could take markup for a page. */
function isPlainText(head: Uint8Array): boolean {
  if (head.length === 0) return false
  let text: string
  try {
    // The sample may end in the middle of a character.
    text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: head.length >= SNIFFED_BYTES })
  } catch {
    return false
  }
  if (/[^\P{Cc}\t\n\v\f\r]/u.test(text)) return false
  return !/^[\ufeff\s]*</u.test(text)
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}
