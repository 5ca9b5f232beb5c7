/** The logo is drawn once; pictures of it are the same. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { logoSvg } from '../../packages/look/logo.ts'
import { startChromium } from '../harness/browser/chromium.ts'

const ROOT = join(import.meta.dirname, '../..')
const PICTURES = {
  'client/icon-192.png': logoSvg(),
  'client/icon-512.png': logoSvg(),
  'packages/look/logo.png': logoSvg(),
  'server/wire/static/organization.png': logoSvg({ square: true }),
}
/** Of 255: programs that draw round edges differ a little. */
const MEAN_DIFFERENCE_MAX = 2

const page = await (await (await startChromium(t)).newContext()).newPage()

for (const [file, svg] of Object.entries(PICTURES)) {
  await t.test(`[LOOK5] ${file} shows the logo`, async (t) => {
    const addresses = [
      `data:image/png;base64,${(await readFile(join(ROOT, file))).toString('base64')}`,
      `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`,
    ]
    const difference = await page.evaluate(async (addresses) => {
      const [one, other] = await Promise.all(
        addresses.map(async (src) => {
          const image = new Image()
          image.src = src
          await image.decode()
          const size = 64
          const canvas = new OffscreenCanvas(size, size)
          const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
          context.imageSmoothingQuality = 'high'
          context.drawImage(image, 0, 0, size, size)
          return context.getImageData(0, 0, size, size).data
        }),
      )
      if (!one || !other) return Infinity
      return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length
    }, addresses)
    t.ok(difference <= MEAN_DIFFERENCE_MAX, `they differ by ${difference} on average`)
  })
}
