/** HTML of uploaded files: images, videos and audio. */

import { MOVING_THUMBNAIL, STILL_THUMBNAIL } from '../../../server/domain/files/thumbnails.ts'
import { UPLOADS_BASE } from '../../../server/domain/files/uploads.ts'
import { escapeHtml } from './html.ts'
import type { SnapshotUpload, UploadedImage } from './snapshot.ts'

/** Shown until the thumbnail of an image exists. */
const PLACEHOLDER_URL = '/static/images/loading/loader-black.svg'

const VIDEO_TYPES: ReadonlySet<string> = new Set(['video/mp4', 'video/quicktime', 'video/webm'])
const AUDIO_TYPES: ReadonlySet<string> = new Set([
  'audio/aac',
  'audio/flac',
  'audio/mpeg',
  'audio/wav',
  'audio/x-wav',
  'audio/vnd.wave',
])

/** The path of a link to an upload, without percent-encoding, like the upload's own path. */
export function decodePath(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path // A stray percent sign is literal.
  }
}

function encodePath(path: string): string {
  return escapeHtml(encodeURI(path.toWellFormed()).replaceAll('?', '%3F').replaceAll('#', '%23'))
}

export function isVideo({ contentType }: SnapshotUpload): boolean {
  return VIDEO_TYPES.has(contentType)
}

export function isAudio({ contentType }: SnapshotUpload): boolean {
  return AUDIO_TYPES.has(contentType)
}

/** An inline image. */
export function renderInlineImage(upload: SnapshotUpload, image: UploadedImage, alt: string): string {
  const attributes = imageAttributes(upload, image)
  const classes = image.isThumbnailed ? 'inline-image' : 'inline-image image-loading-placeholder'
  return (
    `<img alt="${escapeHtml(alt)}" class="${classes}"${attributes} ` +
    `data-original-src="${encodePath(upload.path)}"${transcoded(image)} src="${sourceOf(upload, image)}">`
  )
}

/** The image of a preview. */
export function renderPreviewImage(upload: SnapshotUpload, image: UploadedImage): string {
  const attributes = imageAttributes(upload, image) + transcoded(image)
  return image.isThumbnailed
    ? `<img${attributes} src="${sourceOf(upload, image)}">`
    : `<img class="image-loading-placeholder"${attributes} src="${PLACEHOLDER_URL}">`
}

/** An inline audio player. */
export function renderAudio(upload: SnapshotUpload, title: string): string {
  return `<audio controls preload="metadata" src="${encodePath(upload.path)}" title="${escapeHtml(title)}"></audio>`
}

function imageAttributes(
  { contentType }: SnapshotUpload,
  { width, height, isAnimated }: UploadedImage,
): string {
  const animated = isAnimated ? ' data-animated="true"' : ''
  const type = ` data-original-content-type="${escapeHtml(contentType)}"`
  const dimensions = width === null || height === null ? '' : ` data-original-dimensions="${width}x${height}"`
  return animated + type + dimensions
}

function transcoded({ transcodedName }: UploadedImage): string {
  return transcodedName === null ? '' : ` data-transcoded-image="${escapeHtml(transcodedName)}"`
}

function sourceOf({ path }: SnapshotUpload, { isThumbnailed, isAnimated }: UploadedImage): string {
  if (!isThumbnailed) return PLACEHOLDER_URL
  const { name } = isAnimated ? MOVING_THUMBNAIL : STILL_THUMBNAIL // Clients replace it with the format that they want.
  return `${UPLOADS_BASE}thumbnail/${encodePath(path.slice(UPLOADS_BASE.length))}/${name}`
}
