/** The look that the client, the pages of the server and the mails share comes from one place. */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { clientTokens, COLORS, type ColorName, colorOf, pageTokens } from '../../packages/look/tokens.ts'

const ROOT = join(import.meta.dirname, '../..')
const STYLES = globSync(['client/styles/*.css', 'server/wire/static/*.css'], { cwd: ROOT })
const PAGES = globSync(['server/wire/**/*.ts', 'workers/jobs/mail/**/*.ts'], { cwd: ROOT })
const SCRIPTS = globSync('client/{app,features,shell,ui}/**/*.{ts,tsx}', { cwd: ROOT })
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** Notations of colors, except for numbers of characters and private fields in code. */
const IN_STYLES = /#[\da-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\((?!from )/gi
const IN_CODE = /(?<=[\s:'"`(])#(?:[\da-f]{3}|[\da-f]{6})(?=[;'"`\s)])|\b(?:rgb|hsl)a?\(\d/gi

t.test('[LOOK2] only the tokens name colors of styles, pages and mails', async (t) => {
  t.ok(STYLES.length > 15 && PAGES.length > 60, 'the files were read')
  const found = (files: readonly string[], notation: RegExp) =>
    files.flatMap((file) =>
      read(file)
        .split('\n')
        // The button of all colors shows some of them.
        .filter((line) => !line.includes('conic-gradient(') && !/^\s*(?:\/?\*|\/\/)/.test(line))
        .flatMap((line) => [...line.matchAll(notation)].map(([color]) => `${file}: ${color}`)),
    )
  t.same(found(STYLES, IN_STYLES), [])
  t.same(found(PAGES, IN_CODE), [])
})

t.test('[LOOK3] styles use no custom property that nobody sets', async (t) => {
  const properties = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name)
  const scripts = SCRIPTS.map(read).join('\n')
  for (const [tokens, folder] of [
    [clientTokens(), 'client/'],
    [pageTokens(), 'server/'],
  ] as const) {
    const styles = STYLES.filter((file) => file.startsWith(folder))
      .map(read)
      .join('\n')
    const set = new Set([
      ...properties(tokens + styles, /(--[\w-]+)\s*:/g),
      ...properties(scripts, /['"](--[\w-]+)['"]/g),
    ])
    const used = properties(tokens + styles, /var\((--[\w-]+)\)/g) // Those with a default may be unset.
    t.ok(used.length > 50)
    t.same(
      [...new Set(used)].filter((name) => !set.has(name)),
      [],
      folder,
    )
  }
})

/** The luminance of a color such as `#fffefc`, as WCAG defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [bright = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (bright + 0.05) / (dark + 0.05)
}

t.test('[LOOK4] text has a contrast of 4.7:1 on every surface, and edges of 3:1', async (t) => {
  const surfaces: readonly ColorName[] = ['ground', 'paper', 'raised', 'sunk']
  const texts: readonly ColorName[] = ['ink', 'ink-2', 'ink-3', 'accent', 'ember', 'danger']
  const pairs: readonly (readonly [ColorName, ColorName, number])[] = [
    ...surfaces.flatMap((surface) => texts.map((text) => [text, surface, 4.7] as const)),
    ...surfaces.map((surface) => ['edge', surface, 3] as const),
    ...surfaces.flatMap((surface) =>
      (['online', 'idle', 'ember'] as const).map((mark) => [mark, surface, 3] as const),
    ),
    ['accent-ink', 'accent', 4.5],
    ['accent-ink', 'accent-over', 4.5],
    ['danger', 'danger-wash', 4.5],
    ['ember-ink', 'ember', 4.7],
    ['ink', 'accent-wash', 4.7],
    ['accent', 'accent-wash', 4.7],
    ['ember-deep', 'ember-fill', 4.5],
    ['note-ink', 'note-ground', 4.5],
    ['note-accent', 'note-ground', 4.5],
  ]
  t.ok(Object.keys(COLORS).length > 20)
  for (const theme of ['light', 'dark'] as const)
    for (const [front, back, ratio] of pairs) {
      const reached = contrast(colorOf(front, theme), colorOf(back, theme))
      t.ok(reached >= ratio, `${front} on ${back}, ${theme}: ${reached.toFixed(2)}`)
    }
})
