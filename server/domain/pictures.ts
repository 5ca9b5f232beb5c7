/** Pictures that the server keeps, and the addresses under which it shows them. */

/** Which picture: random, since nothing but its address guards it. What it shows never changes. */
export type PictureId = string

/** What is kept of an uploaded file. */
export type PictureVariant = 'avatar' | 'avatar-medium' | 'emoji' | 'emoji-still'

/** Where pictures are; the one organization of a server is number 1. */
const BASE = '/user_avatars/1'
/** The whole of an address: nothing else reaches the database. */
const PATTERN =
  /^\/user_avatars\/1\/(?:([0-9a-f]{32})(-medium)?\.png|emoji\/images\/(?:([0-9a-f]{32})\.(?:png|webp)|still\/([0-9a-f]{32})\.png))$/

/** An avatar, 100 pixels wide, or five times as much. */
export function avatarPath(id: PictureId, size: 'small' | 'medium'): string {
  return `${BASE}/${id}${size === 'medium' ? '-medium' : ''}.png`
}

/** A custom emoji; one that moves is of another format. */
export function emojiPath(id: PictureId, isAnimated: boolean): string {
  return `${BASE}/emoji/images/${id}.${isAnimated ? 'webp' : 'png'}`
}

/** A custom emoji that moves, standing still. */
export function stillEmojiPath(id: PictureId): string {
  return `${BASE}/emoji/images/still/${id}.png`
}

/** The picture of an address, if it can be one. */
export function readPicturePath(path: string): { id: PictureId; variant: PictureVariant } | undefined {
  const [, avatarId, medium, emojiId, stillId] = PATTERN.exec(path) ?? []
  if (avatarId !== undefined) return { id: avatarId, variant: medium ? 'avatar-medium' : 'avatar' }
  if (emojiId !== undefined) return { id: emojiId, variant: 'emoji' }
  return stillId === undefined ? undefined : { id: stillId, variant: 'emoji-still' }
}
