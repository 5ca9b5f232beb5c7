/** The head of a conversation and the panel beside it. */

import t from 'tap'
import { mustUpload } from '../harness/client/upload.ts'
import { waitForFrames } from './conversation.ts'
import { startTeam } from './team.ts'

const { server, openAs } = await startTeam(t)
const [owner, member] = [server.as('owner'), server.as('member')]
const { id: channelId } = await owner.must('POST', '/channels/create', {
  name: 'quay',
  description: 'Where **boats** land',
  subscribers: [owner.userId, member.userId],
})
await member.must('POST', '/messages', { type: 'channel', to: 'quay', topic: 'cranes', content: 'Up?' })

t.test('[PANEL1] the panel of a topic shows its files as they are shared, and how it notifies', async (t) => {
  const page = await openAs(t, 'owner')
  await page.goto(`/#narrow/channel/${channelId}-quay/topic/cranes`)
  await page.getByRole('button', { name: 'Details' }).click()
  const panel = page.getByRole('complementary', { name: 'Details' })
  await panel.getByText('No files yet.').waitFor()
  const { url } = await mustUpload(member, '/user_uploads', Buffer.from('A crane'))
  await member.must('POST', '/messages', {
    type: 'channel',
    to: 'quay',
    topic: 'cranes',
    content: `See [plan of the crane.txt](${url})`,
  })
  await panel.getByRole('link', { name: /plan of the crane\.txt.*The member, Today$/ }).waitFor()
  await panel.getByLabel('Notifications').selectOption({ label: 'Followed' })
  await panel.getByText('Saved').waitFor()
  await page.getByRole('button', { name: 'Topic menu: followed' }).waitFor()
  await page.reload()
  await panel.getByRole('link', { name: 'plan of the crane.txt' }).waitFor()
  await panel.getByRole('button', { name: 'Close' }).click()
  await panel.waitFor({ state: 'detached' })
})

t.test('[PANEL2] the panel of a channel has its description and its members', async (t) => {
  const page = await openAs(t, 'owner')
  await page.goto(`/#narrow/channel/${channelId}-quay`)
  await page.getByRole('button', { name: 'Details' }).click()
  const panel = page.getByRole('complementary', { name: 'Details' })
  t.equal(await panel.locator('strong').innerText(), 'boats')
  await panel.getByRole('heading', { name: 'People 2' }).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  const alone = page.getByRole('main', { name: 'Details' })
  await alone.waitFor()
  t.equal(await page.getByRole('main').count(), 1, 'a phone shows one of both')
  await alone.getByRole('link', { name: 'Channel settings' }).click()
  await page.getByRole('heading', { name: 'For you' }).waitFor()
})

t.test('[PANEL6] a panel follows the size of the window from its first drawing on', async (t) => {
  const page = await openAs(t, 'owner', { path: `/#narrow/channel/${channelId}-quay/topic/cranes` })
  const details = page.getByRole('button', { name: 'Details' })
  const panel = page.getByRole('complementary', { name: 'Details' })
  // Its code is there afterwards.
  await details.click()
  await panel.getByRole('button', { name: 'Close' }).click()
  await panel.waitFor({ state: 'detached' })
  // Nothing that waits for a painting comes any more, as on a page that is busy.
  await page.evaluate(() => {
    const later = globalThis.setTimeout
    const setTimeout = (act: () => void, ms = 0) => (ms <= 100 ? 0 : later(act, ms))
    Object.assign(globalThis, { requestAnimationFrame: () => 0, setTimeout })
  })
  await details.click()
  await panel.waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('main', { name: 'Details' }).waitFor()
})

t.test('[PANEL3] a topic is resolved from its head, for everybody', async (t) => {
  const [one, two] = await Promise.all([openAs(t, 'owner'), openAs(t, 'member')])
  for (const page of [one, two]) await page.goto(`/#narrow/channel/${channelId}-quay/topic/cranes`)
  await one.getByRole('button', { name: 'Resolve' }).click()
  await one.getByRole('button', { name: 'Reopen' }).waitFor()
  t.match(one.url(), /topic\/\.E2\.9C\.94/)
  const { topics } = await owner.must('GET', `/users/me/${channelId}/topics`)
  t.same(
    topics.map(({ name }: { name: string }) => name),
    ['✔ cranes'],
  )
})

t.test(
  '[PANEL5] the panel beside the text has room for names, for which the text gives little or nothing',
  async (t) => {
    await member.send('quay', 'width', 'As wide as before?')
    const page = await openAs(t, 'owner', {
      path: `/#narrow/channel/${channelId}-quay/topic/width`,
      viewport: { width: 1280, height: 800 },
    })
    await page.getByRole('log').getByText('As wide as before?').waitFor()
    const boxOf = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox()
      if (!box) throw new Error(`${selector} is not on the screen`)
      return box
    }
    const before = await boxOf('.message-body')
    await page.getByRole('button', { name: 'Details' }).click()
    await page.getByRole('complementary', { name: 'Details' }).waitFor()
    for (const [width, givenPx] of [
      // Names need more than the text leaves there.
      [1280, 50],
      [1360, 0],
      [1440, 0],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      await waitForFrames(page)
      const text = await boxOf('.message-body')
      const [panel, sheet, list] = [await boxOf('.panel'), await boxOf('.sheet'), await boxOf('[role=log]')]
      t.ok(text.width >= before.width - givenPx && text.width <= before.width, `${text.width} pixels of text`)
      t.ok(list.x + list.width <= panel.x, 'it covers nothing of the conversation')
      t.ok(panel.width >= 240 && panel.width <= 304, `${panel.width} pixels`)
      t.ok(Math.abs(panel.x + panel.width - (sheet.x + sheet.width)) <= 1, 'it reaches the end of the sheet')
      t.notOk(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
    }
  },
)

t.test(
  '[PANEL4] in the panel a long status gives way to the name, and a note leaves the own name free',
  async (t) => {
    await member.must('POST', '/users/me/status', {
      status_text: 'On the quay until the last boat of the day has come in',
      emoji_name: 'boat',
    })
    const page = await openAs(t, 'member', { path: `/#narrow/channel/${channelId}-quay/topic/cranes` })
    await page.getByRole('button', { name: 'Details' }).click()
    const row = page.locator('.panel .person', { hasText: 'On the quay' })
    await row.waitFor()
    const isCut = (selector: string) =>
      row.locator(selector).evaluate((one) => one.scrollWidth > one.clientWidth)
    t.notOk(await isCut('span.name'), 'the name is whole')
    t.ok(await isCut('small.name'))
    for (const width of [1280, 800, 390]) {
      await page.setViewportSize({ width, height: 800 })
      // The parts of a phone are drawn in the next frame.
      await waitForFrames(page)
      t.notOk(
        await page.locator('.panel-body').evaluate((body) => body.scrollWidth > body.clientWidth),
        `the panel has room at ${width} pixels`,
      )
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: 'Topic menu' }).click()
    await page.getByRole('menuitem', { name: 'Copy link' }).click()
    await page.locator('.toast').waitFor()
    const bottom = await page.locator('.toasts').evaluate((one) => one.getBoundingClientRect().bottom)
    t.ok(bottom <= (await page.locator('.me').evaluate((one) => one.getBoundingClientRect().top)))
  },
)
