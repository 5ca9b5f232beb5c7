/** The pool's task: creates avatars, emoji and thumbnails. Only this file loads the library, which takes megabytes. */

import { createRequire } from 'node:module'
import type Sharp from 'sharp'
import type { SharpOptions } from 'sharp'
import type { DrawnPicture, DrawnSize } from '../../../server/domain/files/drawn-pictures.ts'
import type { PictureVariant } from '../../../server/domain/files/pictures.ts'
import {
  MOVING_THUMBNAIL,
  STILL_THUMBNAIL,
  type ThumbnailFormat,
} from '../../../server/domain/files/thumbnails.ts'
import { drawInitials } from './draw-initials.ts'
import { sanitizeImage } from './sanitize-image.ts'

/** The results of a file besides thumbnails. */
export type ImageKind = 'avatar' | 'emoji' | 'icon' | 'logo'

/** A file with the first bytes of a PNG, JPEG, GIF or WebP. */
export type FileToDraw =
  | { readonly kind: ImageKind; readonly bytes: Uint8Array }
  /** `standard` is the thumbnail that messages show: animated if the file is. */
  | { readonly kind: 'thumbnail'; readonly bytes: Uint8Array; readonly format: ThumbnailFormat | 'standard' }
  /** No file: the picture of a user without one. */
  | { readonly kind: 'initials'; readonly picture: DrawnPicture; readonly size: DrawnSize }

/** One created picture. */
export interface MadePicture {
  readonly variant: PictureVariant
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** A thumbnail, and facts about its original. */
export interface DrawnThumbnail {
  readonly format: ThumbnailFormat
  /** WebP. */
  readonly bytes: Uint8Array
  /** Of the original as displayed, in pixels. */
  readonly width: number
  readonly height: number
}

/** The result of a file: pictures, or the reason for none. */
export type Drawn =
  | { readonly kind: 'pictures'; readonly pictures: readonly MadePicture[]; readonly isAnimated: boolean }
  | ({ readonly kind: 'thumbnail' } & DrawnThumbnail)
  | { readonly kind: 'undecodable' | 'too_large' }

const AVATAR_PIXELS = 100
const AVATAR_MEDIUM_PIXELS = 500
const EMOJI_PIXELS = 64
/** Clients show the icon of the organization at up to half of it. */
const ICON_PIXELS = 200
/** A logo of the organization keeps its shape within these: the API family's. */
const LOGO_WIDTH_MAX = 800
const LOGO_HEIGHT_MAX = 100
/** Pixels of a file, all frames together: enough for photographs of phones, some 100 MB at four bytes each. */
const INPUT_PIXELS_MAX = 25_000_000
/** The same for a JPEG that becomes a thumbnail: a large one is decoded at reduced size, unless it is progressive. */
const JPEG_PIXELS_MAX = 100_000_000
/** Pixels of an animated thumbnail, all frames together: some seconds of work. Further frames are dropped. */
const MOVING_PIXELS_MAX = 24_000_000
/** Encoding effort for frames of animated thumbnails, of 6. */
const MOVING_EFFORT = 1
/** Frames of an animated emoji; further frames are dropped. */
const FRAMES_MAX = 200
/** Seconds of the processor for a file: the library's work cannot be cancelled from outside. */
const SECONDS_MAX = 5
/** The library counts by the clock. A file that got less of the processor is drawn again, with more seconds. */
const CLOCK_SECONDS = [SECONDS_MAX, 4 * SECONDS_MAX, 10 * SECONDS_MAX]

const PNG = 'image/png'
const TRANSPARENT = { r: 0, g: 0, b: 0, alpha: 0 }

/** Undefined where the library has no program for this platform. */
const sharp = loadSharp()
sharp?.cache(false)
sharp?.concurrency(1)
// Blocks the library's other loaders, whatever a file claims to be.
sharp?.block({ operation: ['VipsForeignLoad'] })
sharp?.unblock({
  operation: ['Png', 'Jpeg', 'Nsgif', 'Webp'].map((format) => `VipsForeignLoad${format}Buffer`),
})

function loadSharp(): typeof Sharp | undefined {
  try {
    return createRequire(import.meta.url)('sharp') as typeof Sharp
  } catch {
    return undefined
  }
}

/** Creates the pictures of a file; without a file it only loads its program. */
export default async function drawImage(file: FileToDraw | undefined): Promise<Drawn | undefined> {
  if (!file) return undefined
  if (file.kind === 'initials') return drawUser(file.picture, file.size)
  for (const seconds of CLOCK_SECONDS) {
    const startSeconds = processorSeconds()
    const isLast = seconds === CLOCK_SECONDS.at(-1)
    const limit: TimeLimit = {
      seconds,
      mayGoOn: (error) => !isLast && isTimeout(error) && processorSeconds() - startSeconds < SECONDS_MAX,
    }
    try {
      const bytes = sanitizeImage(file.bytes)
      if (!bytes) return { kind: 'too_large' }
      if (file.kind === 'thumbnail') return await drawThumbnail(bytes, file.format, limit)
      return await PICTURES[file.kind](bytes, limit)
    } catch (error) {
      if (limit.mayGoOn(error)) continue
      const isTooLarge = isTimeout(error) || (error instanceof Error && /pixel limit/i.test(error.message))
      return { kind: isTooLarge ? 'too_large' : 'undecodable' }
    }
  }
  return { kind: 'too_large' }
}

const PICTURES: Readonly<Record<ImageKind, (bytes: Uint8Array, limit: TimeLimit) => Promise<Drawn>>> = {
  avatar: drawAvatar,
  emoji: drawEmoji,
  icon: async (bytes, limit) =>
    made('icon', await open(bytes, limit).resize(ICON_PIXELS, ICON_PIXELS).png().toBuffer()),
  logo: async (bytes, limit) => {
    const options = { fit: 'inside', withoutEnlargement: true } as const
    return made(
      'logo',
      await open(bytes, limit).resize(LOGO_WIDTH_MAX, LOGO_HEIGHT_MAX, options).png().toBuffer(),
    )
  },
}

/** One still picture. */
function made(variant: PictureVariant, bytes: Uint8Array, contentType = PNG): Drawn {
  return { kind: 'pictures', isAnimated: false, pictures: [{ variant, contentType, bytes }] }
}

/** The time for one try to draw a file. */
interface TimeLimit {
  /** By the clock. */
  readonly seconds: number
  /** Whether a failure says only that the machine was busy, and another try has more time. */
  mayGoOn(error: unknown): boolean
}

const isTimeout = (error: unknown) => error instanceof Error && /timeout/i.test(error.message)

/** Of the whole process: the library works in threads of its own. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}

async function drawAvatar(bytes: Uint8Array, limit: TimeLimit): Promise<Drawn> {
  const draw = (pixels: number) =>
    open(bytes, limit).resize(pixels, pixels, { fit: 'cover' }).png().toBuffer()
  return {
    kind: 'pictures',
    isAnimated: false,
    pictures: [
      { variant: 'avatar', contentType: PNG, bytes: await draw(AVATAR_PIXELS) },
      { variant: 'avatar-medium', contentType: PNG, bytes: await draw(AVATAR_MEDIUM_PIXELS) },
    ],
  }
}

const SVG_LOADER = { operation: ['VipsForeignLoadSvgBuffer'] }

/** The picture of a user without one; as SVG where the library is missing. */
async function drawUser(picture: DrawnPicture, size: DrawnSize): Promise<Drawn> {
  const svg = Buffer.from(drawInitials(picture))
  const variant = size === 'small' ? 'avatar' : 'avatar-medium'
  if (!sharp) return made(variant, svg, 'image/svg+xml')
  const pixels = size === 'small' ? AVATAR_PIXELS : AVATAR_MEDIUM_PIXELS
  // Only this SVG, which the server wrote, may be loaded; the thread does one task at a time.
  sharp.unblock(SVG_LOADER)
  try {
    const density = (72 * pixels) / AVATAR_PIXELS
    return made(
      variant,
      await sharp(svg, { density }).resize(pixels, pixels).png({ compressionLevel: 9 }).toBuffer(),
    )
  } finally {
    sharp.block(SVG_LOADER)
  }
}

async function drawEmoji(bytes: Uint8Array, limit: TimeLimit): Promise<Drawn> {
  const { pages = 1 } = await open(bytes, limit).metadata()
  const draw = (options: SharpOptions) =>
    open(bytes, limit, options).resize(EMOJI_PIXELS, EMOJI_PIXELS, {
      fit: 'contain',
      background: TRANSPARENT,
    })
  const still = await draw({}).png().toBuffer()
  if (pages === 1) return made('emoji', still)
  const moving = await draw({ pages: Math.min(pages, FRAMES_MAX) })
    .webp()
    .toBuffer()
  return {
    kind: 'pictures',
    isAnimated: true,
    pictures: [
      { variant: 'emoji', contentType: 'image/webp', bytes: moving },
      { variant: 'emoji-still', contentType: PNG, bytes: still },
    ],
  }
}

async function drawThumbnail(
  bytes: Uint8Array,
  wanted: ThumbnailFormat | 'standard',
  limit: TimeLimit,
): Promise<Drawn> {
  const limitInputPixels = bytes[0] === 0xff ? JPEG_PIXELS_MAX : INPUT_PIXELS_MAX
  const { pages = 1, autoOrient, isProgressive } = await open(bytes, limit, { limitInputPixels }).metadata()
  const { width, height } = autoOrient
  // A file with several scans is held in memory as a whole.
  if (isProgressive && width * height > INPUT_PIXELS_MAX) return { kind: 'too_large' }
  const draw = (format: ThumbnailFormat, options: SharpOptions = {}) =>
    open(bytes, limit, { limitInputPixels, ...options }).resize(format.widthMax, format.heightMax, {
      fit: 'inside',
      withoutEnlargement: true,
    })
  const still = async (format: ThumbnailFormat): Promise<Drawn> => ({
    kind: 'thumbnail',
    format,
    bytes: await draw(format).webp().toBuffer(),
    width,
    height,
  })
  const moving = async (format: ThumbnailFormat): Promise<Drawn> => {
    const pixels = Math.min(width, format.widthMax) * Math.min(height, format.heightMax)
    const framesMax = Math.min(
      FRAMES_MAX,
      Math.max(2, Math.floor(MOVING_PIXELS_MAX / pixels)),
      Math.max(1, Math.floor(INPUT_PIXELS_MAX / (width * height))),
    )
    const frames = draw(format, { pages: Math.min(pages, framesMax) })
    return {
      kind: 'thumbnail',
      format,
      bytes: await frames.webp({ effort: MOVING_EFFORT }).toBuffer(),
      width,
      height,
    }
  }
  if (wanted !== 'standard') {
    if (!wanted.isAnimated) return still(wanted)
    return pages > 1 ? moving(wanted) : { kind: 'undecodable' }
  }
  // An animation whose frames are too much work becomes a still picture.
  if (pages === 1) return still(STILL_THUMBNAIL)
  return moving(MOVING_THUMBNAIL).catch((error: unknown) => {
    if (limit.mayGoOn(error)) throw error
    return still(STILL_THUMBNAIL)
  })
}

/** Camera metadata, including the location, is dropped; only the orientation is applied. */
function open(bytes: Uint8Array, limit: TimeLimit, options: SharpOptions = {}) {
  if (!sharp) throw new Error('this platform has no program that reads pictures')
  return sharp(bytes, {
    limitInputPixels: INPUT_PIXELS_MAX,
    failOn: 'error',
    autoOrient: true,
    ...options,
  }).timeout({ seconds: limit.seconds })
}
