/** Pictures that the server stores, and their addresses. */

/** A random id, since only the address protects the picture. A picture never changes. */
export type PictureId = string

/** The sources of pictures of users without an uploaded one: Gravatar, and the server's drawings. The API's letters. */
export const PICTURE_SOURCES = ['G', 'J'] as const
export type PictureSource = (typeof PICTURE_SOURCES)[number]

/** The stored forms of an uploaded picture. */
export type PictureVariant =
  | 'avatar'
  | 'avatar-medium'
  | 'emoji'
  | 'emoji-still'
  | 'icon'
  | 'logo'
  | 'preview'

/** The base of all addresses; the one organization of a server has the number 1. */
const BASE = '/user_avatars/1'
/** The whole of a valid address: nothing else reaches the database. */
const PATTERN =
  /^\/user_avatars\/1\/(?:([0-9a-f]{32})(-medium)?\.png|emoji\/images\/(?:([0-9a-f]{32})\.(?:png|webp)|still\/([0-9a-f]{32})\.png)|realm\/([0-9a-f]{32})\/(icon|logo)\.png)$/
/** Thumbnails of previews: the API family serves pictures of other servers below this path. */
const PREVIEW_PATTERN = /^\/external_content\/([0-9a-f]{32})\.webp$/

/** An avatar of 100 pixels, or of 500. */
export function avatarPath(id: PictureId, size: 'small' | 'medium'): string {
  return `${BASE}/${id}${size === 'medium' ? '-medium' : ''}.png`
}

/** A custom emoji; an animated one has another format. */
export function emojiPath(id: PictureId, isAnimated: boolean): string {
  return `${BASE}/emoji/images/${id}.${isAnimated ? 'webp' : 'png'}`
}

/** The still picture of an animated emoji. */
export function stillEmojiPath(id: PictureId): string {
  return `${BASE}/emoji/images/still/${id}.png`
}

/** A picture of the organization. */
export function organizationPicturePath(id: PictureId, variant: 'icon' | 'logo'): string {
  return `${BASE}/realm/${id}/${variant}.png`
}

/** The thumbnail of a preview. */
export function previewPicturePath(id: PictureId): string {
  return `/external_content/${id}.webp`
}

/** The picture of an address, or undefined for other addresses. */
export function readPicturePath(path: string): { id: PictureId; variant: PictureVariant } | undefined {
  const [, avatarId, medium, emojiId, stillId, ownId, own] = PATTERN.exec(path) ?? []
  if (avatarId !== undefined) return { id: avatarId, variant: medium ? 'avatar-medium' : 'avatar' }
  if (emojiId !== undefined) return { id: emojiId, variant: 'emoji' }
  if (ownId !== undefined) return { id: ownId, variant: own as 'icon' | 'logo' }
  const previewId = PREVIEW_PATTERN.exec(path)?.[1]
  if (previewId !== undefined) return { id: previewId, variant: 'preview' }
  return stillId === undefined ? undefined : { id: stillId, variant: 'emoji-still' }
}
