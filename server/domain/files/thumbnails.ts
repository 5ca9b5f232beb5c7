/** Thumbnails of uploaded pictures. */

/** A thumbnail format that clients may ask for. */
export interface ThumbnailFormat {
  /** The name in its address and in its file name. */
  readonly name: string
  /** In pixels; smaller pictures keep their size. */
  readonly widthMax: number
  readonly heightMax: number
  /** Whether it is animated; only for animated pictures. */
  readonly isAnimated: boolean
}

/** Shown in rendered messages; created before the upload is acknowledged. */
export const STILL_THUMBNAIL: ThumbnailFormat = {
  name: '840x560.webp',
  widthMax: 840,
  heightMax: 560,
  isAnimated: false,
}
/** The same for animated pictures. */
export const MOVING_THUMBNAIL: ThumbnailFormat = {
  name: '840x560-anim.webp',
  widthMax: 840,
  heightMax: 560,
  isAnimated: true,
}

/** All formats; the others are created on first request. All are WebP. */
export const THUMBNAIL_FORMATS: readonly ThumbnailFormat[] = [
  MOVING_THUMBNAIL,
  STILL_THUMBNAIL,
  { name: '300x200.webp', widthMax: 300, heightMax: 200, isAnimated: false },
]

/** The content type of all thumbnails. */
export const THUMBNAIL_CONTENT_TYPE = 'image/webp'

/** The key of a thumbnail in the file store: beside the original. */
export function thumbnailKey(key: string, { name }: ThumbnailFormat): string {
  return `${key}.${name}`
}
