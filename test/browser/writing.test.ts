/** Writing in the browser client: nothing typed is lost, and each message is sent once. */

import type { Page } from 'playwright-core'
import t from 'tap'
import { waitForComposer, write } from './conversation.ts'
import { startTeam } from './team.ts'

const { server, openAs } = await startTeam(t)
const [owner, member] = [server.as('owner'), server.as('member')]
await owner.must('POST', '/users/me/subscriptions', {
  subscriptions: [{ name: 'plans' }],
  principals: [owner.userId, member.userId, server.as('member2').userId],
})
const { streams } = await owner.must('GET', '/streams')
const channelId: number = streams.find(({ name }: { name: string }) => name === 'plans').stream_id
const addressOf = (topic: string) => `/#narrow/channel/${channelId}-plans/topic/${topic}`
const message = (page: Page) => page.getByLabel('Message', { exact: true })

/** The texts of a topic, as typed. */
async function sentTo(topic: string): Promise<string[]> {
  const { messages } = await owner.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    apply_markdown: false,
    narrow: [
      { operator: 'channel', operand: channelId },
      { operator: 'topic', operand: topic },
    ],
  })
  return messages.map(({ content }: { content: string }) => content)
}

async function open(page: Page, topic: string): Promise<void> {
  await page.goto(addressOf(topic))
  await page.getByRole('heading', { name: topic }).waitFor()
  await message(page).waitFor()
}

/** Whether the database of the browser has a file that is being uploaded. */
function hasStoredUpload(name: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name)
    opening.onerror = () => reject(opening.error ?? new Error('there is no database'))
    opening.onsuccess = () => {
      const counting = opening.result.transaction('uploads').objectStore('uploads').count()
      counting.onsuccess = () => {
        opening.result.close()
        resolve(counting.result > 0)
      }
    }
  })
}

t.test('[WRITE1] a draft is on every device, survives a reload, and ends when it is sent', async (t) => {
  const [one, two] = await Promise.all([openAs(t, 'member'), openAs(t, 'member')])
  await open(one, 'drafts')
  await message(one).pressSequentially('Half a thought')
  await one.getByText('Draft saved', { exact: true }).waitFor()
  await open(two, 'drafts')
  await two.waitForFunction(() => document.querySelector('textarea')?.value === 'Half a thought')
  await message(two).press('End')
  await message(two).pressSequentially(', and the rest')
  await one.waitForFunction(
    () => document.querySelector('textarea')?.value === 'Half a thought, and the rest',
  )
  await one.reload()
  await one.waitForFunction(
    () => document.querySelector('textarea')?.value === 'Half a thought, and the rest',
  )
  await message(one).press('Enter')
  await one
    .getByRole('article', { name: /^(?!Your message)/ })
    .getByText('Half a thought, and the rest')
    .waitFor()
  await two.waitForFunction(() => document.querySelector('textarea')?.value === '')
  t.same(await sentTo('drafts'), ['Half a thought, and the rest'])
  const gone = async () => (await member.must('GET', '/drafts')).drafts.length === 0
  while (!(await gone())) await two.evaluate(() => new Promise(requestAnimationFrame))
})

t.test('[WRITE2] words that were typed without a connection are there after a reload', async (t) => {
  const page = await openAs(t, 'member2')
  await open(page, 'offline')
  await page.route('**/api/v1/drafts*', (route) => route.abort())
  await message(page).pressSequentially('Only here')
  await page.getByText('Draft saved on this device').waitFor()
  await page.reload()
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'Only here')
  t.pass('the device had them')
})

t.test(
  '[WRITE3] a message that was sent without a connection leaves once, also after its page is closed',
  async (t) => {
    const page = await openAs(t, 'member')
    await open(page, 'lost')
    await page.route('**/api/v1/messages', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await message(page).fill('Written in a tunnel')
    await message(page).press('Enter')
    await page
      .getByRole('article', { name: 'Your message, sending' })
      .getByText('Written in a tunnel')
      .waitFor()
    await page.waitForFunction(() => document.querySelector('textarea')?.value === '')
    const context = page.context()
    await page.close()
    t.same(await sentTo('lost'), [])
    const next = await context.newPage()
    await open(next, 'lost')
    await next
      .getByRole('article', { name: /^(?!Your message)/ })
      .getByText('Written in a tunnel')
      .waitFor()
    t.same(await sentTo('lost'), ['Written in a tunnel'])
  },
)

t.test('[WRITE4] people, channels, topics, emoji and commands are completed by keyboard alone', async (t) => {
  const page = await openAs(t, 'member')
  await open(page, 'drafts')
  await waitForComposer(page)
  const { full_name: name } = await owner.must('GET', '/users/me')
  const option = page.getByRole('option')
  await page.keyboard.type('@')
  await option.first().waitFor()
  await page.keyboard.type(name.slice(0, 5))
  await page.getByRole('option', { name: new RegExp(`^${name}`), selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type(':tad')
  await page.getByRole('option', { name: ':tada:', selected: true }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type('#pla')
  await page.getByRole('option', { name: 'plans', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('#plans>lo')
  await page.getByRole('option', { name: /lost/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  t.equal(await message(page).inputValue(), `@**${name}** :tada: #**plans** #**plans>lost** `)
  await page.keyboard.press('Control+A')
  await page.keyboard.type('/')
  await option.first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option', { name: '/todo', selected: true }).waitFor()
  await page.keyboard.press('Escape')
  await option.first().waitFor({ state: 'detached' })
  await page.keyboard.press('Control+A')
  await page.keyboard.type('word')
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Control+B')
  t.equal(await message(page).inputValue(), '**word**')
  await page.keyboard.press('Control+Z')
  t.equal(await message(page).inputValue(), 'word', 'and undo works')
  await message(page).fill('')
})

t.test(
  '[WRITE5] an upload that is cut goes on after a reload, and its link takes its place in the text',
  async (t) => {
    const page = await openAs(t, 'member')
    await open(page, 'files')
    await page.route('**/api/v1/tus/**', (route) => route.abort())
    await message(page).pressSequentially('See ')
    await page.locator('input[type=file]').setInputFiles({
      name: 'plan [1].txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('step one'.repeat(1_000)),
    })
    await page.getByRole('progressbar', { name: 'Upload of plan [1].txt' }).waitFor()
    await page.keyboard.type('and tell me')
    t.match(await message(page).inputValue(), /^See \[Uploading plan \(1\)\.txt…\]\(\) and tell me$/)
    t.ok(await page.getByRole('button', { name: 'Uploading…' }).isDisabled())
    await page.getByText('Draft saved', { exact: true }).waitFor()
    // A file is too large for storage that takes it at once.
    await page.waitForFunction(hasStoredUpload, `parley-${member.userId}`)
    await page.unroute('**/api/v1/tus/**')
    await page.reload()
    await page.waitForFunction(() =>
      document.querySelector('textarea')?.value.startsWith('See [plan (1).txt](/user_uploads/'),
    )
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    // A message on its way shows the text; the link is that of the server.
    await page.getByRole('log').getByRole('link', { name: 'plan (1).txt' }).waitFor()
    const [sent = ''] = await sentTo('files')
    t.match(sent, /^See \[plan \(1\)\.txt\]\(\/user_uploads\/[^)]+\) and tell me$/)
    const path = /\((.*)\)/.exec(sent.slice(sent.indexOf(']')))?.[1] ?? ''
    const stored = await page.evaluate(async (address) => (await fetch(address)).text(), path)
    t.equal(stored, 'step one'.repeat(1_000))
  },
)

t.test(
  '[WRITE35] a message is not sent before its file is there, and a file whose place was deleted is not lost',
  async (t) => {
    const page = await openAs(t, 'member')
    await open(page, 'meanwhile')
    const gate = Promise.withResolvers<void>()
    await page.route('**/api/v1/tus/**', async (route) => {
      await gate.promise
      await route.continue()
    })
    await message(page).pressSequentially('See ')
    await page.locator('input[type=file]').setInputFiles({
      name: 'tide.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('high at noon'),
    })
    await page.getByRole('progressbar', { name: 'Upload of tide.txt' }).waitFor()
    await message(page).press('Enter')
    t.equal(await message(page).inputValue(), 'See [Uploading tide.txt…]() ')
    await write(page, 'Without the file')
    await page.locator('[role=log] [data-id]').getByText('Without the file').waitFor()
    gate.resolve()
    await page.waitForFunction(() =>
      document.querySelector('textarea')?.value.startsWith('[tide.txt](/user_uploads/'),
    )
    t.same(await sentTo('meanwhile'), ['Without the file'])
    await message(page).fill('')
  },
)

/** Lets go of files over an element. */
async function drop(page: Page, selector: string, names: readonly string[], event: 'dragover' | 'drop') {
  await page.evaluate(
    ({ selector, names, event }) => {
      const dataTransfer = new DataTransfer()
      for (const name of names) dataTransfer.items.add(new File([name], name, { type: 'text/plain' }))
      const options = { dataTransfer, bubbles: true, cancelable: true }
      document.querySelector(selector)?.dispatchEvent(new DragEvent(event, options))
    },
    { selector, names, event },
  )
}

t.test(
  '[WRITE36] files that are dropped or pasted anywhere in a conversation go along, and say what they show',
  async (t) => {
    const page = await openAs(t, 'member')
    await open(page, 'dropped')
    await waitForComposer(page)
    await drop(page, '[role=log]', ['one.txt', 'two.txt'], 'dragover')
    await page.getByText('Add to your message in plans › dropped').waitFor()
    await drop(page, '.side', ['one.txt'], 'dragover')
    await page.getByText('Add to your message in').waitFor({ state: 'detached' })
    await drop(page, '.side', ['nowhere.txt'], 'drop')
    await drop(page, '[role=log]', ['one.txt', 'two.txt'], 'drop')
    const files = page.getByRole('list', { name: 'Files' })
    for (const name of ['one.txt', 'two.txt'])
      await files.getByRole('button', { name: `Describe ${name}` }).waitFor()
    await page.getByRole('log').focus()
    await page.evaluate(() => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File(['three'], 'three.txt', { type: 'text/plain' }))
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.activeElement?.dispatchEvent(event)
    })
    await files.getByRole('button', { name: 'Describe three.txt' }).waitFor()
    t.equal(await files.getByRole('listitem').count(), 3)
    await files.getByRole('button', { name: 'Remove two.txt' }).click()
    await files.getByRole('button', { name: 'Describe one.txt' }).click()
    const description = page.getByRole('dialog').getByLabel('Description')
    t.equal(await description.inputValue(), 'one.txt')
    await description.fill('The tides of [June]')
    await description.press('Enter')
    await page.route('**/api/v1/tus/**', (route) => route.abort())
    await drop(page, 'h1', ['four.txt'], 'drop')
    await files.getByRole('progressbar', { name: 'Upload of four.txt' }).waitFor()
    await files.getByRole('button', { name: 'Pause four.txt' }).click()
    await files.getByRole('button', { name: 'Cancel four.txt' }).click()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('log').getByRole('link', { name: 'The tides of (June)' }).waitFor()
    const [sent = ''] = await sentTo('dropped')
    t.match(
      sent,
      /^\[The tides of \(June\)\]\(\/user_uploads\/\S+one\.txt\) \[three\.txt\]\(\/user_uploads\/\S+three\.txt\)$/,
    )
  },
)

t.test('[WRITE37] on a touch screen Enter begins a new line, and the arrow sends', async (t) => {
  const page = await openAs(t, 'member', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await open(page, 'touched')
  await message(page).fill('One')
  await message(page).press('Enter')
  await message(page).pressSequentially('two')
  t.equal(await message(page).inputValue(), 'One\ntwo')
  await page.getByRole('button', { name: 'Send', exact: true }).tap()
  await page.locator('[role=log] [data-id]').getByText('two').waitFor()
  t.same(await sentTo('touched'), ['One\ntwo'])
})

t.test('[WRITE38] the composer is one line at rest, and has its tools and topic in use', async (t) => {
  const page = await openAs(t, 'member')
  await open(page, 'drafts')
  const composer = page.getByRole('form', { name: 'Write a message' })
  const bold = composer.getByRole('button', { name: 'Bold' })
  const isHigh = (height: number) =>
    page.waitForFunction(
      (px) => document.querySelector('.composer')?.getBoundingClientRect().height === px,
      height,
    )
  const edge = () => composer.evaluate((one) => getComputedStyle(one).borderTopColor)
  await isHigh(48)
  const x = async () => (await message(page).boundingBox())?.x
  const atRest = await x()
  t.notOk(await bold.isVisible())
  t.ok(await composer.getByRole('button', { name: 'Send' }).isDisabled())
  await message(page).click()
  await isHigh(88)
  t.equal(await x(), atRest, 'the text stands where it was')
  t.ok(await bold.isVisible())
  const byPointer = await edge()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  t.not(await edge(), byPointer, 'the keyboard shows where the focus is')
  await page.getByRole('link', { name: 'Starred' }).click()
  await page.getByRole('heading', { name: 'Starred' }).waitFor()
  await page.goto(`/#narrow/channel/${channelId}-plans`)
  await isHigh(48)
  await message(page).click()
  await isHigh(129)
  await page.getByRole('heading', { name: 'plans' }).click()
  await isHigh(48)
})

t.test('[WRITE6] a message is sent later from the menu, and the text is free for the next', async (t) => {
  const page = await openAs(t, 'member')
  await open(page, 'later')
  await message(page).fill('Good morning')
  await page.getByRole('button', { name: 'Send later' }).click()
  await page.getByRole('menuitem', { name: 'Tomorrow at 9:00' }).click()
  await page.waitForFunction(() => document.querySelector('textarea')?.value === '')
  const { scheduled_messages } = await member.must('GET', '/scheduled_messages')
  t.match(scheduled_messages, [{ content: 'Good morning', topic: 'later', to: channelId }])
  t.same(await sentTo('later'), [])
})

t.test('[WRITE7] hostile pasted text stays text: in the draft, the preview and the message', async (t) => {
  const page = await openAs(t, 'member')
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('dialog', (dialog) => {
    problems.push(dialog.message())
    void dialog.dismiss()
  })
  await open(page, 'hostile')
  const hostile =
    '<img src=x onerror=alert(1)>"\'><script>alert(2)</script>[x](javascript:alert(3)) @ \u202e# ('
  await message(page).focus()
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    if (document.activeElement?.dispatchEvent(event)) document.execCommand('insertText', false, text)
  }, hostile)
  t.equal(await message(page).inputValue(), hostile)
  await page.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByText('onerror=alert(1)').waitFor()
  t.equal(await preview.locator('img, script, a[href^="javascript"]').count(), 0)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const shown = page.getByRole('log').getByRole('article', { name: /^(?!Your message)/ })
  await shown.getByText('onerror=alert(1)').waitFor()
  t.equal(await shown.locator('img[src="x"], script, a[href^="javascript"]').count(), 0)
  t.same(problems, [])
})

t.test(
  '[WRITE40] mentions are marked below their letters while a message is written, and it stays plain text',
  async (t) => {
    const page = await openAs(t, 'member')
    await open(page, 'marks')
    const field = message(page)
    await field.click()
    await page.keyboard.type('Ask @the ow')
    await page
      .getByRole('option', { name: /The owner/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    const marks = page.locator('.composer .mention-marks mark')
    await marks.getByText('@**The owner**', { exact: true }).waitFor()
    await page.keyboard.type('about #**plans** and @**Nobody**')
    await marks.nth(1).waitFor()
    t.same(await marks.allTextContents(), ['@**The owner**', '#**plans**'])
    t.equal(await page.locator('.mention-marks').getAttribute('aria-hidden'), 'true')
    await page.emulateMedia({ forcedColors: 'active' })
    t.notOk(await page.locator('.mention-marks').isVisible(), 'with forced colors its letters would be seen')
    await page.emulateMedia({ forcedColors: null })
    await page.keyboard.press('Control+z')
    t.notMatch(await field.inputValue(), /Nobody/, 'undo is that of the browser')
    // In any script, wrapped and scrolled, each mark is where its letters are.
    for (const text of [
      'A long line with @**The owner** in it and more words. ',
      'שורה ארוכה עם @**The owner** ועוד מילים. ',
    ]) {
      for (const content of [text, text.repeat(8), `${text}\n`.repeat(40)]) {
        await field.fill(content)
        await marks.first().waitFor()
        await page.waitForFunction(
          (wanted) => document.querySelector('.mention-marks')?.textContent === wanted,
          `${content}\u200b`,
        )
        await field.evaluate((area) => (area.scrollTop = area.scrollHeight))
        await page.waitForFunction(() => {
          const [area, layer] = [
            document.querySelector('.composer .area > textarea'),
            document.querySelector('.mention-marks'),
          ]
          if (!area || !layer) return false
          const styleOf = (one: Element) => {
            const { font, letterSpacing, wordSpacing, tabSize, unicodeBidi } = getComputedStyle(one)
            return [font, letterSpacing, wordSpacing, tabSize, unicodeBidi].join()
          }
          const [box, other] = [area.getBoundingClientRect(), layer.getBoundingClientRect()]
          return (
            styleOf(area) === styleOf(layer) &&
            Math.abs(area.scrollHeight - layer.scrollHeight) <= 1 &&
            Math.abs(area.scrollTop - layer.scrollTop) <= 1 &&
            Math.abs(box.left - other.left) <= 1 &&
            Math.abs(box.top - other.top) <= 1
          )
        })
      }
    }
    await field.fill('Thanks, @**The owner**!')
    await page.keyboard.press('Enter')
    await page.locator('[role=log] [data-id]').getByText('Thanks,').waitFor()
    t.equal((await sentTo('marks')).at(-1), 'Thanks, @**The owner**!')
    t.equal(await marks.count(), 0)
  },
)

t.test('[WRITE42] a key in a text with mentions asks the page for no measure', async (t) => {
  const page = await openAs(t, 'member')
  await open(page, 'measures')
  await message(page).fill('Ask @**The owner** about it ')
  await page.locator('.composer .mention-marks mark').waitFor()
  await page.evaluate(() => {
    const asked: string[] = []
    Object.assign(globalThis, { asked })
    for (const [type, names] of [
      [Element, ['clientWidth', 'clientHeight', 'scrollTop', 'scrollHeight']],
      [HTMLElement, ['offsetTop', 'offsetHeight', 'offsetWidth']],
    ] as const)
      for (const name of names) {
        const found = Object.getOwnPropertyDescriptor(type.prototype, name)
        if (!found?.get) throw new Error(`there is no ${name}`)
        const read = Reflect.get(found, 'get') as (this: Element) => number
        Object.defineProperty(type.prototype, name, {
          ...found,
          get(this: Element) {
            // The list measures itself by other clocks, such as that of the typeface.
            if (!this.closest('[role=log]')) asked.push(name)
            return read.call(this)
          },
        })
      }
  })
  await page.keyboard.type('today')
  await page.waitForFunction(() =>
    document.querySelector('.mention-marks')?.textContent?.startsWith('Ask @**The owner** about it today'),
  )
  t.same(await page.evaluate(() => Reflect.get(globalThis, 'asked') as string[]), [])
})

t.test(
  '[WRITE43] an edit of a message that was changed elsewhere says so, and the next save replaces that',
  async (t) => {
    const page = await openAs(t, 'member')
    const id = await member.send('plans', 'edited twice', 'First words')
    await page.goto(addressOf('edited.20twice'))
    await page.getByRole('article').filter({ hasText: 'First words' }).hover()
    await page.getByRole('toolbar', { name: 'Message tools' }).getByRole('button', { name: 'Edit' }).click()
    const area = page.getByRole('textbox', { name: 'Message text' })
    await area.fill('Words from here')
    await member.must('PATCH', `/messages/${id}`, { content: 'Words from elsewhere' })
    await area.press('Enter')
    await page.getByText('This message was changed elsewhere meanwhile.').waitFor()
    t.equal(await area.inputValue(), 'Words from here')
    t.same(await sentTo('edited twice'), ['Words from elsewhere'])
    await area.press('Enter')
    await area.waitFor({ state: 'detached' })
    t.same(await sentTo('edited twice'), ['Words from here'])
  },
)

t.test('[WRITE8] the reason stands in the place of the composer if one may not write', async (t) => {
  const page = await openAs(t, 'member')
  await open(page, 'drafts')
  const { user_groups } = await owner.must('GET', '/user_groups')
  const admins = user_groups.find(({ name }: { name: string }) => name === 'role:administrators').id
  await owner.must('PATCH', `/streams/${channelId}`, { can_send_message_group: { new: admins } })
  await page.getByText('Only administrators can post here.').waitFor()
  t.equal(await message(page).count(), 0)
})
