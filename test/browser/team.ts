/** A server with people who are logged in to the browser client, each in a browser context of their own. */

import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { connect } from '../../db/connection/connect.ts'
import { Passwords } from '../../server/changes/passwords.ts'
import { startChromium } from '../harness/browser/chromium.ts'
import type { TestContext } from '../harness/databases/create-database.ts'
import { emailOf, type Person, startTestServer, type TestServer } from '../harness/servers/start-server.ts'

/** The password of the people. */
export const PASSWORD = 'correct horse battery'

/** The address at which people find the server, and its database. */
export interface TeamServer {
  readonly url: string
  readonly databaseUrl: string
}

export interface OpenOptions extends BrowserContextOptions {
  /** The address of the page after the server's. */
  readonly path?: string
}

/** Opens the client as a person; the page is closed with the test. */
export type OpenAs = (t: TestContext, person: Person, options?: OpenOptions) => Promise<Page>

export interface Team {
  readonly server: TestServer
  readonly browser: Browser
  readonly openAs: OpenAs
}

/** Starts a server, with settings of its environment, and a browser; both are closed with the test. */
export async function startTeam(t: TestContext, env: Readonly<Record<string, string>> = {}): Promise<Team> {
  const server = await startTestServer(t, { env })
  const browser = await startChromium(t)
  const { databaseUrl, node } = server
  return { server, browser, openAs: await openTeam({ url: node.url, databaseUrl }, browser) }
}

/** Gives the people of any server a password; returns the function that opens their pages. */
export async function openTeam({ url, databaseUrl }: TeamServer, browser: Browser): Promise<OpenAs> {
  await storePasswords(databaseUrl)
  return async (t, person, { path = '/', ...options } = {}) => {
    const page = await openPage(t, browser, url, options)
    await logInTo(page.context(), person)
    await page.goto(path)
    await (path === '/'
      ? page.getByRole('main').getByRole('heading').first()
      : page.locator('.app')
    ).waitFor()
    return page
  }
}

/** An empty page of a browser in which nobody is logged in; it is closed with the test. */
export async function openPage(
  t: TestContext,
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  })
  t.teardown(() => context.close())
  return context.newPage()
}

/** Gives the people a password. */
export async function storePasswords(databaseUrl: string): Promise<void> {
  const sql = connect(databaseUrl, 1, 'parley-test')
  try {
    // As cheap as those of other tests.
    const hash = await new Passwords({ N: 2 ** 10 }).hash(PASSWORD)
    await sql`update users set password_hash = ${hash} where bot_type is null`
  } finally {
    await sql.end()
  }
}

/** Logs a person in, without a page. */
export async function logInTo(context: BrowserContext, person: Person, url = ''): Promise<void> {
  const answer = await context.request.post(`${url}/json/login`, {
    form: { username: emailOf(person), password: PASSWORD },
  })
  if (!answer.ok()) throw new Error(`the log-in answered ${answer.status()}: ${await answer.text()}`)
}
