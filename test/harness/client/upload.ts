/** Uploads of files, and generated images. */

import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { Answer, Client } from './client.ts'
import type { ReplyAt } from './wire-types.ts'

/** Posts files as some clients do. */
export const upload = <Path extends string, Method extends string = 'POST'>(
  client: Client,
  path: Path,
  files: readonly Uint8Array[],
  method?: Method,
): Promise<Answer<ReplyAt<Method, Path>>> => client.upload(path, files, method)

/** Posts files; must succeed. */
export async function mustUpload<Path extends string>(
  client: Client,
  path: Path,
  file: Uint8Array,
): Promise<ReplyAt<'POST', Path>> {
  const { status, body } = await client.upload(path, [file])
  if (status !== 200) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(body)}`)
  return body
}

/** An image of one color. */
export function drawImage(background: string, { width = 120, height = 80 } = {}): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()
}

/** An animation of one color after another. */
export async function drawAnimation(backgrounds: readonly string[]): Promise<Buffer> {
  const frames = await Promise.all(backgrounds.map((one) => drawImage(one)))
  return sharp(frames, { join: { animated: true } })
    .gif({ delay: backgrounds.map(() => 100) })
    .toBuffer()
}

/** A small file that declares an image of 10,000 megapixels. */
export function drawBomb(): Buffer {
  const side = 100_000
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([1, 0, 0, 0, 0], 8)
  const lines = deflateSync(Buffer.alloc(1_000_000))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', lines),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
