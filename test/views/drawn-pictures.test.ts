/** Drawn pictures: the initials of any name, and the addresses that only the server can make. */

import t from 'tap'
import {
  type DrawnPicture,
  drawnPictureOf,
  initialsOf,
  isDrawnPath,
  PICTURE_COLORS,
} from '../../server/domain/files/drawn-pictures.ts'
import { drawnPath, readDrawnPath } from '../../server/views/drawn-picture-path.ts'
import type { UserId } from '../../server/domain/ids.ts'

const SECRET = Buffer.from('secret')

t.test('[DRAW1] initials are those of the first and last word, if the font has their script', async (t) => {
  const cases: [name: string, letters: string][] = [
    ['Mara Lindqvist', 'ML'],
    ['ada', 'A'],
    ['Jean-Luc  de la Tour', 'JT'],
    ['o\u0308mer \u00e7elik', 'ÖÇ'],
    ['юлия жданова', 'ЮЖ'],
    ['ωμέγα', 'Ω'],
    ['42 Main', '4M'],
    ['ßeta', 'ß'],
    ['<script>alert(1)</script>', 'SS'],
    ['"><img src=x>', 'IS'],
    ['😀 Party', 'P'],
    ['', ''],
    [' \u200b ', ''],
    ['***', ''],
    ['😀', ''],
    ['\u0301\u0302', ''],
    ['محمد علي', ''],
    ['\u202eevil', 'E'],
    ['王小明', ''],
    ['𝒜da', ''],
    ['\ud800', ''],
    ['Ann 王', 'A'],
    ['a'.repeat(10_000), 'A'],
  ]
  for (const [name, letters] of cases)
    t.equal(initialsOf(name, 2), letters, JSON.stringify(name.slice(0, 30)))
  t.equal(initialsOf('Build Bot', 1), 'B')
})

t.test('[DRAW2] an address is read back only if this server signed exactly it', async (t) => {
  const pictures: DrawnPicture[] = [
    { kind: 'person', color: 7, letters: 'ÖЖ', seed: 0 },
    { kind: 'bot', color: 0, letters: 'B', seed: 0 },
    { kind: 'person', color: 3, letters: '', seed: 999 },
  ]
  for (const picture of pictures) {
    for (const size of ['small', 'medium'] as const) {
      const path = drawnPath(picture, size, SECRET)
      t.ok(isDrawnPath(path))
      t.strictSame(readDrawnPath(path, SECRET), { picture, size })
      t.equal(readDrawnPath(path, Buffer.from('other')), undefined)
    }
  }
  const path = drawnPath(pictures[0] as DrawnPicture, 'small', SECRET)
  const forged = [
    path.replace('/p7', '/p6'),
    path.replace('d6.', 'd7.'),
    path.replace('/p7', '/b7'),
    path.replace(/-[0-9a-f]{16}/, `-${'0'.repeat(16)}`),
    path.replace('.png', '.svg'),
    path.toUpperCase(),
    `${path}/`,
    path.replace('/p7-', '/p8-'),
    '',
  ]
  for (const other of forged) t.equal(readDrawnPath(other, SECRET), undefined, other)
})

t.test('[DRAW3] white letters have a contrast of 4.5 to 1 on every colour', async (t) => {
  const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  for (const color of PICTURE_COLORS) {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) =>
      linear(Number.parseInt(color.slice(at, at + 2), 16) / 255),
    )
    t.ok(1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05) >= 4.5, color)
  }
  const colors = [1, 2, 3, 4, 5, 6, 7, 8].map(
    (id) => drawnPictureOf({ id: id as UserId, botType: null, fullName: 'A' }).color,
  )
  t.equal(new Set(colors).size, PICTURE_COLORS.length, 'neighbours differ')
})
