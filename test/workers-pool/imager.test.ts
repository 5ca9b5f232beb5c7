/** Resizing images, within limits of time, size and number. */

import sharp from 'sharp'
import t from 'tap'
import { ImageError, Imager, ImageOverloadError } from '../../workers/pool/imager.ts'
import { drawAnimation, drawBomb, drawImage } from '../harness/client/upload.ts'

interface TestContext {
  teardown(task: () => unknown): void
}
function startImager(t: TestContext, msMax = 600_000): Imager {
  const imager = new Imager(msMax)
  t.teardown(() => imager.close())
  return imager
}

const red = await drawImage('red')
const USER = 1

t.test('[IMAGE1] resized images have the size of their kind, whatever the file', async (t) => {
  const imager = startImager(t)
  for (const [width, height] of [
    [1, 1],
    [1, 3_000],
    [4_000, 2],
    [64, 64],
    [5_000, 5_000],
  ] as const) {
    const file = await drawImage('blue', { width, height })
    for (const kind of ['avatar', 'emoji'] as const) {
      const { pictures, isAnimated } = await imager.make(kind, file, USER)
      t.notOk(isAnimated)
      const sizes = await Promise.all(
        pictures.map(async ({ bytes }) => {
          const picture = await sharp(bytes).metadata()
          return [picture.width, picture.height]
        }),
      )
      const wanted = kind === 'avatar' ? [100, 500] : [64]
      t.same(
        sizes,
        wanted.map((one) => [one, one]),
        `${kind} of ${width}x${height}`,
      )
    }
  }
})

t.test('[IMAGE2] an animation keeps at most 200 frames and a bounded number of pixels', async (t) => {
  const imager = startImager(t)
  const colors = ['red', 'lime', 'blue']
  const tiny = await Promise.all(
    Array.from({ length: 201 }, (_, index) => drawImage(colors[index % 3] ?? '', { width: 8, height: 8 })),
  )
  const long = await sharp(tiny, { join: { animated: true } })
    .gif()
    .toBuffer()
  const { pictures } = await imager.make('emoji', long, USER)
  t.equal((await sharp(pictures[0]?.bytes).metadata()).pages, 200)

  const frames = await Promise.all(
    ['red', 'lime', 'blue'].map((one) => drawImage(one, { width: 3_000, height: 3_000 })),
  )
  const large = await sharp(frames, { join: { animated: true } })
    .gif({ effort: 1 })
    .toBuffer()
  await t.rejects(imager.make('emoji', large, USER), { name: 'ImageError', fault: 'too_large' })
  t.equal((await imager.make('avatar', large, USER)).isAnimated, false, 'an avatar has one picture only')
})

t.test('[IMAGE3] a hostile file is refused, and other files are not affected', async (t) => {
  const imager = startImager(t)
  const files = [
    red,
    drawBomb(),
    red.subarray(0, 50),
    Buffer.from('<svg/>'),
    await drawAnimation(['red', 'blue']),
  ]
  const results = await Promise.allSettled(files.map((file) => imager.make('emoji', file, USER)))
  t.match(results, [
    { status: 'fulfilled' },
    { reason: { fault: 'too_large' } },
    { reason: { fault: 'undecodable' } },
    { reason: { fault: 'other_format' } },
    { status: 'fulfilled', value: { isAnimated: true } },
  ])
})

t.test(
  '[IMAGE4] a file that takes too long is refused, and another thread resizes the next one',
  async (t) => {
    const imager = startImager(t, 1)
    const slow = await drawImage('red', { width: 5_000, height: 5_000 })
    await t.rejects(imager.make('avatar', slow, USER), new ImageError('too_large'))
    await t.rejects(imager.make('avatar', slow, USER), new ImageError('too_large'))
    const patient = startImager(t)
    t.ok(await patient.make('avatar', red, USER))
  },
)

t.test('[IMAGE5] the number of waiting files is bounded', async (t) => {
  const imager = startImager(t)
  const waiting = Array.from({ length: 20 }, (_, index) => imager.make('emoji', red, USER + 1 + index))
  await t.rejects(imager.make('emoji', red, USER), new ImageOverloadError('too many files wait'))
  await Promise.all(waiting)
  t.ok(await imager.make('emoji', red, USER), 'afterwards there is room')
})

t.test(
  '[IMAGE6] a closed imager refuses files, also those that wait, and calls none too large',
  async (t) => {
    for (const isWarm of [false, true]) {
      const imager = new Imager(20_000)
      if (isWarm) await imager.make('emoji', red, USER)
      const files = [1, 2].map((userId) => imager.make('emoji', red, userId))
      const outcomes = Promise.allSettled(files)
      for (let turn = 0; turn < 4; turn++) await Promise.resolve() // The first is in the hands of the thread.
      await imager.close()
      for (const outcome of await outcomes)
        t.match(outcome, { status: 'rejected', reason: { name: 'ImageOverloadError' } })
      await t.rejects(imager.make('emoji', red, USER), ImageOverloadError)
    }
  },
)
