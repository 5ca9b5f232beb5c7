/** The thumbnails that are made of uploaded pictures. */

/** One form of a picture that clients may ask for. */
export interface ThumbnailFormat {
  /** As in its address, and in the name of its file. */
  readonly name: string
  /** In pixels; a picture that is smaller keeps its size. */
  readonly widthMax: number
  readonly heightMax: number
  /** Whether it moves; made of moving pictures only. */
  readonly isAnimated: boolean
}

/** What rendered messages show, made before an upload is acknowledged. */
export const STILL_THUMBNAIL: ThumbnailFormat = {
  name: '840x560.webp',
  widthMax: 840,
  heightMax: 560,
  isAnimated: false,
}
/** The same of a picture that moves. */
export const MOVING_THUMBNAIL: ThumbnailFormat = {
  name: '840x560-anim.webp',
  widthMax: 840,
  heightMax: 560,
  isAnimated: true,
}

/** All that this server makes, the others when somebody first asks for them; all are WebP. */
export const THUMBNAIL_FORMATS: readonly ThumbnailFormat[] = [
  MOVING_THUMBNAIL,
  STILL_THUMBNAIL,
  { name: '300x200.webp', widthMax: 300, heightMax: 200, isAnimated: false },
]

/** What all thumbnails are. */
export const THUMBNAIL_CONTENT_TYPE = 'image/webp'

/** Where the file store keeps a thumbnail: with the original. */
export function thumbnailKey(key: string, { name }: ThumbnailFormat): string {
  return `${key}.${name}`
}
