/** Making thumbnails of files, within limits of time, size and number. */

import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import t from 'tap'
import { MOVING_THUMBNAIL, STILL_THUMBNAIL, THUMBNAIL_FORMATS } from '../../server/domain/files/thumbnails.ts'
import { ImageError, Imager, ImageOverloadError } from '../../workers/pool/imager.ts'
import { sanitizeImage } from '../../workers/pool/images/sanitize-image.ts'
import { drawAnimation, drawBomb, drawImage } from '../harness/client/upload.ts'

interface TestContext {
  teardown(task: () => unknown): void
}
function startImager(t: TestContext): Imager {
  const imager = new Imager(20_000)
  t.teardown(() => imager.close())
  return imager
}

const USER = 1
const reading = (bytes: Uint8Array) => async () => bytes

t.test(
  '[THUMB1] a thumbnail fits its format, is never enlarged, and has the size of the original',
  async (t) => {
    const imager = startImager(t)
    for (const [width, height, wanted] of [
      [2_000, 1_000, [840, 420]],
      [1_000, 2_000, [280, 560]],
      [60, 40, [60, 40]],
      [1, 3_000, [1, 560]],
    ] as const) {
      const made = await imager.makeThumbnail(
        'standard',
        reading(await drawImage('blue', { width, height })),
        USER,
      )
      const { width: w, height: h, format } = await sharp(made.bytes).metadata()
      t.same([w, h, format], [...wanted, 'webp'])
      t.match(made, { width, height, format: STILL_THUMBNAIL })
    }
  },
)

t.test('[THUMB2] a photograph is rotated by its orientation', async (t) => {
  const turned = await sharp(await drawImage('red', { width: 2_000, height: 1_000 }))
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const made = await startImager(t).makeThumbnail('standard', reading(turned), USER)
  t.match(made, { width: 1_000, height: 2_000 })
  const { width, height, orientation, exif } = await sharp(made.bytes).metadata()
  t.same([width, height, orientation, exif], [280, 560, undefined, undefined], 'no other metadata')
})

t.test('[THUMB3] an animation has an animated thumbnail, and still ones on request', async (t) => {
  const imager = startImager(t)
  const moving = await drawAnimation(['red', 'lime', 'blue'])
  const standard = await imager.makeThumbnail('standard', reading(moving), USER)
  t.match(standard, { format: MOVING_THUMBNAIL, width: 120, height: 80 })
  t.equal((await sharp(standard.bytes).metadata()).pages, 3)
  const still = await imager.makeThumbnail(STILL_THUMBNAIL, reading(moving), USER)
  t.notOk((await sharp(still.bytes).metadata()).pages)
  await t.rejects(
    imager.makeThumbnail(MOVING_THUMBNAIL, reading(await drawImage('red')), USER),
    new ImageError('undecodable'),
  )
})

t.test('[THUMB4] an animation that is too much work loses its last frames', async (t) => {
  const frames = await Promise.all(
    ['red', 'lime', 'blue'].map((one) => drawImage(one, { width: 3_000, height: 3_000 })),
  )
  const large = await sharp(frames, { join: { animated: true } })
    .gif({ effort: 1 })
    .toBuffer()
  const { bytes, format } = await startImager(t).makeThumbnail('standard', reading(large), USER)
  t.same(format, MOVING_THUMBNAIL)
  t.equal((await sharp(bytes).metadata()).pages, 2)
})

t.test('[THUMB5] a hostile file is refused, and other files are not affected', async (t) => {
  const imager = startImager(t)
  const red = await drawImage('red')
  const results = await Promise.allSettled(
    [red, drawBomb(), red.subarray(0, 50), Buffer.from('<svg/>'), red].map((file) =>
      imager.makeThumbnail('standard', reading(file), USER),
    ),
  )
  t.match(results, [
    { status: 'fulfilled' },
    { reason: { fault: 'too_large' } },
    { reason: { fault: 'undecodable' } },
    { reason: { fault: 'other_format' } },
    { status: 'fulfilled' },
  ])
})

t.test('[LEAK33] a photograph that must be decoded as a whole has a smaller limit', async (t) => {
  const [plain, progressive] = await Promise.all(
    [false, true].map(async (isProgressive) => {
      const bytes = await sharp(await drawImage('red'))
        .jpeg({ progressive: isProgressive })
        .toBuffer()
      const frame = bytes.indexOf(Buffer.from([0xff, isProgressive ? 0xc2 : 0xc0]))
      bytes.writeUInt16BE(5_100, frame + 5)
      bytes.writeUInt16BE(5_100, frame + 7)
      return bytes
    }),
  )
  const imager = startImager(t)
  const make = (bytes = Buffer.alloc(0)) => imager.makeThumbnail('standard', reading(bytes), USER)
  await t.rejects(make(progressive), new ImageError('too_large'))
  t.equal((await make(plain)).width, 5_100)
})

t.test('[LEAK34] long texts in an image, and endless frames, do not block the thread', async (t) => {
  const chunk = (type: string, data: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length)
    ends.writeUInt32BE(crc32(named), 4)
    return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)])
  }
  const riff = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(data.length)
    return Buffer.concat([Buffer.from(type), length, data])
  }
  const red = Buffer.from(await drawImage('red'))
  const text = Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(1_000_000))])
  const texts = ['zTXt', 'iCCP', 'zTXt', 'tEXt'].map((type) => chunk(type, text))
  const tamed = sanitizeImage(Buffer.concat([red.subarray(0, 33), ...texts, red.subarray(33)]))
  const profile = texts[1] as Buffer
  t.ok(tamed && Buffer.concat([red.subarray(0, 33), profile, red.subarray(33)]).equals(tamed))
  t.ok(sanitizeImage(red)?.length === red.length)
  for (const cut of [9, 20, 40]) t.equal(sanitizeImage(red.subarray(0, cut))?.length, cut)

  const still = await sharp(red).resize(2, 2).webp({ lossless: true }).toBuffer()
  const frame = riff(
    'ANMF',
    Buffer.concat([Buffer.from('000000100100' + '0a000000', 'hex'), still.subarray(12)]),
  )
  const animate = (count: number, more: readonly Buffer[] = []) => {
    const head = Buffer.from('02000000' + '010000' + '010000', 'hex')
    const frames = Array.from({ length: count }, () => frame)
    const parts = [riff('VP8X', head), riff('ANIM', Buffer.alloc(6)), ...more, ...frames]
    return riff('RIFF', Buffer.concat([Buffer.from('WEBP'), ...parts]))
  }
  t.equal(sanitizeImage(animate(5_000))?.length, animate(5_000).length)
  const odd = Buffer.from(`VP8Y\x03\0\0\0odd\0`, 'latin1') // A byte follows a chunk of odd length.
  t.equal(sanitizeImage(animate(5_001, [odd])), undefined)
  const imager = startImager(t)
  await t.rejects(
    imager.makeThumbnail('standard', reading(animate(5_001)), USER),
    new ImageError('too_large'),
  )
})

t.test('[THUMB6] users take turns, one file each', async (t) => {
  const imager = startImager(t)
  const red = await drawImage('red')
  const order: string[] = []
  const make = (name: string, userId: number) =>
    imager.makeThumbnail(
      'standard',
      async () => {
        order.push(name)
        return red
      },
      userId,
    )
  await Promise.all([make('a1', 1), make('a2', 1), make('a3', 1), make('b1', 2)])
  t.same([...order].sort(), ['a1', 'a2', 'a3', 'b1'])
  t.ok(order.indexOf('b1') < order.indexOf('a3'), 'nobody waits for all files of another')
})

t.test('[THUMB7] the number of waiting files is bounded', async (t) => {
  const imager = startImager(t)
  const red = await drawImage('red', { width: 1, height: 1 })
  const waiting = Promise.allSettled(
    Array.from({ length: 1_000 }, () => imager.makeThumbnail('standard', reading(red), USER)),
  )
  await t.rejects(
    imager.makeThumbnail('standard', reading(red), USER + 1),
    new ImageOverloadError('too many thumbnails wait'),
  )
  await imager.close()
  t.match((await waiting).at(-1), { reason: new ImageOverloadError('the imager is closed') })
  await t.rejects(imager.makeThumbnail('standard', reading(red), USER), { message: 'the imager is closed' })
})

t.test('[THUMB8] every format has a unique name that a file can have', (t) => {
  const names = THUMBNAIL_FORMATS.map(({ name }) => name)
  t.equal(new Set(names).size, names.length)
  for (const name of names) t.match(name, /^\d+x\d+(-anim)?\.webp$/)
  t.end()
})
