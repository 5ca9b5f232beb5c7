/** A real browser in which a person is logged in to the client. */

import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { join } from 'node:path'
import { connect } from '../../db/connection/connect.ts'
import { storePasswordHash } from '../../db/accounts/users.ts'
import { Passwords } from '../../server/changes/passwords.ts'
import { installChromium } from '../../test/harness/browser/install-chromium.ts'
import type { Person } from './create-people.ts'

const TOOLCHAIN = join(import.meta.dirname, '../../.toolchain')
const PASSWORD = 'correct horse battery'
const WINDOW = { width: 1280, height: 800 }

export interface OpenBrowser {
  /** A page with an empty cache, in which the person is logged in; with it, its debugger. */
  open(): Promise<{ readonly context: BrowserContext; readonly page: Page; readonly debug: CDPSession }>
  close(): Promise<void>
}

/** Gives a person a password, and starts a browser. */
export async function openBrowser(
  databaseUrl: string,
  port: number,
  { id, authorization }: Person,
): Promise<OpenBrowser> {
  const [username = ''] = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':')
  const sql = connect(databaseUrl, 1, 'parley-bench')
  try {
    await storePasswordHash(sql, id, await new Passwords().hash(PASSWORD))
  } finally {
    await sql.end()
  }
  const browser = await launch()
  const origin = `http://127.0.0.1:${port}`
  return {
    async open() {
      // A browser that is closed while a service worker is installed may never end.
      const context = await browser.newContext({ baseURL: origin, viewport: WINDOW, serviceWorkers: 'block' })
      const form = { username, password: PASSWORD }
      const answer = await context.request.post('/json/login', { form })
      if (!answer.ok()) throw new Error(`the log-in answered ${answer.status()}: ${await answer.text()}`)
      const page = await context.newPage()
      page.on('pageerror', (error) => {
        throw error
      })
      return { context, page, debug: await context.newCDPSession(page) }
    },
    close: () => browser.close(),
  }
}

async function launch(): Promise<Browser> {
  const { executablePath, env } = await installChromium(TOOLCHAIN)
  const own = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('NODE'),
  )
  return chromium.launch({
    executablePath,
    env: { ...Object.fromEntries(own), ...env },
    args: ['--no-sandbox', '--enable-precise-memory-info'],
  })
}
