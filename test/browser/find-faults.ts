/** Checks a page by axe in several looks; `PARLEY_SHOTS` names a folder for pictures of each, as `npm run shots` sets it. */

import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const WIDE = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }

/**
 * The looks of a view, by their names in the pictures; all rules of axe are checked once in each size, and those of colors
 * in each theme.
 */
const LOOKS = {
  light: { viewport: WIDE, colorScheme: 'light', contrast: 'no-preference', isForColors: false },
  dark: { viewport: WIDE, colorScheme: 'dark', contrast: 'no-preference', isForColors: true },
  contrast: { viewport: WIDE, colorScheme: 'light', contrast: 'more', isForColors: true },
  phone: { viewport: PHONE, colorScheme: 'light', contrast: 'no-preference', isForColors: false },
  'phone-dark': { viewport: PHONE, colorScheme: 'dark', contrast: 'no-preference', isForColors: true },
} as const
/**
 * The first of the emoji that axe does not see, which are like those before it in their list: two thousand of them take it
 * seventeen seconds, even if they are excluded.
 */
const ALIKE_FROM = '.emoji-cells button:nth-child(20)'
/** They scroll down, and never aside. */
const SCROLLERS = '.page, .section-body, .panel-body, dialog'
/** The rules whose findings depend on colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** The part of the library that is used within the page. */
interface Axe {
  run(context: unknown, options: RunOptions): Promise<AxeResults>
}

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const { PARLEY_SHOTS: picturesFolder } = process.env
if (picturesFolder !== undefined) await mkdir(picturesFolder, { recursive: true })

/**
 * Returns the findings of axe, and looks in which the page is wider than its window, or a part that scrolls than its room;
 * empty if all is well. Leaves the page in a wide window. Pictures are named by `name` and look; without a name none is
 * taken. With the selector of a `part`, axe sees only that, in the sizes that show it.
 */
export async function findFaults(page: Page, name?: string, part = 'html'): Promise<string[]> {
  const faults: string[] = []
  await addAxe(page)
  for (const [look, { viewport, isForColors, ...media }] of Object.entries(LOOKS)) {
    if (look === 'phone-dark' && picturesFolder === undefined) continue // The colors of its theme were checked.
    await page.setViewportSize(viewport)
    // Colors that are still changing would be measured in between.
    await page.emulateMedia({ ...media, reducedMotion: 'reduce' })
    faults.push(...(await findingsOf(page, isForColors, part)).map((finding) => `${look}: ${finding}`))
    if (picturesFolder !== undefined && name !== undefined)
      await page.screenshot({ path: join(picturesFolder, `${name}-${look}.png`) })
  }
  await page.setViewportSize(WIDE)
  await page.emulateMedia({ colorScheme: 'light', contrast: 'no-preference' })
  return faults
}

/** The findings of axe in the look that the page has, with a picture of it by that name. */
export async function findFaultsNow(page: Page, name: string): Promise<string[]> {
  await addAxe(page)
  if (picturesFolder !== undefined) await page.screenshot({ path: join(picturesFolder, `${name}.png`) })
  return findingsOf(page, false, 'html')
}

async function addAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
}

async function findingsOf(page: Page, isForColors: boolean, part: string): Promise<string[]> {
  const options: RunOptions = {
    resultTypes: ['violations'],
    preload: false, // Of styles and media, which no checked rule reads.
    ...(isForColors && { runOnly: [...COLOR_RULES] }),
  }
  const { violations, isWide } = await page.evaluate(
    async ({ options, alike, part, scrollers }) => {
      const { axe } = globalThis as unknown as { axe: Axe }
      // A script that follows the size draws in the next frame.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
      const isWide =
        document.documentElement.scrollWidth > innerWidth ||
        [...document.querySelectorAll(scrollers)].some((one) => one.scrollWidth > one.clientWidth + 1)
      const aside = [...document.querySelectorAll(alike)].map((first) => {
        const list = first.parentElement as Element
        const rest = new Range()
        rest.setStartBefore(first)
        rest.setEndAfter(list.lastChild as Node)
        return { list, rest: rest.extractContents() }
      })
      try {
        const { violations } = await axe.run(
          { include: [document.querySelector(part) ? part : 'html'] },
          options,
        )
        return { violations, isWide }
      } finally {
        for (const { list, rest } of aside) list.append(rest)
      }
    },
    { options, alike: ALIKE_FROM, part, scrollers: SCROLLERS },
  )
  const findings = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`),
  )
  return isWide ? [...findings, 'wider than the window'] : findings
}
