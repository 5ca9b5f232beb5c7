/** A real browser for tests: Chromium without a window. */

import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { STILL_MS_MAX } from '../../services/poll-until.ts'
import { installChromium } from './install-chromium.ts'

/** Most code of a page runs a few times: optimizing it takes a twelfth of the processor time of a file. */
const SCRIPT_FLAGS = '--js-flags=--no-opt --no-maglev'
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
    timeout: STILL_MS_MAX,
    // Tests also run as root, where Chromium's sandbox does not start; the pages are our own.
    args: ['--no-sandbox', '--font-render-hinting=none', SCRIPT_FLAGS, ...further],
  })
  t.teardown(() => browser.close())
  prepareContexts(browser)
  return browser
}

/**
 * Contexts wait as long as other tests do, and have no service worker unless a test asks for it: tests that hold requests
 * back see only those past the worker.
 */
function prepareContexts(browser: Browser): void {
  const open = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await open({ serviceWorkers: 'block', ...options })
    context.setDefaultTimeout(STILL_MS_MAX)
    return context
  }
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
