/** The frame of the client in a busy organization: the sidebar stays short and calm, and the open place in sight. */

import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { waitForComposer } from './conversation.ts'
import { findFaults } from './find-faults.ts'
import { startBusyTeam } from './start-organization.ts'

const team = await startBusyTeam(t)
const [owner, member] = [team.server.as('owner'), team.server.as('member')]
const TOPIC = '/#narrow/channel/1-engineering/topic/Flaky.20uploads'

const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

async function openTopic(t: Parameters<typeof team.openAs>[0], viewport = WIDE): Promise<Page> {
  const page = await team.openAs(t, 'member', { path: TOPIC, viewport })
  await row(page, 'Flaky uploads').waitFor()
  await page
    .locator('.side')
    .getByText(/more topics$/)
    .waitFor()
  await page.locator('[role=log] [data-id]').first().waitFor()
  await waitForComposer(page)
  return page
}

const side = (page: Page) => page.getByRole('navigation', { name: 'Places' })
const row = (page: Page, name: string) => side(page).getByRole('link', { name: new RegExp(`^${name}`) })
const section = (page: Page, name: string) => side(page).getByRole('group', { name, exact: true })
const widthOf = (one: Locator) => one.evaluate((element) => element.getBoundingClientRect().width)
const boxOf = async (one: Locator) => {
  const box = await one.boundingBox()
  if (!box) throw new Error('it is not shown')
  return box
}

/** Whether all of a row is within the list, and nothing lies over it. */
const isInSight = (one: Locator) =>
  one.evaluate((element) => {
    const { top, bottom, left } = element.getBoundingClientRect()
    const list = element.closest('.side-scroll')?.getBoundingClientRect()
    const hit = document.elementFromPoint(left + 60, (top + bottom) / 2)
    return list && top >= list.top - 1 && bottom <= list.bottom + 1 && element.contains(hit)
  })

t.test('[SIDE1] the sidebar of 27 channels is short, and has one row for each', async (t) => {
  const page = await openTopic(t)
  const scroll = page.locator('.side-scroll')
  const height = await scroll.evaluate((one) => one.scrollHeight)
  t.ok(height < 1_700, `${height} pixels`)
  t.ok((await page.evaluate(() => document.querySelectorAll('*').length)) <= 1_200, 'a light page')
  const heights = await scroll
    .locator('.row')
    .evaluateAll((rows) => [...new Set(rows.map((one) => one.getBoundingClientRect().height))])
  t.same(heights, [28])
  const directs = section(page, 'Direct messages')
  t.equal(await directs.getByRole('link', { name: /unread$/ }).count(), 8)
  const more = directs.getByRole('button', { name: /^\d+ more \d+ unread$/ })
  await more.click()
  await directs.getByRole('button', { name: 'Show fewer' }).waitFor()
  t.ok((await directs.getByRole('link', { name: /unread$/ }).count()) > 8)
  const topics = side(page).getByRole('list', { name: 'Topics of engineering' })
  t.equal(await topics.getByRole('link').count(), 5, 'four, and the way to the others')
  t.equal(
    await side(page)
      .getByRole('list', { name: /^Topics of/ })
      .count(),
    1,
  )
  await topics.getByRole('link', { name: /more topics/ }).click()
  await page.getByRole('main').getByRole('heading', { level: 1 }).getByText('engineering').waitFor()
})

t.test('[SIDE2] a list is one stop of the Tab key, and the arrow keys move in it', async (t) => {
  const page = await openTopic(t)
  const stops = await page.evaluate(
    () =>
      [...document.querySelectorAll<HTMLElement>('a, button, input, textarea, [tabindex]')].filter(
        (one) => one.tabIndex >= 0 && one.checkVisibility(),
      ).length,
  )
  t.ok(stops <= 60, `${stops} stops`)
  const lists = side(page).getByRole('list')
  for (const name of ['Direct messages', 'Product', 'Topics of engineering'])
    await side(page).getByRole('list', { name, exact: true }).waitFor()
  t.ok((await lists.count()) >= 6)
  t.ok((await side(page).getByRole('listitem').count()) > 27)
  await row(page, 'Flaky uploads').focus()
  await page.keyboard.press('ArrowUp')
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  t.match(await focused(), /^engineering/)
  await page.keyboard.press('Home')
  t.match(await focused(), /^design/)
  await page.keyboard.press('ArrowUp')
  t.match(await focused(), /^design/, 'the list ends')
  await page.keyboard.press('End')
  const last = await focused()
  t.notMatch(last, /^design/)
  await page.keyboard.press('Tab')
  t.equal(await page.evaluate(() => document.activeElement?.ariaLabel), `Menu of ${last?.split(/\d/)[0]}`)
  await page.keyboard.press('Tab')
  t.equal(
    await page.evaluate(() => document.activeElement?.getAttribute('aria-expanded')),
    'true',
    'the next section',
  )
  await page.keyboard.press('Shift+Tab')
  t.equal(await focused(), last, 'the list keeps its row')
})

t.test('[SIDE3] the open channel and topic stay in sight, wherever the list is scrolled', async (t) => {
  const page = await openTopic(t, { width: 1280, height: 600 })
  const scroll = page.locator('.side-scroll')
  for (const top of [0, 300, 100_000]) {
    await scroll.evaluate((one, to) => one.scrollTo(0, to), top)
    t.ok(await isInSight(row(page, 'engineering')), `the channel at ${top}`)
    t.ok(await isInSight(row(page, 'Flaky uploads')), `the topic at ${top}`)
  }
  await page.goto('/#narrow/channel/1-engineering')
  await page.locator('.side .row[aria-current=page]', { hasText: 'engineering' }).waitFor()
  for (const top of [0, 100_000]) {
    await scroll.evaluate((one, to) => one.scrollTo(0, to), top)
    t.ok(await isInSight(row(page, 'engineering')), `the channel alone at ${top}`)
  }
})

t.test('[SIDE4] a folded section shows the sum of its numbers, and keeps the open place', async (t) => {
  const page = await openTopic(t)
  const company = section(page, 'Company')
  const sum = async (rows: Locator) =>
    (await rows.allInnerTexts()).reduce((all, text) => all + Number.parseInt(text, 10), 0)
  const calls = await sum(company.locator('.row.calls .count'))
  t.ok(calls > 0)
  await company.getByRole('button', { name: 'Company' }).click()
  await company.getByRole('link').first().waitFor({ state: 'detached' })
  t.equal(await sum(company.locator('h2 .count.at')), calls, 'what concerns the reader, in a pill')
  await section(page, 'Product').getByRole('button', { name: 'Product' }).click()
  await row(page, 'design').waitFor({ state: 'detached' })
  t.same(
    await section(page, 'Product').getByRole('link').allInnerTexts(),
    ['engineering', 'Flaky uploads'],
    'the open place keeps its rows',
  )
  await page.reload()
  await company.getByRole('button', { name: 'Company', expanded: false }).waitFor()
  await row(page, 'engineering').waitFor()
  t.same(await findFaults(page, 'sidebar-folded', '.side'), [])
})

t.test(
  '[SIDE5] three voices: what concerns the reader, what is new, and what is read or muted',
  async (t) => {
    const ids = new Map<string, number>()
    for (const name of ['loud', 'plain', 'still', 'hushed']) {
      const { id } = await owner.must('POST', '/channels/create', {
        name,
        subscribers: [owner.userId, member.userId],
      })
      ids.set(name, id)
    }
    await member.must('POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: ids.get('hushed'), property: 'is_muted', value: true }],
    })
    await member.must('POST', '/user_topics', {
      stream_id: ids.get('loud'),
      topic: 'followed',
      visibility_policy: 3,
    })
    for (const topic of ['followed', 'followed', 'other']) await owner.send('loud', topic, 'Words')
    await owner.send('loud', 'other', 'Is it so, @**Sam Weber**?')
    for (const name of ['plain', 'plain', 'hushed']) await owner.send(name, 'words', 'Words')
    const page = await team.openAs(t, 'member')
    const voice = (name: string) =>
      row(page, name).evaluate((one) => [
        getComputedStyle(one).fontWeight,
        one.querySelector('.count')?.className,
        one.querySelector('.count')?.firstChild?.textContent,
      ])
    await side(page).getByRole('link', { name: 'loud 3 unread' }).waitFor()
    t.same(await voice('loud'), ['600', 'count at', '3'], 'followed and mentioning messages')
    t.same(await voice('plain'), ['450', 'count', '2'])
    t.same(await voice('still'), ['400', undefined, undefined])
    t.same(await voice('hushed'), ['400', undefined, undefined], 'a muted channel has no number')
  },
)

t.test('[SIDE6] the width of the sidebar follows its edge, and is there again', async (t) => {
  const page = await openTopic(t)
  const edge = page.getByRole('separator', { name: 'Width of the sidebar' })
  t.equal(await widthOf(side(page)), 264)
  const { x, y, width, height } = await boxOf(edge)
  const dragTo = async (to: number) => {
    const now = await boxOf(edge)
    await page.mouse.move(now.x + width / 2, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(to, y + height / 2, { steps: 4 })
    await page.mouse.up()
  }
  await dragTo(x + width / 2 + 60)
  t.equal(await widthOf(side(page)), 324)
  await page.reload()
  await row(page, 'Flaky uploads').waitFor()
  t.equal(await widthOf(side(page)), 324, 'kept on the device')
  await dragTo(900)
  t.equal(await widthOf(side(page)), 380)
  await dragTo(10)
  t.equal(await widthOf(side(page)), 220)
  await edge.dblclick()
  t.equal(await widthOf(side(page)), 264)
  await edge.focus()
  await page.keyboard.press('ArrowRight')
  t.equal(await widthOf(side(page)), 272)
  t.equal(await edge.getAttribute('aria-valuenow'), '272')
})

t.test(
  '[SIDE7] Ctrl+\\ hides the sidebar, also while one writes; the pointer at the edge shows it',
  async (t) => {
    const page = await openTopic(t)
    const box = page.getByRole('textbox', { name: 'Message' })
    await box.fill('Words')
    await page.keyboard.press('Control+Backslash')
    const show = page.getByRole('button', { name: 'Show sidebar' })
    await show.waitFor()
    t.equal(await box.inputValue(), 'Words')
    await page.mouse.move(800, 300)
    const leftOf = async (one: Locator) => (await boxOf(one)).x
    t.equal(await leftOf(page.locator('.sheet')), 8, 'the sheet has its place')
    t.equal(await side(page).count(), 0, 'screen readers don’t hear it')
    t.equal(await show.locator('.dot').count(), 1, 'somebody asks for the reader')
    await page.reload()
    await show.waitFor()
    t.same(await findFaults(page, 'sidebar-hidden'), [])
    await page.setViewportSize(WIDE)
    await page.mouse.move(4, 400)
    await page.waitForFunction(() => document.querySelector('.side')?.getBoundingClientRect().x === 0)
    await page.mouse.move(800, 300)
    await page.waitForFunction(() => (document.querySelector('.side')?.getBoundingClientRect().x ?? 0) < -200)
    await show.focus()
    await page.keyboard.press('/')
    await page.waitForFunction(() => document.querySelector('.side')?.getBoundingClientRect().x === 0)
    await page.keyboard.press('Escape')
    await show.click()
    await show.waitFor({ state: 'detached' })
    await side(page).getByRole('button', { name: 'Hide sidebar' }).click()
    await page.waitForFunction(
      () => document.querySelector('.side')?.checkVisibility({ visibilityProperty: true }) === false,
    )
    await page.goto('/#organization/permissions')
    await page.getByRole('heading', { name: 'Administration' }).waitFor()
    await show.waitFor()
    await page.keyboard.press('Control+Backslash')
    await show.waitFor({ state: 'detached' })
    t.equal(await leftOf(page.locator('.sheet')), 264)
  },
)

t.test('[FRAME1] the head keeps one line, and the panel covers neither text width nor notes', async (t) => {
  const page = await openTopic(t, { width: 1024, height: 768 })
  const head = page.getByRole('main').locator('.head')
  t.equal((await boxOf(head)).height, 52)
  t.ok((await boxOf(head.getByRole('link', { name: /members$/ }))).height <= 28, 'its number is not broken')
  const tools = head.locator('.tools > :is(a, button, .menu-place)')
  t.equal(await tools.count(), 4, 'people, Resolve, the menu and the panel')
  const before = await widthOf(page.getByRole('log'))
  await head.getByRole('button', { name: 'Details' }).click()
  const panel = page.getByRole('complementary', { name: 'Details' })
  await panel.waitFor()
  t.equal(await widthOf(page.getByRole('log')), before, 'it lies over the text')
  await page.setViewportSize({ width: 800, height: 700 })
  await page.route(/\/events/, (route) => route.abort())
  await page.routeWebSocket(/events/, (socket) => void socket.close())
  await page.reload()
  const note = page.locator('.connection')
  await note.waitFor()
  const [noteBox, headBox, panelBox] = [await boxOf(note), await boxOf(head), await boxOf(panel)]
  t.ok(noteBox.y + noteBox.height <= headBox.y, 'the title stays in sight')
  t.ok(noteBox.y + noteBox.height <= panelBox.y, 'the panel as well')
})

t.test('[FRAME2] a phone shows its tabs only in the four roots, and heads of 60 pixels', async (t) => {
  const page = await openTopic(t)
  await page.setViewportSize(PHONE)
  const tabs = page.getByRole('navigation', { name: 'Main' })
  await tabs.waitFor({ state: 'detached' })
  const head = page.getByRole('main').locator('.head')
  t.equal((await boxOf(head)).height, 60)
  const [topic, channel] = [head.getByText('Flaky uploads'), head.getByText('engineering')]
  t.ok((await boxOf(topic)).y < (await boxOf(channel)).y, 'the topic above its channel')
  await head.getByRole('button', { name: 'Topic menu' }).click()
  await page.getByRole('menuitem', { name: 'Details' }).click()
  await page.getByRole('main', { name: 'Details' }).getByRole('button', { name: 'Close' }).click()
  await head.getByRole('button', { name: 'Places' }).click()
  await tabs.getByRole('link', { name: 'Channels', exact: true }).waitFor()
  await tabs.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('dialog', { name: 'Search or go to' }).getByRole('button', { name: 'Close' }).click()
  await tabs.getByRole('link', { name: /^Inbox \d+\+? unread$/ }).click()
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  t.equal(await page.getByRole('main').getByRole('button', { name: 'Places' }).count(), 0, 'a root')
  await tabs.getByRole('link', { name: 'You' }).click()
  await page.getByRole('link', { name: 'Appearance' }).click()
  await tabs.waitFor({ state: 'detached' })
})

t.test('[FRAME3] paper shows the conversation alone, and forced colors where the reader is', async (t) => {
  const page = await openTopic(t)
  await page.emulateMedia({ media: 'print' })
  for (const shown of ['.message', '.head h1']) t.ok(await page.locator(shown).first().isVisible(), shown)
  for (const hidden of ['.side', '.composer', '.head .tools', '.tabs'])
    t.notOk(await page.locator(hidden).first().isVisible(), hidden)
  t.equal(
    await page.getByRole('log').evaluate((log) => getComputedStyle(log).overflowY),
    'visible',
    'all that is loaded',
  )
  await page.emulateMedia({ media: 'screen', forcedColors: 'active' })
  const backgroundOf = (one: Locator) => one.evaluate((row) => getComputedStyle(row).backgroundColor)
  t.not(await backgroundOf(row(page, 'Flaky uploads')), await backgroundOf(row(page, 'engineering')))
  const [ground, ink] = await side(page)
    .locator('.count.at')
    .first()
    .evaluate((one) => {
      const { backgroundColor, color } = getComputedStyle(one)
      return [backgroundColor, color]
    })
  t.not(ground, 'rgba(0, 0, 0, 0)', 'a number for the reader has a ground of its own')
  t.not(ground, ink)
})

t.test(
  '[FRAME4] the note on a lost connection has a place of its own, above the head and its pins',
  async (t) => {
    const { messages } = await owner.must('GET', '/messages', {
      narrow: [
        { operator: 'channel', operand: 'engineering' },
        { operator: 'topic', operand: 'Flaky uploads' },
      ],
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
    })
    await owner.must('POST', `/messages/${messages[0]?.id}/pin`, { kind: 'topic' })
    const page = await openTopic(t, WIDE)
    await page.route(/\/events/, (route) => route.abort())
    await page.routeWebSocket(/events/, (socket) => void socket.close())
    await page.reload()
    const note = page.locator('.connection')
    await note.getByText('Can’t reach the server.').waitFor()
    const main = page.getByRole('main')
    const parts = [
      main.locator('.head'),
      main.locator('.strip'),
      main.getByRole('log'),
      main.locator('.composer'),
    ]
    for (const viewport of [WIDE, { width: 800, height: 700 }, PHONE]) {
      await page.setViewportSize(viewport)
      const { y, width, height } = await boxOf(note)
      t.same([y, width], [0, viewport.width], 'a row above all columns')
      let end = y + height
      for (const part of parts) {
        const box = await boxOf(part)
        t.ok(box.y >= end - 1, `nothing lies over another at ${viewport.width} pixels`)
        end = box.y + box.height
      }
      const last = await boxOf(main.locator('.composer'))
      t.ok(last.y + last.height <= viewport.height, 'the composer stays on the screen')
      const button = await boxOf(note.getByRole('button', { name: 'Try now' }))
      t.ok(button.x >= 0 && button.x + button.width <= viewport.width)
    }
  },
)
