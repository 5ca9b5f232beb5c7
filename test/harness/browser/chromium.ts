/** A real browser for tests: Chromium without a window. */

import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { installChromium } from './install-chromium.ts'

const TOOLCHAIN = join(import.meta.dirname, '../../../.toolchain')

/** Starts a Chromium, perhaps with further arguments; it is closed with the test. */
export async function startChromium(
  t: { teardown(close: () => Promise<void>): void },
  further: readonly string[] = [],
): Promise<Browser> {
  const { executablePath, env } = await installChromium(TOOLCHAIN)
  const browser = await chromium.launch({
    executablePath,
    env: { ...inheritedEnv(), ...env },
    // Tests also run as root, where Chromium's sandbox does not start; the pages are our own.
    args: ['--no-sandbox', '--font-render-hinting=none', ...further],
  })
  t.teardown(() => browser.close())
  blockServiceWorkers(browser)
  return browser
}

/** Unless a test asks for them: tests that hold requests back see only those past the worker. */
function blockServiceWorkers(browser: Browser): void {
  const open = browser.newContext.bind(browser)
  browser.newContext = (options) => open({ serviceWorkers: 'block', ...options })
}

/** Our environment without settings for Node, which Chromium does not need. */
function inheritedEnv(): Record<string, string> {
  const entries = Object.entries(process.env)
  return Object.fromEntries(
    entries.filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('NODE'),
    ),
  )
}
