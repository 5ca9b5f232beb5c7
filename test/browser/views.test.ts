/** Every view in every look: nothing that axe finds, and pictures for `npm run shots`. */

import t from 'tap'
import { startChromium } from '../harness/browser/chromium.ts'
import { findFaults } from './find-faults.ts'
import { startScene } from './scene.ts'
import { openPage } from './team.ts'
import { VIEWS } from './views.ts'

const scene = await startScene(t)
const browser = await startChromium(t)
const page = await openPage(t, browser, scene.server.node.url)
/** Errors of the current view. */
let problems: string[] = []
page.on('pageerror', (error) => problems.push(error.message))
page.on('console', (message) => {
  // The browser reports statuses of 400 and more by itself.
  if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
    problems.push(message.text())
})

for (const [name, open] of Object.entries(VIEWS)) {
  await t.test(
    `[PAGES7] in every look the view ${name} fits its window, and axe finds nothing`,
    async (t) => {
      await open(page, scene)
      t.same(await findFaults(page, name), [])
      await page.setViewportSize({ width: 360, height: 740 })
      t.notOk(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), 'it fits 360 px')
      t.same(problems, [])
      // The next view begins like in a fresh browser.
      await page.evaluate(() => localStorage.clear())
      await page.context().clearCookies()
      await page.goto('about:blank')
      problems = []
    },
  )
}
