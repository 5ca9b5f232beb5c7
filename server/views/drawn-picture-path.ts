/** The signed addresses of drawn pictures. */

import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  type DrawnPicture,
  type DrawnSize,
  drawnAddress,
  encodeDrawnPicture,
  parseDrawnPath,
  SIGNATURE_LENGTH,
} from '../domain/files/drawn-pictures.ts'

/** The signed address of a picture. */
export function drawnPath(picture: DrawnPicture, size: DrawnSize, secret: Buffer): string {
  const content = encodeDrawnPicture(picture)
  return drawnAddress(content, sign(content, secret), size)
}

/** The picture of an address that this server has signed. */
export function readDrawnPath(
  path: string,
  secret: Buffer,
): { readonly picture: DrawnPicture; readonly size: DrawnSize } | undefined {
  const address = parseDrawnPath(path)
  if (!address) return undefined
  const { content, signature, picture, size } = address
  return timingSafeEqual(Buffer.from(sign(content, secret)), Buffer.from(signature))
    ? { picture, size }
    : undefined
}

function sign(content: string, secret: Buffer): string {
  return createHmac('sha256', secret)
    .update(`drawn picture ${content}`)
    .digest('hex')
    .slice(0, SIGNATURE_LENGTH)
}
