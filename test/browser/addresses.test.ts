/** Addresses of views: each view has one, which back and forward lead to, and which says so if it leads nowhere. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { createSetupLink } from '../../server/changes/organization/set-up.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { openPage, PASSWORD, startTeam } from './team.ts'

const { server, browser, openAs } = await startTeam(t)
const [owner, member] = [server.as('owner'), server.as('member')]
await owner.must('POST', '/users/me/subscriptions', {
  subscriptions: [{ name: 'plans', description: 'What we *might* do' }],
  principals: [owner.userId, member.userId],
  send_new_subscription_messages: false,
})
const { stream_id: channelId } = await owner.must('GET', '/get_stream_id?stream=plans')
await owner.send('plans', 'lunch', 'Noodles?')
await owner.sendDirect([member.userId], 'See you there')
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

const titled = (page: Page, start: string) =>
  page.waitForFunction((text) => document.title.replace(/^\(\d+\) /, '').startsWith(`${text} · `), start)

t.test('[ROUTE1] each view names itself in the title, and back and forward lead through them', async (t) => {
  const page = await openAs(t, 'member')
  const steps = [
    ['#feed', 'All messages', 'All messages'],
    [`#narrow/channel/${channelId}-plans/topic/lunch`, 'lunch · plans', 'plans › lunch'],
    [`#narrow/dm/${owner.userId}`, 'The owner', 'The owner'],
    ['#narrow/is/starred', 'Starred', 'Starred'],
    ['#narrow/search/noodles', 'noodles', 'noodles'],
    [`#user/${owner.userId}`, 'The owner', 'The owner'],
    ['#settings/appearance', 'Settings', 'Settings › Appearance'],
    ['#recent', 'Recent conversations', 'Recent conversations'],
  ] as const
  const isShown = async (title: string, heading: string) => {
    await titled(page, title)
    const words = new RegExp(`^\\s*${heading.replaceAll(' ', '\\s*')}\\s*$`)
    await page.getByRole('main').getByRole('heading', { level: 1 }).filter({ hasText: words }).waitFor()
  }
  for (const [address, title, heading] of steps) {
    await page.evaluate((hash) => (location.hash = hash), address)
    await isShown(title, heading)
  }
  for (const [address, title, heading] of steps.toReversed().slice(1)) {
    await page.goBack()
    await isShown(title, heading)
    t.equal(await page.evaluate(() => location.hash), address)
  }
  await page.goForward()
  await isShown('lunch · plans', 'plans › lunch')
  t.equal(await page.locator('.head .about').innerText(), 'What we might do', 'the description is rendered')
})

t.test('[ROUTE2] the page opens with all messages if the person chose that', async (t) => {
  await member.must('PATCH', '/settings', { web_home_view: 'all_messages' })
  const page = await openAs(t, 'member')
  await page.getByRole('heading', { name: 'All messages' }).waitFor()
  await page.getByRole('log').getByText('Noodles?').waitFor()
  await page.getByRole('log').getByText('See you there').waitFor()
  await member.must('PATCH', '/settings', { web_home_view: 'inbox' })
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await page.getByRole('log').getByText('Noodles?').waitFor()
})

t.test('[ROUTE3] on a phone the places are a view, which back and forward lead to', async (t) => {
  const page = await openAs(t, 'member', PHONE)
  const places = page.getByRole('navigation', { name: 'Places' })
  await page.getByRole('link', { name: 'Channels', exact: true }).click()
  await places.getByRole('link', { name: /^plans/ }).click()
  await page.getByRole('log').waitFor()
  t.notOk(await places.isVisible())
  await page.goBack()
  await places.waitFor()
  t.notOk(await page.locator('main').isVisible(), 'one column at a time')
  await page.getByRole('main').getByRole('heading', { level: 1, name: 'Places' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  await page.goForward()
  await places.waitFor()
  await page.goForward()
  await page.getByRole('button', { name: 'Places' }).click()
  await places.getByRole('combobox', { name: 'Search' }).fill('noodles')
  await page.keyboard.press('Enter')
  await page.getByRole('log').getByText('Noodles?').waitFor()
})

t.test('[ROUTE4] the address of a conversation or page that does not exist says so', async (t) => {
  const page = await openAs(t, 'member')
  for (const address of [
    'narrow/channel/999-gone',
    'narrow/dm/999',
    `narrow/channel/${channelId}/with/99999`,
  ]) {
    await page.evaluate((hash) => (location.hash = hash), address)
    await page
      .getByRole('alert')
      .getByText('This conversation doesn’t exist, or you don’t have access.')
      .waitFor()
    t.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, 'it would not help')
    await page.evaluate(() => (location.hash = 'inbox'))
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  }
  for (const name of ['nowhere', 'constructor']) {
    await page.evaluate((hash) => (location.hash = hash), `settings/${name}`)
    await page.getByText('These settings don’t exist.').waitFor()
    await page.evaluate(() => (location.hash = 'inbox'))
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  }
})

t.test(
  '[ROUTE7] an older link, which names its channel, opens the channel or topic to write in',
  async (t) => {
    const page = await openAs(t, 'member', { path: '/#narrow/stream/Plans' })
    await page.getByRole('heading', { level: 1, name: 'plans' }).waitFor()
    await page.getByLabel('Message', { exact: true }).waitFor()
    await page.waitForURL(`**/#narrow/channel/${channelId}-plans`)
    await page.evaluate(() => (location.hash = '#narrow/stream/plans/subject/lunch'))
    await page.getByRole('log').getByText('Noodles?').waitFor()
    await page.getByLabel('Topic', { exact: true }).waitFor({ state: 'detached' })
    await page.getByLabel('Message', { exact: true }).waitFor()
    await page.waitForURL(`**/#narrow/channel/${channelId}-plans/topic/lunch`)
    await page.goBack()
    await page.getByLabel('Topic', { exact: true }).waitFor({ state: 'attached' })
    t.match(page.url(), /-plans$/, 'and back leads to the former view')
  },
)

t.test('[ROUTE5] a guest learns at the address of a new channel that they cannot create one', async (t) => {
  const page = await openAs(t, 'guest', { path: '/#channels/new' })
  await page.getByText('You don’t have permission to create channels.').waitFor()
  t.equal(await page.getByLabel('Name').count(), 0)
})

t.test(
  '[ROUTE6] a server without an organization says so, and the page goes on after its set-up',
  async (t) => {
    const { node } = await startTestServer(t, { isEmpty: true })
    const waiting = await openPage(t, browser, node.url)
    await waiting.goto('/')
    await waiting.getByText('This server has no organization yet.').waitFor()
    const { url } = await createSetupLink(node.services.sql, node.url)
    const page = await openPage(t, browser, node.url)
    await page.goto(url)
    await page.getByLabel('Organization').fill('Northwind Labs')
    await page.getByLabel('Your name').fill('Noor Haddad')
    await page.getByLabel('Email address', { exact: true }).fill('noor@example.com')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button').click()
    await page.getByRole('link', { name: 'Open Parley' }).click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await waiting.getByRole('heading', { name: 'Northwind Labs' }).waitFor()
  },
)
