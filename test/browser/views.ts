/** The views that people see, by name: each is checked for accessibility, and `npm run shots` takes its pictures. */

import type { Page } from 'playwright-core'
import { logIn, PASSWORD, type Scene } from './scene.ts'

/** Brings a fresh browser, in which nobody is logged in, to a view. */
export type OpenView = (page: Page, scene: Scene) => Promise<unknown>

export const VIEWS: Readonly<Record<string, OpenView>> = {
  'log-in': (page) => page.goto('/accounts/login'),
  'log-in-wrong': (page) => logIn(page, 'member', 'not this one'),
  'log-in-code': (page) => logIn(page, 'moderator'),
  security: (page) => logIn(page, 'member'),
  'security-app': async (page) => {
    await logIn(page, 'member')
    await page.goto('/accounts/security')
    await page.getByRole('button', { name: 'Set up' }).click()
  },
  'log-in-code-wrong': async (page) => {
    await logIn(page, 'moderator')
    await page.getByLabel('Code').fill('000000')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('alert').waitFor()
  },
  join: async (page, scene) => page.goto(await scene.invite()),
  'join-wrong': async (page, scene) => {
    await page.goto(await scene.invite())
    await askToJoin(page, 'user1@127.0.0.1')
  },
  'join-asked': async (page, scene) => {
    await page.goto(await scene.invite())
    await askToJoin(page, 'somebody@example.com')
  },
  'join-confirmed': async (page, scene) => page.goto(await scene.confirm('newcomer@example.com')),
  'join-taken': async (page, scene) => {
    await page.goto(await scene.confirm('GUEST@example.com'))
    await fillJoin(page)
  },
  joined: async (page, scene) => {
    await page.goto(await scene.confirm('newcomer@example.com'))
    await fillJoin(page)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  },
  'join-confirmed-over': (page) => page.goto(`/accounts/join/${'a'.repeat(32)}/`),
  'join-over': (page) => page.goto(`/join/${'a'.repeat(32)}/`),
  'new-address': async (page, scene) => page.goto(await scene.changeAddress('member2', 'other@example.com')),
  'new-address-over': (page) => page.goto(`/accounts/address/${'a'.repeat(32)}/`),
  'ask-reset': (page) => page.goto('/accounts/password/reset/'),
  'reset-asked': async (page) => {
    await page.goto('/accounts/password/reset/')
    await page.getByLabel('Email address').fill('somebody@example.com')
    await page.getByRole('button', { name: 'Send link' }).click()
  },
  reset: async (page, scene) => page.goto(await scene.askForReset('member2')),
  'reset-weak': async (page, scene) => {
    await page.goto(await scene.askForReset('member2'))
    // The browser counts other characters than the server.
    await page.getByLabel('New password').fill('👍👍👍👍')
    await page.getByRole('button').click()
  },
  // The account has an app, so the browser is not logged in.
  'reset-done': async (page, scene) => {
    await page.goto(await scene.askForReset('moderator'))
    await page.getByLabel('New password').fill('another horse battery')
    await page.getByRole('button').click()
  },
  'reset-over': (page) => page.goto(`/accounts/password/reset/${'a'.repeat(32)}/`),
  'stop-mails': async (page, scene) => page.goto(await scene.stopMails('member2')),
  'stop-mails-done': async (page, scene) => {
    await page.goto(await scene.stopMails('member2'))
    await page.getByRole('button').click()
    await page.getByRole('status').waitFor()
  },
  'stop-mails-unknown': (page) => page.goto(`/accounts/unsubscribe/1/${'a'.repeat(32)}/`),
  'call-log-in': async (page, scene) => page.goto(await scene.agreeToCalls('member')),
  'call-connected': async (page, scene) => {
    await page.goto(await scene.agreeToCalls('member'))
    await page.getByRole('button').click()
  },
  'allow-agent': async (page, scene) => {
    await logIn(page, 'member')
    await page.getByRole('heading', { name: 'Account security' }).waitFor()
    await page.goto(await scene.askForAgent())
  },
  'call-over': (page) => page.goto('/calls/provider/complete?state=used&code=used'),
  'not-found': (page) => page.goto('/nothing/here'),
  'file-not-found': (page) => page.goto('/user_uploads/1/none/plan.txt'),
  'no-organization': async (page, scene) =>
    page.goto(new URL('/accounts/login', await scene.prepareSetUp()).href),
  'set-up': async (page, scene) => page.goto(await scene.prepareSetUp()),
  'set-up-wrong': async (page, scene) => fillSetUp(page, await scene.prepareSetUp(), 'Noor "N" Haddad'),
  'set-up-done': async (page, scene) => fillSetUp(page, await scene.prepareSetUp(), 'Noor Haddad'),
  'set-up-over': (page) => page.goto(`/setup/${'a'.repeat(32)}/`),
  failure: async (page) => {
    await logIn(page, 'owner')
    // Another tab of the browser begins another session meanwhile.
    await page.context().clearCookies()
    const other = await page.context().newPage()
    await logIn(other, 'owner')
    await other.close()
    await page.getByRole('button', { name: 'Log out' }).click()
  },
}

async function askToJoin(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button').click()
}

async function fillJoin(page: Page, name = 'Noor Haddad'): Promise<void> {
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button').click()
}

async function fillSetUp(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel('Organization').fill('Northwind Labs')
  await page.getByLabel('Email address', { exact: true }).fill('noor@example.com')
  await fillJoin(page, name)
  await page.getByRole('alert').or(page.getByRole('status')).waitFor()
}
