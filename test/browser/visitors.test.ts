/** People who read public channels in the browser without an account, and log in from there. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { emailOf } from '../harness/servers/start-server.ts'
import { drawImage } from '../harness/client/upload.ts'
import { mustPostFile } from '../harness/client/user-files.ts'
import { findFaults } from './find-faults.ts'
import { textsOf } from './conversation.ts'
import { logInTo, openPage, PASSWORD, startTeam } from './team.ts'

const { server, browser, openAs } = await startTeam(t)
const { url } = server.node
const [owner, member] = [server.as('owner'), server.as('member')]
await owner.must('PATCH', '/realm', { enable_spectator_access: true })
await owner.must('POST', '/channels/create', {
  name: 'commons',
  description: 'Questions and answers for **everyone**',
  subscribers: [1, 4],
  is_web_public: true,
})
await owner.subscribe(['secret'], { invite_only: true, principals: [1, 4] })
const picture = await mustPostFile(owner, await drawImage('#3a7', { width: 320, height: 200 }), 'map.png')
const first = await owner.send('commons', 'opening hours', `We open at nine. [map](${picture})`)
await member.send('commons', 'opening hours', 'And on Sundays, @**The owner**? :tada:')
await member.must('POST', `/messages/${first}/reactions`, { emoji_name: 'tada' })
await member.send('commons', 'parking', 'There is a nightingale in the yard')
await owner.send('secret', 'plans', 'A hidden nightingale')

/** A page of somebody without an account. */
async function openVisitor(t: Parameters<typeof openPage>[0], path: string): Promise<Page> {
  const page = await openPage(t, browser, url)
  await page.goto(path)
  return page
}
const places = (page: Page) => page.getByRole('navigation', { name: 'Places' })

t.test('[VISIT30] the log-in page offers the public channels, where visitors read and search', async (t) => {
  const page = await openVisitor(t, '/')
  await page.getByLabel('Email address').waitFor()
  await page.getByRole('button', { name: 'Browse public channels' }).click()
  await page.getByRole('heading', { name: 'Public channels' }).waitFor()
  await places(page).getByRole('link', { name: 'commons' }).click()
  const log = page.getByRole('log')
  await log.getByText('We open at nine.').waitFor()
  t.equal(await places(page).getByText('secret').count(), 0)
  const loaded = () => document.querySelector<HTMLImageElement>('[role=log] .picture img')?.naturalWidth
  await page.waitForFunction(loaded)
  await log.getByRole('button', { name: 'The member reacted with tada' }).waitFor()
  await places(page).getByRole('link', { name: 'parking' }).click()
  await log.getByText('We open at nine.').waitFor({ state: 'detached' })
  await log.getByText('There is a nightingale').waitFor()
  const search = page.getByRole('combobox', { name: 'Search' })
  await search.fill('nightingale')
  await search.press('Enter')
  await page.locator('.rendered .highlight').waitFor()
  t.same(await textsOf(page), ['There is a nightingale in the yard'])
  await page.goBack()
  await page.getByRole('heading', { name: 'parking' }).waitFor()
})

t.test(
  '[VISIT31] a link to a public conversation opens it, with nothing that needs an account',
  async (t) => {
    const page = await openVisitor(t, `/#narrow/channel/1-commons/topic/opening.20hours/near/${first}`)
    const row = page.locator(`[data-id="${first}"]`)
    await row.hover()
    await page.getByRole('button', { name: 'Log in to reply' }).waitFor()
    for (const name of ['Message', 'Topic']) t.equal(await page.getByLabel(name, { exact: true }).count(), 0)
    t.equal(await page.getByRole('toolbar').count(), 0)
    t.equal(await page.getByRole('link', { name: 'The owner' }).count(), 0, 'names lead to no profile')
    t.equal(await page.locator('.count').count(), 0, 'nothing is unread')
    await page.goto('/#narrow/channel/2/topic/plans')
    await page.getByRole('heading', { name: 'Not public' }).waitFor()
    t.equal(await page.getByText('hidden').count(), 0)
  },
)

t.test('[VISIT32] the log-in to reply comes back to the same place', async (t) => {
  const page = await openVisitor(t, '/#narrow/channel/1-commons/topic/parking')
  await page.getByRole('button', { name: 'Log in to reply' }).click()
  await page.getByLabel('Email address').fill(emailOf('member2'))
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'You', exact: true }).waitFor()
  await page.getByRole('heading', { name: 'parking' }).waitFor()
  await page.getByRole('log').getByText('There is a nightingale').waitFor()
  t.match(page.url(), /#narrow\/channel\/1-commons\/topic\/parking$/)
})

t.test('[VISIT33] a log-in by another page comes back to the same place, too', async (t) => {
  const page = await openVisitor(t, '/#narrow/channel/1-commons/topic/parking')
  await page.getByRole('button', { name: 'Log in to reply' }).click()
  await page.getByLabel('Email address').waitFor()
  // As by the page of a provider, which leads to the address without a place.
  await page.goto('about:blank')
  await logInTo(page.context(), 'member', url)
  await page.goto('/')
  await page.getByRole('heading', { name: 'parking' }).waitFor()
})

t.test('[VISIT34] new messages come by themselves, and a channel that is closed is gone', async (t) => {
  const page = await openVisitor(t, '/#narrow/channel/1-commons/topic/parking')
  await page.clock.install()
  await page.reload()
  const log = page.getByRole('log')
  await log.getByText('There is a nightingale').waitFor()
  await member.send('commons', 'parking', 'It has gone')
  await page.clock.runFor(61_000)
  await log.getByText('It has gone').waitFor()
  await owner.must('PATCH', '/streams/1', { is_web_public: false })
  await page.clock.runFor(61_000)
  await page.getByRole('heading', { name: 'Not public' }).waitFor()
  t.equal(await page.getByText('It has gone').count(), 0)
  await owner.must('PATCH', '/streams/1', { is_web_public: true })
  await owner.must('PATCH', '/realm', { enable_spectator_access: false })
  await page.clock.runFor(61_000)
  await page.getByLabel('Email address').waitFor()
  t.equal(await page.getByRole('button', { name: 'Browse public channels' }).count(), 0)
  await owner.must('PATCH', '/realm', { enable_spectator_access: true })
})

t.test('[VISIT35] the views of visitors have no fault, in each look', async (t) => {
  const page = await openVisitor(t, '/')
  await page.getByRole('button', { name: 'Browse public channels' }).waitFor()
  t.same(await findFaults(page, 'visitor-log-in'), [], 'the log-in')
  await page.getByRole('button', { name: 'Browse public channels' }).click()
  await page.getByRole('heading', { name: 'Public channels' }).waitFor()
  t.same(await findFaults(page, 'visitor-channels'), [], 'the public channels')
  await page.goto('/#places')
  t.same(await findFaults(page, 'visitor-places'), [], 'the places, which a phone shows alone')
  await page.goto('/#narrow/channel/1-commons/topic/opening.20hours')
  await page.getByRole('log').getByText('We open at nine.').waitFor()
  t.same(await findFaults(page, 'visitor-conversation'), [], 'a conversation')
  await page.goto('/#narrow/channel/2/topic/plans')
  await page.getByRole('heading', { name: 'Not public' }).waitFor()
  t.same(await findFaults(page, 'visitor-not-public'), [], 'a conversation that is not public')
})

t.test('[VISIT36] a channel is opened to the web after a warning, which can be taken back', async (t) => {
  await owner.subscribe(['garden'], { principals: [1, 4] })
  const { stream_id: channelId } = await owner.must('GET', '/get_stream_id', { stream: 'garden' })
  const page = await openAs(t, 'owner', { path: `/#channels/${channelId}/settings` })
  const choice = page.getByLabel(/^Who can read/)
  const isOpen = async () =>
    (await owner.must('GET', `/streams/${channelId}`)).stream.is_web_public as boolean
  await choice.selectOption('web-public')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Anyone on the web will be able to read').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  t.equal(await choice.inputValue(), 'public')
  t.equal(await isOpen(), false)
  await choice.selectOption('web-public')
  await dialog.getByRole('button', { name: 'Open to the web' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.equal(await isOpen(), true)
})
