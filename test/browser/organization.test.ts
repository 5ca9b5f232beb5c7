/** The busy organization of other tests is one that a server could have made, and the client is well in it. */

import t from 'tap'
import { check } from '../../server/admin/check.ts'
import { UNREAD_CONVERSATIONS } from './fill-organization.ts'
import { findFaults, findFaultsNow } from './find-faults.ts'
import { showView } from './show-view.ts'
import { startBusyTeam } from './start-organization.ts'

const team = await startBusyTeam(t)
const { server } = team

t.test(
  '[BUSY1] the busy organization of tests has no differences, and 600 unread conversations',
  async (t) => {
    const result = await check(server.databaseUrl, server.node.services.fileStore)
    t.strictSame(result.differences, [])
    t.match(result, { ok: true, is_log_complete: true, processes: 1 })
    const { unread_msgs: unread } = await server.as('member').must('POST', '/register', {
      event_types: ['message'],
      fetch_event_types: ['message', 'update_message_flags'],
    })
    t.equal(unread.streams.length + unread.pms.length + unread.huddles.length, UNREAD_CONVERSATIONS)
    const { messages } = await server.as('member').must('GET', '/messages', {
      anchor: 'newest',
      num_before: 5_000,
      num_after: 0,
    })
    const now = Math.floor(Date.now() / 1_000)
    t.ok(
      messages.some(({ timestamp }) => timestamp < now - 20 * 86_400),
      'it is some weeks old',
    )
    t.ok(messages.some(({ content }) => content.includes('<table>')))
    t.ok(messages.some(({ submessages }) => submessages.length > 0))
  },
)

/** Views, each by its address and what it shows when it is ready. */
const VIEWS: Readonly<Record<string, readonly [address: string, shown: string]>> = {
  inbox: ['#inbox', '.inbox .line'],
  recent: ['#recent', '.inbox .line'],
  channel: ['#narrow/channel/1-engineering', '.message'],
  topic: ['#narrow/channel/1-engineering/topic/Flaky.20uploads', '.message'],
  direct: ['#narrow/dm/2-ines', '.message'],
  search: ['#narrow/search/review', '.highlight'],
}

const SIZES = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const

/** Elements of a page at rest: more would make each change slow on an old laptop. */
const ELEMENTS_MAX = 1_200

t.test(
  '[BUSY2] in a busy organization each view fits its window, is light, and axe finds nothing',
  async (t) => {
    const page = await team.openAs(t, 'member')
    for (const [name, [address, shown]] of Object.entries(VIEWS)) {
      await showView(page, address)
      await page.locator(shown).first().waitFor()
      t.same(await findFaults(page, `organization-${name}`), [], name)
      // After that, so that what a list loads by itself is there.
      const count = await page.evaluate(() => document.querySelectorAll('*').length)
      t.ok(count > 300 && count <= ELEMENTS_MAX, `${name}: ${count} elements`)
    }
    // Each message of these has the name of its conversation above it.
    for (const [address, shown] of [
      ['#narrow/is/unread', '.message'],
      ['#narrow/near/300', '.message[data-id="300"]'],
    ] as const) {
      await showView(page, address)
      await page.locator(shown).first().waitFor()
      const count = await page.evaluate(() => document.querySelectorAll('*').length)
      t.ok(count > 300 && count <= ELEMENTS_MAX, `${address}: ${count} elements`)
    }
  },
)

t.test(
  '[BUSY7] a larger text that the browser is set to holds for everything, and each view still fits',
  async (t) => {
    const page = await team.openAs(t, 'member')
    for (const [name, [address, shown]] of Object.entries(VIEWS)) {
      await showView(page, address)
      await page.locator(shown).first().waitFor()
      await page.evaluate(() => (document.documentElement.style.fontSize = '32px')) // Twice the default.
      const sizes = await page.evaluate(() =>
        ['.side .row', '.main h1', '.message .rendered', '.composer textarea', '.line'].flatMap(
          (selector) => {
            const one = document.querySelector(selector)
            return one ? [Number.parseFloat(getComputedStyle(one).fontSize)] : []
          },
        ),
      )
      t.ok(sizes.length > 1 && Math.min(...sizes) >= 26, `${name}: ${sizes.join()}`)
      const icon = await page.locator('.side .row > .icon').first().boundingBox()
      t.ok(icon && icon.width >= 34, 'icons are as large as their text')
      t.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name)
      await page.evaluate(() => (document.documentElement.style.fontSize = ''))
    }
  },
)

t.test(
  '[BUSY9] axe finds nothing with forced colors, in each theme, and in text of twice the size',
  async (t) => {
    const page = await team.openAs(t, 'member')
    for (const [name, [address, shown]] of Object.entries(VIEWS)) {
      await showView(page, address)
      await page.locator(shown).first().waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ forcedColors: 'active', colorScheme, reducedMotion: 'reduce' })
        t.same(
          await findFaultsNow(page, `organization-${name}-forced-${colorScheme}`),
          [],
          `${name}: ${colorScheme}`,
        )
      }
      await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' })
      for (const [size, viewport] of Object.entries(SIZES)) {
        await page.setViewportSize(viewport)
        await page.evaluate(() => (document.documentElement.style.fontSize = '32px')) // Twice the default.
        t.same(await findFaultsNow(page, `organization-${name}-large-${size}`), [], `${name}: ${size}`)
        await page.evaluate(() => (document.documentElement.style.fontSize = ''))
      }
      await page.setViewportSize(SIZES.wide)
    }
  },
)

t.test('[BUSY12] from right to left each view fits its window, and axe finds nothing', async (t) => {
  const member = server.as('member')
  await member.must('PATCH', '/settings', { default_language: 'he' })
  t.teardown(() => member.must('PATCH', '/settings', { default_language: 'en' }))
  const page = await team.openAs(t, 'member')
  await page.locator(':root[dir="rtl"]').waitFor()
  for (const [name, [address, shown]] of Object.entries(VIEWS)) {
    await showView(page, address)
    await page.locator(shown).first().waitFor()
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport)
      t.same(await findFaultsNow(page, `organization-${name}-hebrew-${size}`), [], `${name}: ${size}`)
    }
    await page.setViewportSize(SIZES.wide)
  }
})

t.test(
  '[BUSY3] the Inbox has few elements and one stop of the Tab key; arrows move in it, also to the word that marks as read',
  async (t) => {
    const page = await team.openAs(t, 'member')
    const inbox = page.locator('.inbox')
    await inbox.locator('time:not(:empty)').first().waitFor()
    t.ok((await page.locator('main *').count()) < 800)
    t.equal(await inbox.locator(':is(a, button):not([tabindex="-1"])').count(), 1)
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
    await page.getByRole('heading', { name: 'Inbox' }).focus()
    await page.keyboard.press('j')
    const first = await focused()
    await page.keyboard.press('ArrowRight')
    t.match(await focused(), 'Read')
    await page.keyboard.press('ArrowLeft')
    t.equal(await focused(), first)
    await page.keyboard.press('ArrowLeft')
    t.match(await focused(), /^Direct messages/)
    for (let step = 0; step < 60; step++) await page.keyboard.press('ArrowDown')
    t.not(await inbox.evaluate((list) => list.scrollTop), 0, 'it goes on below the screen')
    t.ok(await page.evaluate(() => document.activeElement?.matches('.inbox [data-row]')))
  },
)

t.test(
  '[BUSY8] the Inbox opens with the rows of the screen; those around it follow their painting',
  async (t) => {
    const page = await team.openAs(t, 'member', { path: '/#drafts' })
    await page.getByRole('heading', { name: 'Drafts' }).waitFor()
    await page.evaluate(() => {
      const counts: number[] = []
      Object.assign(globalThis, { rowCounts: counts })
      new MutationObserver(() => {
        const { length } = document.querySelectorAll('.rows [data-row], .rows h2')
        if (length > 0 && counts.at(-1) !== length) counts.push(length)
      }).observe(document.body, { childList: true, subtree: true })
    })
    await showView(page, '#inbox')
    // Those of the screen are fewer once its height is known.
    await page.waitForFunction(() => {
      const [first = 0, ...later] = Reflect.get(globalThis, 'rowCounts') as number[]
      return later.some((count) => count > first)
    })
    const [first = 0] = await page.evaluate(() => Reflect.get(globalThis, 'rowCounts') as number[])
    t.ok(first > 15, `${first} rows`)
  },
)

/** Messages, and how a line says them. */
const WORDS: Readonly<Record<string, string>> = {
  '/poll Which way?\nIn\nOut': 'Poll: Which way?',
  '/todo Before noon\nEat\nDrink': 'To-do: Before noon, 0 of 2 done',
  '```ts\nconst one = 1\nconst two = 2\n```': 'Code: const one = 1',
  '| Who | When |\n|---|---|\n| me | now |': 'Table: Who, When',
  '> It was me\n\nWas it **really** & <truly> you?': 'It was me Was it really & <truly> you?',
  '```quote\nIt was me\n```': 'Quote: It was me',
  '```spoiler The end\nAll are well\n```': 'Spoiler: The end',
  '/me waters the plants': 'waters the plants',
  'Plain & <simple> "words"': 'Plain & <simple> "words"',
}

t.test('[BUSY4] lines say in words what polls, code and pictures are, never their Markdown', async (t) => {
  for (const [index, text] of Object.keys(WORDS).entries())
    await server.as('owner').send('random', `words ${index}`, text)
  const page = await team.openAs(t, 'member', { path: '/#recent' })
  const line = (name: string) =>
    page.locator('.inbox .line', { hasText: name }).locator('.said > bdi:last-child')
  for (const [index, words] of Object.values(WORDS).entries())
    t.equal(await line(`words ${index}`).innerText(), words)
  await page.locator('.inbox').getByText('2 pictures', { exact: true }).waitFor()
})

t.test('[BUSY5] names of all scripts have a face with a letter of enough contrast', async (t) => {
  const page = await team.openAs(t, 'member')
  await page.locator('.inbox .face').first().waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const faces = await page.evaluate(() => {
      const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })
      const luminance = (color: string) => {
        if (!canvas) throw new Error('there is no canvas')
        canvas.fillStyle = color
        canvas.fillRect(0, 0, 1, 1)
        const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => {
          const share = part / 255
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
      }
      const face = document.querySelector<HTMLElement>('.inbox .face')
      if (!face) throw new Error('there is no face')
      return Array.from({ length: 36 }, (_, index) => {
        face.style.setProperty('--hue', String(index * 10))
        const { color, backgroundColor } = getComputedStyle(face)
        const [one, other] = [luminance(color), luminance(backgroundColor)]
        return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
      })
    })
    t.ok(Math.min(...faces) >= 4.5, `${colorScheme}: ${Math.min(...faces)}`)
  }
  const letters = await page.locator('.inbox .face:not(:has(img))').allInnerTexts()
  t.ok(letters.length > 5 && letters.every((text) => text.length === 1), letters.join(' '))
})

t.test('[BUSY10] a face has the first letter of its name in each script, and a group has two', async (t) => {
  const page = await team.openAs(t, 'member')
  const { members } = await server.as('member').must('GET', '/users')
  const idOf = (name: string) => members.find((one) => one.full_name === name)?.user_id ?? 0
  for (const [name, letter] of [
    ['田中 さくら', '田'],
    ['محمد الأحمد', 'م'],
    ['김민준', '김'],
    ['陈伟', '陈'],
    ['ליאור מזרחי', 'ל'],
    ['Łukasz Wójcik', 'Ł'],
    ['Ólafur Jónsson', 'Ó'],
  ] as const) {
    await showView(page, `#user/${idOf(name)}`)
    const face = page.locator(`main .face[data-user="${idOf(name)}"]`)
    t.equal(await face.first().innerText(), letter)
    t.equal(await face.first().getAttribute('aria-hidden'), 'true', 'the name is read, not its letter')
  }
  const group = [idOf('陈伟'), idOf('ליאור מזרחי'), server.as('member').userId]
  await server.as('owner').sendDirect(group, 'All of us')
  await showView(page, '#recent')
  const faces = page.locator('.inbox .line', { hasText: 'All of us' }).locator('.faces > .face')
  await faces.nth(1).waitFor()
  t.equal(await faces.count(), 2)
  const [one, other] = await Promise.all([faces.nth(0).boundingBox(), faces.nth(1).boundingBox()])
  t.ok(one && other && other.x > one.x && other.x < one.x + one.width, 'one lies over the other')
})

/** The boxes of an element's first and last letter. */
function letterBoxes(element: Element): readonly [first: number, last: number] {
  const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text
  const leftOf = (at: number) => {
    const range = document.createRange()
    range.setStart(text, at)
    range.setEnd(text, at + 1)
    return range.getBoundingClientRect().left
  }
  return [leftOf(0), leftOf(text.data.length - 1)]
}

t.test(
  '[BUSY11] a name from right to left does not turn the text after it, nor a text its sender',
  async (t) => {
    const page = await team.openAs(t, 'member', { path: '/#recent' })
    await server.as('member2').send('random', 'directions', 'Back in ten minutes.')
    const line = page.locator('.inbox .line', { hasText: 'directions' })
    const [who, said] = [line.locator('.who'), line.locator('.said > bdi:last-child')]
    await said.getByText('Back in ten minutes.').waitFor()
    const [name, text] = [await who.evaluate(letterBoxes), await said.evaluate(letterBoxes)]
    t.ok(name[0] > name[1], 'the name runs from right to left')
    t.ok(text[0] < text[1], 'its full stop is at the right')
    t.ok(Math.max(...name) < text[0], 'the name comes first')
    await server.as('owner').send('random', 'directions', 'שלום לכולם.')
    await said.getByText('שלום לכולם.').waitFor()
    const [latin, hebrew] = [await who.evaluate(letterBoxes), await said.evaluate(letterBoxes)]
    t.ok(latin[0] < latin[1] && hebrew[0] > hebrew[1])
    t.ok(latin[1] < hebrew[1], 'the name comes first')
  },
)

/** Messages after which the memory is measured. */
const MESSAGES_BEFORE = 40
const MESSAGES_AFTER = 120
/** The messages themselves take a tenth of it, and trees that are not shown any more would take twice as much. */
const GROWTH_BYTES_MAX = 5e6

t.test('[BUSY13] a page holds no trees that it showed before other messages came', async (t) => {
  const page = await team.openAs(t, 'member')
  await page.reload()
  await page.locator('.row[aria-current=page]').first().waitFor()
  await showView(page, '#narrow/channel/1-engineering/topic/Flaky.20uploads')
  const debug = await page.context().newCDPSession(page)
  const writer = server.as('owner')
  async function heapAfter(count: number, last: string): Promise<number> {
    for (let sent = 1; sent < count; sent++) {
      const content = `${last} ${sent}`
      await writer.must('POST', '/messages', {
        type: 'channel',
        to: 1 + (sent % 8),
        topic: `topic ${sent % 50}`,
        content,
      })
    }
    await writer.must('POST', '/messages', { type: 'channel', to: 1, topic: 'Flaky uploads', content: last })
    await page.getByRole('log').getByText(last, { exact: true }).waitFor()
    await debug.send('HeapProfiler.collectGarbage')
    return (await debug.send('Runtime.getHeapUsage')).usedSize
  }
  const before = await heapAfter(MESSAGES_BEFORE, 'That was the start')
  const growth = (await heapAfter(MESSAGES_AFTER, 'That was the end')) - before
  t.ok(growth < GROWTH_BYTES_MAX, `${growth} bytes`)
})
