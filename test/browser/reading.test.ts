/** Reading a conversation: what is written looks as it was meant, stays in its place, and is there when a link leads to it. */

import type { Locator, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { drawImage } from '../harness/client/upload.ts'
import { mustPostFile } from '../harness/client/user-files.ts'
import { pollUntil } from '../services/poll-until.ts'
import { waitForFrames, write } from './conversation.ts'
import { showView } from './show-view.ts'
import { startTeam } from './team.ts'

const HEBREW = 'יעל כהן'

const { server, openAs } = await startTeam(t)
const [owner, member, member2] = [server.as('owner'), server.as('member'), server.as('member2')]
await owner.must('PATCH', `/users/${member2.userId}`, { full_name: HEBREW })
await owner.subscribe(['plans'], { principals: [owner.userId, member.userId, member2.userId] })
const { stream_id: channelId } = await owner.must('GET', '/get_stream_id?stream=plans')

const pathOf = (topic: string) => `/#narrow/channel/${channelId}-plans/topic/${topic}`
const row = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text })

/** A page that shows one topic after the other, with what its console said of errors. */
const page = await openAs(t, 'member', { path: pathOf('start') })
const errors: string[] = []
page.on('console', (line) => {
  if (line.type() === 'error') errors.push(line.text())
})

async function show(topic: string): Promise<void> {
  await showView(page, pathOf(topic).slice(1))
  await page.getByRole('heading', { level: 1, name: topic }).waitFor()
  await page.getByRole('article').first().waitFor()
}

/** Another page of the member, which a link has led to a message of a topic. */
async function openLinked(t: Test, topic: string, id: number | undefined): Promise<Page> {
  const fresh = await page.context().newPage()
  t.teardown(() => fresh.close())
  await fresh.goto(`${pathOf(topic)}/near/${id}`)
  await fresh.waitForFunction((id) => document.activeElement?.id === `message-${id}`, id)
  return fresh
}

async function boxOf(place: Locator) {
  const box = await place.boundingBox()
  if (!box) throw new Error('it is not shown')
  return box
}

/** The box of a text within an element: narrower than the element where the text does not fill it. */
function textBox(place: Locator, text: string) {
  return place.evaluate((element, wanted) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode as Text
      const start = node.data.indexOf(wanted)
      if (start < 0) continue
      const range = new Range()
      range.setStart(node, start)
      range.setEnd(node, start + wanted.length)
      const { left, right, top, bottom } = range.getBoundingClientRect()
      return { left, right, top, bottom }
    }
    throw new Error(`there is no “${wanted}”`)
  }, text)
}

t.test(
  '[TALK1] a block of code has a head of its own and the width of the text, also below another message',
  async (t) => {
    await owner.send('plans', 'code', 'This one, **quickly**:')
    await owner.send('plans', 'code', '```ts\nconst answer = 42\n```')
    await owner.send('plans', 'code', '```\nplain\n```')
    await show('code')
    const second = row(page, 'const answer')
    t.match(await second.getAttribute('class'), /more/)
    const [block, head] = [
      await boxOf(second.locator('.codehilite')),
      await boxOf(second.locator('.code-head')),
    ]
    t.equal(block.width, (await boxOf(second.locator('.message-body'))).width)
    const code = await textBox(second.locator('pre'), 'const')
    t.ok(head.y + head.height <= code.top, 'the head covers no code')
    t.match(await second.locator('.code-head').innerText(), /TypeScript/)
    await row(page, 'plain').getByRole('button', { name: 'Copy code' }).click()
    await page.getByRole('status').getByText('Code copied').waitFor()
    t.equal(await page.evaluate(() => navigator.clipboard.readText()), 'plain\n')
  },
)

t.test(
  '[TALK2] a link to a message shows it, marks it for a moment, and holds it until the person scrolls',
  async (t) => {
    const ids: number[] = []
    for (let count = 0; count < 30; count++) {
      const text = count % 3 === 0 ? `Step ${count}\n\`\`\`\n${'line\n'.repeat(12)}\`\`\`` : `Step ${count}`
      ids.push(await (count % 2 === 0 ? owner : member2).send('plans', 'linked', text))
    }
    const [above, target] = [ids[15] ?? 0, ids[17] ?? 0]
    const fresh = await page.context().newPage()
    t.teardown(() => fresh.close())
    await fresh.addInitScript(() => {
      const found = new Set<string>()
      Object.assign(globalThis, { found })
      new MutationObserver(() => {
        for (const { id } of document.querySelectorAll('.message.found')) found.add(id)
      }).observe(document, { subtree: true, childList: true, attributeFilter: ['class'] })
    })
    await fresh.goto(`${pathOf('linked')}/near/${target}`)
    const log = fresh.getByRole('log')
    await fresh.waitForFunction((id) => document.activeElement?.id === `message-${id}`, target)
    const topOf = (id: number) =>
      log.evaluate((list, id) => {
        const top = document.querySelector(`#message-${id}`)?.getBoundingClientRect().top ?? Number.NaN
        return Math.round(top - list.getBoundingClientRect().top)
      }, id)
    const grow = async (id: number) => {
      await fresh.evaluate(async (id) => {
        const one = document.querySelector<HTMLElement>(`#message-${id} .message-body`)
        if (one) one.style.paddingBlockEnd = `${Number.parseInt(one.style.paddingBlockEnd || '0') + 240}px`
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
      }, id)
    }
    const quarter = Math.round(await log.evaluate((list) => list.clientHeight / 4))
    await fresh.waitForFunction(() => document.querySelector('.message.found') === null)
    t.same(await fresh.evaluate(() => [...(globalThis as unknown as { found: Set<string> }).found]), [
      `message-${target}`,
    ])
    t.ok(Math.abs((await topOf(target)) - quarter) <= 1, 'it stands a quarter below the top')
    await grow(above)
    t.ok(Math.abs((await topOf(target)) - quarter) <= 1, 'whatever grows above it')
    await log.hover()
    await fresh.mouse.wheel(0, -60)
    await fresh.waitForFunction(
      ([id, top]) => {
        const list = document.querySelector('[role=log]')?.getBoundingClientRect().top ?? 0
        return (
          (document.querySelector(`#message-${id}`)?.getBoundingClientRect().top ?? 0) - list >
          (top ?? 0) + 50
        )
      },
      [target, quarter],
    )
    const scrolled = await topOf(target)
    await grow(above)
    t.ok((await topOf(target)) - scrolled > 200, 'after that the list holds what is read')
  },
)

t.test(
  '[TALK14] rows that turn out lower are no scrolling: a linked message is held all the same',
  async (t) => {
    const ids: number[] = []
    for (let count = 0; count < 20; count++) ids.push(await owner.send('plans', 'lower', `Line ${count}`))
    const fresh = await openLinked(t, 'lower', ids[10])
    const places = await fresh.evaluate(async (id) => {
      const list = document.querySelector<HTMLElement>('[role=log]')
      const rows = [...document.querySelectorAll<HTMLElement>('.message')]
      const target = rows.find((one) => one.id === `message-${id}`)
      if (!list || !target) throw new Error('it is not shown')
      const top = () => Math.round(target.getBoundingClientRect().top - list.getBoundingClientRect().top)
      const show = async (height: string) => {
        for (const one of rows) one.style.paddingBlockEnd = height
        list.dispatchEvent(new Event('scroll')) // One that was under way: its place is read with the new heights.
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
        return top()
      }
      return [await show('200px'), await show(''), await show('200px')]
    }, ids[10])
    t.ok(places[0] !== places[1], 'there was no room below it')
    t.equal(places[2], places[0])
  },
)

t.test('[TALK15] a scroll counts, also in the frame in which a message of the list changes', async (t) => {
  const ids: number[] = []
  for (let count = 0; count < 40; count++) ids.push(await owner.send('plans', 'changing', `Line ${count}`))
  const fresh = await openLinked(t, 'changing', ids[5])
  const list = fresh.getByRole('log')
  const before = await list.evaluate((one) => {
    new MutationObserver((changes, observer) => {
      if (!changes.some(({ target }) => target instanceof Element && target.querySelector('.reactions')))
        return
      observer.disconnect()
      one.scrollTop += 400
      Object.assign(globalThis, { isScrolled: true })
    }).observe(one, { childList: true, subtree: true })
    return one.scrollTop
  })
  await owner.must('POST', `/messages/${ids[7]}/reactions`, { emoji_name: 'tada' })
  await fresh.waitForFunction(() => 'isScrolled' in globalThis)
  await waitForFrames(fresh)
  const after = await list.evaluate((one) => one.scrollTop)
  t.ok(after > before + 300, `${before} to ${after}`)
})

t.test('[TALK12] a linked message that comes late is shown, marked and focused all the same', async (t) => {
  const ids: number[] = []
  for (let count = 0; count < 60; count++) ids.push(await owner.send('plans', 'late', `Late ${count}`))
  const target = ids[20] ?? 0
  const fresh = await page.context().newPage()
  t.teardown(() => fresh.close())
  // The answer waits until the rest of the page has long been there and has the focus.
  const held = Promise.withResolvers<void>()
  await fresh.route(/\/api\/v1\/messages\?/, async (route) => {
    await held.promise
    await route.continue()
  })
  const asked = fresh.waitForRequest(/\/api\/v1\/messages\?/)
  await fresh.goto(`${pathOf('late')}/near/${target}`)
  await asked
  await fresh.getByLabel('Message', { exact: true }).waitFor()
  await fresh.evaluate(async () => {
    // More frames than anything waits for.
    for (let frame = 0; frame < 150; frame++) await new Promise(requestAnimationFrame)
  })
  t.equal(await fresh.locator('.message').count(), 0)
  const marked = fresh.locator(`#message-${target}.found`).waitFor()
  held.resolve()
  await marked
  await fresh.waitForFunction((id) => document.activeElement?.id === `message-${id}`, target)
  t.ok(
    await fresh.locator(`#message-${target}`).evaluate((one) => {
      const [box, list] = [one.getBoundingClientRect(), one.closest('[role=log]')?.getBoundingClientRect()]
      return list !== undefined && box.top >= list.top && box.bottom <= list.bottom
    }),
    'it is on the screen',
  )
})

t.test('[TALK3] a message on its way stands where it will stay, and says so', async (t) => {
  await member.send('plans', 'sent', 'The first one')
  await owner.send('plans', 'sent', 'And mine')
  await show('sent')
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/v1/messages', async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue()
  })
  t.teardown(() => page.unrouteAll())
  await write(page, 'On its way')
  const pending = page.locator('.message.pending')
  await pending.waitFor()
  await waitForFrames(page) // The list goes to its end before it is painted.
  const before = await textBox(pending, 'On its way')
  t.equal(await pending.locator('.plain').evaluate((one) => getComputedStyle(one).opacity), '1')
  t.equal(await pending.evaluate((one) => one.getAnimations({ subtree: true }).length), 0)
  t.equal(await pending.locator('time').count(), 0, 'it has no time yet')
  await pending.getByText('Sending…').waitFor()
  t.same(await textBox(pending, 'On its way'), before, 'the note moves nothing')
  release()
  const sent = page.locator('[data-id]').filter({ hasText: 'On its way' })
  await sent.waitFor()
  t.same(await textBox(sent.locator('.rendered'), 'On its way'), before, 'nor does the answer')
  await page.unrouteAll()
})

t.test('[TALK4] without a network a message is marked at once, before any attempt has failed', async (t) => {
  await owner.send('plans', 'island', 'Before')
  await show('island')
  await page.route('**/api/v1/messages', () => undefined) // No attempt ends.
  await page.context().setOffline(true)
  t.teardown(() => page.context().setOffline(false))
  await write(page, 'From the train')
  await page.locator('.message.pending').getByText('Sends when you’re back online').waitFor()
  await page.unrouteAll()
  await page.context().setOffline(false)
  await page.reload()
  await page.locator('[data-id]').filter({ hasText: 'From the train' }).waitFor()
})

/** Holds all later writes of a page's messages and drafts back, as a busy disk does, until the page is left. */
async function holdWrites(held: Page): Promise<void> {
  await held.evaluate(async (name) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name)
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error ?? new Error('there is no database'))
    })
    const transaction = database.transaction(['outbox', 'drafts'], 'readwrite')
    await new Promise<void>((resolve) => {
      // A transaction lasts as long as it asks.
      const ask = () => {
        transaction.objectStore('outbox').count().onsuccess = () => {
          resolve()
          ask()
        }
      }
      ask()
    })
  }, `parley-${member.userId}`)
}

t.test('[TALK10] a message is sent although its page is left before the disk has it', async (t) => {
  await owner.send('plans', 'busy disk', 'Before')
  await show('busy disk')
  await holdWrites(page)
  await page.route('**/api/v1/messages', (route) => route.abort())
  await write(page, 'Sent in a hurry')
  await page.getByRole('article', { name: 'Your message, sending' }).waitFor()
  await page.unrouteAll()
  await page.reload()
  await page.locator('[data-id]').filter({ hasText: 'Sent in a hurry' }).waitFor()
  t.equal(await page.getByLabel('Message', { exact: true }).inputValue(), '', 'and is no draft any more')
})

t.test('[TALK11] words are still there when their page is left before the disk has them', async (t) => {
  await page.route('**/api/v1/drafts*', (route) => route.abort())
  await owner.send('plans', 'half a thought', 'Before')
  await show('half a thought')
  await holdWrites(page)
  await page.getByLabel('Message', { exact: true }).pressSequentially('Half a thought')
  await page.reload()
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Half a thought')
  await page.unrouteAll()
  t.pass('the device had them')
})

t.test('[TALK5] the text of an edit is still there when its message is deleted', async (t) => {
  const id = await member.send('plans', 'edited', 'A first draft')
  await owner.send('plans', 'edited', 'Something else')
  await show('edited')
  await row(page, 'A first draft').hover()
  await page
    .getByRole('button', { name: 'Edit', exact: true })
    .or(page.getByRole('button', { name: 'More', exact: true }))
    .first()
    .click()
  const menu = page.getByRole('menuitem', { name: 'Edit', exact: true })
  if (await menu.isVisible()) await menu.click()
  await page.getByLabel('Message text').fill('A much better one')
  await owner.must('DELETE', `/messages/${id}`)
  const notice = page.getByRole('alert').filter({ hasText: 'deleted' })
  await notice.getByText('A much better one').waitFor()
  await notice.getByRole('button', { name: 'Copy text' }).click()
  await page.getByRole('status').getByText('Text copied').waitFor()
  t.equal(await page.evaluate(() => navigator.clipboard.readText()), 'A much better one')
  await page.reload()
  await notice.getByText('A much better one').waitFor()
  await notice.getByRole('button', { name: 'Move to composer' }).click()
  await notice.waitFor({ state: 'detached' })
  t.equal(await page.getByLabel('Message', { exact: true }).inputValue(), 'A much better one')
  await page.getByLabel('Message', { exact: true }).fill('')
})

t.test('[TALK6] a mention opens the card of the person, and the conversation stays', async (t) => {
  await owner.send('plans', 'mentions', `@**${HEBREW}|${member2.userId}** 12 are left`)
  await show('mentions')
  const length = await page.evaluate(() => history.length)
  await page.getByRole('link', { name: `@${HEBREW}` }).click()
  await page.getByRole('dialog', { name: HEBREW }).getByRole('heading', { name: HEBREW }).waitFor()
  t.match(page.url(), /topic\/mentions$/)
  t.equal(await page.evaluate(() => history.length), length)
  await page.keyboard.press('Escape')
})

t.test('[TALK7] columns of a table are aligned, without a style that the policy forbids', async (t) => {
  const text = '| Step | Seconds | State |\n|:---|---:|:---:|\n| Copy | 128 | done |'
  const id = await owner.send('plans', 'tables', text)
  errors.length = 0
  await show('tables')
  const cell = (name: string) => page.getByRole('cell', { name })
  await cell('128').waitFor()
  const alignments = ['Copy', '128', 'done'].map((name) =>
    cell(name).evaluate((one) => getComputedStyle(one).textAlign),
  )
  t.same(await Promise.all(alignments), ['left', 'right', 'center'])
  t.same(errors, [])
  const { message } = await member.must('GET', `/messages/${id}`)
  t.match(message.content, '<td style="text-align: right;">128</td>', 'other clients get what they know')
})

t.test('[TALK8] a name or code in the other direction turns nothing around it', async (t) => {
  await owner.send(
    'plans',
    'directions',
    `שלום \`f(a, b);\` ו-@**${HEBREW}|${member2.userId}** (12) <time:2026-11-26T14:00:00Z>`,
  )
  await owner.send('plans', 'directions', '```\nif (a) {\n```')
  await show('directions')
  await member2.must('POST', '/typing', {
    type: 'stream',
    op: 'start',
    stream_id: channelId,
    topic: 'directions',
  })
  const typing = page.locator('.typing')
  await typing.getByText('is typing').waitFor()
  const [name, rest] = [await textBox(typing, HEBREW), await textBox(typing, 'is typing')]
  t.ok(name.right <= rest.left, 'the name stands before what the person does')
  await page.evaluate(() => (document.documentElement.dir = 'rtl'))
  t.teardown(() => page.evaluate(() => (document.documentElement.dir = 'ltr')))
  const line = row(page, 'שלום').locator('.rendered')
  const [first, last] = [await textBox(line, 'f(a'), await textBox(line, ');')]
  t.ok(first.right <= last.left, 'code among the text')
  const [word, brace] = [await textBox(row(page, 'if (a)'), 'if'), await textBox(row(page, 'if (a)'), '{')]
  t.ok(word.right <= brace.left, 'code in a block')
  const clock = row(page, 'שלום').locator('.by time')
  const [, minutes = '', half = ''] = /(\d+:\d+)\s(\S+)/.exec(await clock.innerText()) ?? []
  t.ok((await textBox(clock, minutes)).right <= (await textBox(clock, half)).left, 'the time of a message')
  t.equal(await line.locator('time').evaluate((one) => getComputedStyle(one).unicodeBidi), 'isolate')
  await page.evaluate(() => (document.documentElement.dir = 'ltr'))
})

t.test(
  '[TALK9] pictures are even tiles of known sizes, and are read once, by the words of their sender',
  async (t) => {
    const post = async (name: string, width: number, height: number) =>
      mustPostFile(owner, await drawImage('#3a7', { width, height }), name)
    const [tall, wide, small] = [
      await post('tall.png', 400, 1200),
      await post('wide.png', 1600, 400),
      await post('small.png', 200, 160),
    ]
    await page.setViewportSize({ width: 1440, height: 900 })
    await owner.send('plans', 'pictures', `One:\n[The tower](${tall})`)
    await owner.send('plans', 'pictures', `Two:\n[The tower](${tall}) [The river](${wide})`)
    await owner.send(
      'plans',
      'pictures',
      `Three:\n[The tower](${tall})\n[The river](${wide})\n[The bird](${small})`,
    )
    await owner.send('plans', 'pictures', `Inline: ![A bird](${small})`)
    await owner.send('plans', 'pictures', `Within: see [the bird](${small}) there`)
    await show('pictures')
    const sizesOf = async (text: string) =>
      Promise.all((await row(page, text).locator('.picture img').all()).map(async (one) => boxOf(one)))
    const [one] = await sizesOf('One:')
    t.equal(one?.height, 360)
    const two = await sizesOf('Two:')
    t.same(
      two.map(({ width, height }) => [width, height]),
      [
        [358, 200],
        [358, 200],
      ],
    )
    const three = await sizesOf('Three:')
    t.same(
      three.map(({ height }) => Math.round(height)),
      [133, 133, 133],
    )
    t.equal(new Set(three.map(({ y }) => y)).size, 1, 'in one row')
    const named = (text: string, name: string) => row(page, text).getByRole('link', { name, exact: true })
    t.equal(await named('One:', 'The tower').count(), 1, 'not again by the text of its link')
    t.equal(await row(page, 'One:').getByRole('img', { name: 'The tower' }).count(), 1)
    t.equal(await named('One:', 'The tower').getAttribute('title'), null)
    t.equal(await named('Inline:', 'A bird').count(), 1)
    t.equal(await named('Within:', 'the bird').count(), 1, 'a word of a sentence stays')
    await named('Within:', 'the bird').click()
    await page.getByRole('dialog', { name: 'Pictures' }).getByText('the bird').waitFor()
    await page.keyboard.press('Escape')
  },
)

t.test('[TALK13] a message that is deleted before it counts as read keeps no other one unread', async (t) => {
  const ids: number[] = []
  for (const text of ['stays here', 'goes away']) ids.push(await owner.send('plans', 'counted', text))
  const marks: string[] = []
  await page.route('**/api/v1/messages/flags', (route) => {
    marks.push(new URLSearchParams(route.request().postData() ?? '').get('messages') ?? '')
    return route.abort()
  })
  await show('counted')
  await pollUntil('the page has seen them', () =>
    Promise.resolve(marks.some((one) => one.includes(`${ids[1]}`))),
  )
  await owner.must('DELETE', `/messages/${ids[1]}`)
  await row(page, 'goes away').waitFor({ state: 'detached' })
  await page.unroute('**/api/v1/messages/flags')
  const answers: number[] = []
  page.on('response', (answer) => answer.url().endsWith('/messages/flags') && answers.push(answer.status()))
  await owner.send('plans', 'counted', 'and one more')
  await pollUntil('the others are read', async () => {
    const { messages } = await member.must('GET', '/messages', {
      anchor: ids[0],
      num_before: 0,
      num_after: 0,
    })
    return messages[0]?.flags.includes('read') ?? false
  })
  await pollUntil('the page has the answer', () => Promise.resolve(answers.length > 0))
  t.same([...new Set(answers)], [200])
})
