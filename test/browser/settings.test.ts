/** The own settings in the browser client. */

import t from 'tap'
import { callTool, connectAgent } from '../harness/client/agent.ts'
import { confirmAddress } from '../harness/mail/change-address.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { FRESH_SESSION_SECONDS } from '../../server/domain/accounts/second-factors.ts'
import { Client } from '../harness/client/client.ts'
import { commitEvents } from '../harness/worlds/commit-events.ts'
import { drawImage } from '../harness/client/upload.ts'
import { startTeam } from './team.ts'

const { server, openAs } = await startTeam(t)
const [owner, member, member2] = [server.as('owner'), server.as('member'), server.as('member2')]

t.test('[SETTINGS1] looks are applied at once, on all devices, and before the next log-in', async (t) => {
  const [one, two] = await Promise.all([openAs(t, 'member'), openAs(t, 'member')])
  const themeOf = (page: typeof one) => page.evaluate(() => document.documentElement.dataset.theme)
  await one.goto('/#settings/appearance')
  // Each note stays for some seconds only, so one is waited for before the next change.
  const isSaved = (label: string) =>
    one
      .locator('.setting', { has: one.getByLabel(label) })
      .getByText('Saved', { exact: true })
      .waitFor()
  await one.getByLabel('Theme').selectOption({ label: 'Dark' })
  await isSaved('Theme')
  for (const page of [one, two]) await page.locator(':root[data-theme="dark"]').waitFor()
  await one.getByLabel('Home view').selectOption({ label: 'Recent conversations' })
  await isSaved('Home view')
  await one.getByLabel('Clock').selectOption({ label: '17:00' })
  await isSaved('Clock')
  await one.getByLabel('Show when I’m online').click()
  await isSaved('Show when I’m online')
  t.match((await member.must('POST', '/register')).user_settings ?? {}, {
    color_scheme: 2,
    web_home_view: 'recent',
    twenty_four_hour_time: true,
    presence_enabled: false,
  })
  await two.getByRole('button', { name: 'You' }).click()
  await two.getByRole('menuitem', { name: 'Log out' }).click()
  await two.getByLabel('Email address').waitFor()
  t.equal(await themeOf(two), 'dark', 'the device keeps it')
})

t.test('[SETTINGS2] a person changes their name, picture and profile, which others see', async (t) => {
  await owner.must('POST', '/realm/profile_fields', { name: 'Desk', field_type: 1 })
  const [one, two] = await Promise.all([openAs(t, 'member'), openAs(t, 'member2')])
  await two.goto(`/#user/${member.userId}`)
  await one.goto('/#settings/profile')
  await one.getByLabel('Name', { exact: false }).fill('Noor Haddad')
  await one.keyboard.press('Enter')
  await two.getByRole('heading', { name: 'Noor Haddad', level: 2 }).waitFor()
  await one.getByLabel('Desk').fill('By the door')
  await one.keyboard.press('Enter')
  await two.getByText('By the door').waitFor()
  await one.getByLabel('Picture').setInputFiles({
    name: 'me.png',
    mimeType: 'image/png',
    buffer: await drawImage('#aa3377'),
  })
  await one.getByAltText('Selected picture').waitFor()
  await one.getByRole('button', { name: 'Use this picture' }).click()
  await one.getByRole('button', { name: 'Remove' }).waitFor()
  await two.locator('.profile .face img').waitFor()
  await one.getByLabel('Picture').setInputFiles({
    name: 'no.png',
    mimeType: 'image/png',
    buffer: Buffer.from('no picture'),
  })
  await one.getByRole('button', { name: 'Use this picture' }).click()
  await one.locator('.refused').waitFor()
})

t.test('[SETTINGS3] a person ends their other sessions, and changes the password', async (t) => {
  const [one, two] = await Promise.all([openAs(t, 'member2'), openAs(t, 'member2')])
  await one.goto('/#settings/sessions')
  await one.getByRole('button', { name: 'Log out all other devices' }).click()
  await two.getByLabel('Email address').waitFor()
  await one.getByRole('button', { name: 'Log out all other devices' }).waitFor({ state: 'detached' })
  await one.goto('/#settings/account')
  await one.getByLabel('Current password').fill('not this one')
  await one.getByLabel('New password').fill('another horse battery')
  await one.getByRole('button', { name: 'Change password' }).click()
  await one.locator('.refused').waitFor()
  await one.getByLabel('Current password').fill('correct horse battery')
  await one.getByRole('button', { name: 'Change password' }).click()
  await one.getByText('Saved', { exact: true }).waitFor()
  t.equal((await member2.get('/users/me')).status, 401, 'the API key has ended')
  const { body } = await server.anyone.post('/fetch_api_key', {
    username: member2.email,
    password: 'another horse battery',
  })
  const phone = new Client(server.node.url, member2.userId, member2.email, body.api_key)
  await one.getByLabel('Current password').fill('another horse battery')
  await one.getByLabel('New password').fill('a third horse battery')
  await one.getByLabel('Also log out phones and programs').uncheck()
  const saved = one.waitForResponse((response) => response.request().method() === 'PATCH')
  await one.getByRole('button', { name: 'Change password' }).click()
  t.equal((await saved).status(), 200)
  t.equal((await phone.get('/users/me')).status, 200, 'unless the person keeps it')
})

t.test('[SETTINGS7] a browser that was left open asks for the password before it gets a key', async (t) => {
  const page = await openAs(t, 'moderator')
  const moderator = server.as('moderator')
  const userId = moderator.userId as UserId
  const age = async () => {
    const sessions = server.node.services.state.loginSessions.get(userId) ?? []
    const old = sessions.map((one) => ({ ...one, createdAt: one.createdAt - FRESH_SESSION_SECONDS }))
    await commitEvents(server, [{ type: 'login_sessions_changed', userId, sessions: old }])
  }
  await age()
  await page.goto('/#settings/account')
  const ask = async () => {
    await page.getByRole('button', { name: 'Create new key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create new key' }).click()
  }
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await ask()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.locator('.refused').waitFor()
  t.equal((await moderator.get('/users/me')).status, 200, 'nothing has changed')
  await ask()
  await dialog.getByLabel('Your password').fill('not this one')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.locator('.refused').waitFor()
  await dialog.getByLabel('Your password').fill('correct horse battery')
  await page.keyboard.press('Enter')
  const key = await page.locator('.key-shown code').innerText()
  t.equal(await dialog.count(), 0)
  t.equal((await moderator.get('/users/me')).status, 401)
  const { url } = server.node
  t.equal((await new Client(url, userId, moderator.email, key).get('/users/me')).status, 200)
  await page.goto('/#settings/bots')
  await page.getByLabel('Bot name').fill('Second mate')
  await page.getByLabel('Short name').fill('mate')
  await page.getByRole('button', { name: 'Create bot' }).click()
  await dialog.getByLabel('Your password').fill('correct horse battery')
  await page.keyboard.press('Enter')
  const bot = page.getByRole('region', { name: 'Second mate' })
  await bot.getByRole('button', { name: 'Create new API key' }).click()
  await dialog.getByLabel('Your password').fill('correct horse battery')
  await page.keyboard.press('Enter')
  await bot.locator('.key-shown code').waitFor()
})

t.test('[SETTINGS6] a person asks for another address with their password', async (t) => {
  const page = await openAs(t, 'guest')
  await page.goto('/#settings/account')
  const change = page.getByRole('button', { name: 'Change address' })
  t.ok(await change.isDisabled())
  await page.getByLabel('Address', { exact: true }).fill('elsewhere@example.com')
  await page.getByLabel('Your password').fill('not this one')
  await change.click()
  await page.locator('.refused').waitFor()
  t.equal(await page.getByLabel('Address', { exact: true }).inputValue(), 'elsewhere@example.com')
  await page.getByLabel('Your password').fill('correct horse battery')
  await change.click()
  await page.getByText('we sent a confirmation link to elsewhere@example.com').waitFor()
  t.equal((await confirmAddress(server, server.as('guest').userId, 'elsewhere@example.com')).status, 200)
  await page.waitForFunction(() => {
    return document.querySelector<HTMLInputElement>('#own-address')?.value === 'elsewhere@example.com'
  })
})

/** The page of the owner, for one test after another. */
const page = await openAs(t, 'owner')

t.test('[SETTINGS4] alert words, snippets, muted people and bots are listed and changed', async (t) => {
  await page.goto('/#settings/alert-words')
  await page.getByLabel('New word').fill('harbour')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('button', { name: 'Remove harbour' }).waitFor()
  t.same((await owner.must('GET', '/users/me/alert_words')).alert_words, ['harbour'])
  await page.goto('/#settings/snippets')
  await page.getByLabel('New snippet title').fill('Thanks')
  await page.getByLabel('New snippet text').fill('Thank you very much')
  await page.getByRole('button', { name: 'Save snippet' }).click()
  await page.getByRole('button', { name: 'Delete Thanks' }).click()
  await page.getByRole('button', { name: 'Delete Thanks' }).waitFor({ state: 'detached' })
  await page.goto('/#settings/muted')
  await page.getByText('No muted people.').waitFor()
  await owner.must('POST', `/users/me/muted_users/${member2.userId}`)
  await page.getByRole('button', { name: /^Unmute/ }).click()
  await page.getByText('No muted people.').waitFor()
  await page.goto('/#settings/bots')
  await page.getByLabel('Bot name').fill('Harbour master')
  await page.getByLabel('Short name').fill('harbour')
  await page.getByRole('button', { name: 'Create bot' }).click()
  const key = await page.locator('.key-shown code').innerText()
  const bot = page.getByRole('region', { name: 'Harbour master' })
  const address = await bot.getByText('@').innerText()
  const answer = await fetch(`${server.node.url}/api/v1/users/me`, {
    headers: { authorization: `Basic ${btoa(`${address}:${key}`)}` },
  })
  t.match(await answer.json(), { full_name: 'Harbour master', is_bot: true })
  await bot.getByRole('button', { name: 'Deactivate' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
  await bot.waitFor({ state: 'detached' })
})

t.test('[SETTINGS5] own uploads are listed with their size and day, and deleted', async () => {
  await owner.upload('/user_uploads', [Buffer.from('x'.repeat(3_000))])
  const { create_time: seconds } = (await owner.must('GET', '/attachments')).attachments[0]
  await page.clock.setFixedTime((seconds + 40 * 86_400) * 1_000)
  await page.goto('/#settings/uploads')
  await page.reload()
  await page.getByText('Your files use 3 KB.').waitFor()
  const day = await page.evaluate(
    (ms) => new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' }).format(ms),
    seconds * 1_000,
  )
  await page.getByRole('main').getByText(`3 KB · ${day}`).waitFor()
  await page.getByRole('button', { name: /^Delete/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No uploads yet').waitFor()
})

t.test('[SETTINGS8] a person makes a key for a program, and revokes it', async (t) => {
  const page = await openAs(t, 'owner')
  await owner.subscribe(['reports'], { principals: [1] })
  await page.goto('/#settings/account')
  const keys = page.getByRole('region', { name: 'Keys for programs' })
  await keys.getByLabel('Program name').fill('Nightly report')
  await keys.getByLabel('Access').selectOption({ label: 'Read and post in one channel' })
  await keys.getByLabel('Channel').selectOption({ label: 'reports' })
  await keys.getByLabel('Expires').selectOption({ label: 'In 30 days' })
  await keys.getByRole('button', { name: 'Create key' }).click()
  await keys.locator('.card', { hasText: 'Nightly report' }).getByText('#reports').waitFor()
  await keys.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Key copied').waitFor()
  const key = await page.evaluate(() => navigator.clipboard.readText())
  const program = new Client(server.node.url, owner.userId, owner.email, key)
  const send = (channel: string) =>
    program.post('/messages', { type: 'channel', to: channel, topic: 'night', content: 'All is well' })
  t.equal((await send('reports')).status, 200)
  t.equal((await send('general')).status, 403)
  await keys.getByRole('button', { name: 'Revoke “Nightly report”' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await keys.locator('.card').waitFor({ state: 'detached' })
  t.equal((await program.get('/users/me')).status, 401)
})

t.test(
  '[SETTINGS19] an agent with a key writes a message that is marked, here and in the audit log',
  async (t) => {
    const page = await openAs(t, 'owner')
    await owner.subscribe(['desk'], { principals: [1] })
    await page.goto('/#settings/account')
    const keys = page.getByRole('region', { name: 'Keys for programs' })
    await keys.getByLabel('Program name').fill('Assistant')
    await keys.getByLabel('Access').selectOption({ label: 'Read, send messages and react' })
    await keys.getByRole('button', { name: 'Create key' }).click()
    await keys.getByText(`at ${server.node.url}/mcp`).waitFor()
    const key = await keys.locator('code').innerText()
    const agent = await connectAgent(t, server.node.url, key, 'modern')
    const sent = await callTool(agent, 'send_message', {
      channel: 'desk',
      topic: 'notes',
      content: 'All is done',
    })
    t.equal(sent.isError, false)
    await page.goto('/#narrow/channel/desk/topic/notes')
    const message = page.getByRole('article').filter({ hasText: 'All is done' })
    await message.getByText('by an agent').waitFor()
    await page.goto('/#organization/audit')
    await page.getByText('sent a message in #desk through the agent “test-agent”').waitFor()
  },
)

t.test('[SETTINGS9] the address of a webhook is made, tried, and ended by its key', async (t) => {
  const page = await openAs(t, 'owner')
  await owner.subscribe(['alerts'], { principals: [1], invite_only: true })
  await page.goto('/#settings/integrations')
  await page.getByLabel('System').selectOption({ label: 'GitLab' })
  await page.getByLabel('Channel', { exact: true }).selectOption({ label: 'alerts' })
  await page.getByText('Events: 9 of 9').click()
  await page.getByLabel('wiki_page').uncheck()
  await page.getByText('Events: 8 of 9').waitFor()
  await page.getByRole('button', { name: 'Create address' }).click()
  await page.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Address copied').waitFor()
  const address = await page.evaluate(() => navigator.clipboard.readText())
  t.match(address, /\/api\/v1\/external\/gitlab\?api_key=\w{32}&stream=\d+&only_events=/)
  await page.getByRole('button', { name: 'Send a test message' }).click()
  await page.getByText('Sent. It should be there now.').waitFor()
  const narrow = [['channel', 'alerts']]
  const { messages } = await owner.must('GET', '/messages', { anchor: 'newest', num_before: 1, narrow })
  t.match(messages, [{ subject: 'GitLab', sender_full_name: 'GitLab' }])
  const hook = { object_kind: 'wiki_page' }
  const ask = () =>
    fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gitlab-event': 'Wiki Page Hook' },
      body: JSON.stringify(hook),
    })
  t.not((await ask()).status, 401, 'its key is valid')
  await page.goto('/#settings/bots')
  const card = page.getByRole('region', { name: 'GitLab', exact: true })
  await card.getByRole('button', { name: 'Keys for programs' }).click()
  await card.getByRole('button', { name: 'Revoke “GitLab”' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await card.locator('.card').waitFor({ state: 'detached' })
  t.equal((await ask()).status, 401)
})
