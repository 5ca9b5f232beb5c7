/** Messages in the browser client: their tools, reactions, edits and moves, by two people at a time. */

import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { startTeam } from './team.ts'

const { server, openAs } = await startTeam(t)
const [owner, member, member2] = [server.as('owner'), server.as('member'), server.as('member2')]
await owner.subscribe(['plans', 'archive'], { principals: [1, 4, 5] })
const [one, two] = await Promise.all([openAs(t, 'member'), openAs(t, 'member2')])

t.test('[TOOLS1] two people react, and both see each pill, its count and its names', async (t) => {
  const topic = 'reactions'
  await owner.send('plans', topic, 'Noodles today?')
  const [first, second] = await show(topic)
  await tool(first, 'Noodles today?', 'React')
  await first
    .getByRole('dialog', { name: 'Emoji' })
    .getByRole('option', { name: 'tada', exact: true })
    .first()
    .click()
  const pill = (page: Page, name: string) => row(page, 'Noodles today?').getByRole('button', { name })
  await pill(first, 'You reacted with tada').waitFor()
  await pill(second, 'The member reacted with tada').click()
  await pill(first, 'You and The member2 reacted with tada').waitFor()
  const shown = pill(second, 'You and The member reacted with tada')
  t.equal(await shown.locator('.emoji-look').innerText(), '🎉')
  t.equal(await shown.locator('b').innerText(), '2')
  t.equal(await shown.getAttribute('aria-pressed'), 'true')
  await pill(first, 'You and The member2 reacted with tada').click()
  await pill(second, 'You reacted with tada').waitFor()
})

t.test('[TOOLS2] an edit in place reaches the other page, with a mark and the differences', async (t) => {
  const topic = 'edits'
  const id = await member.send('plans', topic, 'I wrote this to soon')
  const [first, second] = await show(topic)
  await tool(first, 'I wrote this to soon', 'Edit')
  const area = first.getByLabel('Message text')
  t.equal(await area.inputValue(), 'I wrote this to soon')
  await area.fill('I wrote this **too** soon')
  await first.keyboard.press('Enter')
  const changed = row(second, 'I wrote this too soon')
  await changed.locator('strong').waitFor()
  await changed.getByRole('button', { name: 'edited' }).click()
  const history = second.getByRole('dialog', { name: 'Edit history' })
  await history.locator('.highlight_text_deleted').getByText('to').waitFor()
  await second.keyboard.press('Escape')
  t.equal((await member.must('GET', `/messages/${id}`)).raw_content, 'I wrote this **too** soon')
  t.equal(await second.getByLabel('Message text').count(), 0, 'only one page edits')
})

t.test(
  '[TOOLS3] a message moves alone and leaves both pages, or with its topic, which both follow',
  async (t) => {
    const topic = 'moves'
    await member.send('plans', topic, 'First of two')
    await member2.send('plans', topic, 'Second of two')
    const [first, second] = await show(topic)
    await choose(first, 'First of two', 'Move')
    const dialog = first.getByRole('dialog', { name: 'Move' })
    await dialog.getByRole('textbox', { name: 'Topic' }).fill('moved')
    await dialog.getByRole('button', { name: 'Move' }).click()
    await row(second, 'First of two').waitFor({ state: 'detached' })
    await row(first, 'First of two').waitFor({ state: 'detached' })
    await choose(first, 'Second of two', 'Move')
    await dialog.getByLabel('Channel').selectOption('archive')
    await dialog.getByLabel('Move', { exact: true }).selectOption('All messages in the topic')
    await dialog.getByRole('button', { name: 'Move' }).click()
    // The note goes after some seconds.
    const note = first.locator('.toast').filter({ hasText: 'Moved to #archive › moves' })
    await note.getByRole('button', { name: 'Show' }).waitFor()
    for (const page of [first, second]) {
      await page.getByRole('heading', { level: 1 }).getByText('archive').waitFor()
      await row(page, 'Second of two').waitFor()
      t.match(page.url(), /archive/)
    }
  },
)

t.test('[TOOLS4] a deletion asks first, and takes the message from both pages', async (t) => {
  const topic = 'deletions'
  await member.send('plans', topic, 'A slip')
  const [first, second] = await show(topic)
  await row(second, 'A slip').hover()
  await row(second, 'A slip').getByRole('button', { name: 'More' }).click()
  await second.getByRole('menuitem').first().waitFor()
  t.equal(await second.getByRole('menuitem', { name: 'Delete' }).count(), 0, 'others may not')
  await second.keyboard.press('Escape')
  await choose(first, 'A slip', 'Delete')
  const dialog = first.getByRole('dialog', { name: 'Delete this message?' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await row(second, 'A slip').waitFor()
  await choose(first, 'A slip', 'Delete')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await row(first, 'A slip').waitFor({ state: 'detached' })
  await row(second, 'A slip').waitFor({ state: 'detached' })
})

t.test('[TOOLS5] a mark as unread can be undone, and is not read again by itself', async (t) => {
  const topic = 'unread'
  const ids = [await owner.send('plans', topic, 'One'), await owner.send('plans', topic, 'Two')]
  const [first] = await show(topic)
  const unread = async () => {
    const { messages } = await member.must('GET', '/messages', { message_ids: ids })
    return messages.filter(({ flags }: { flags: string[] }) => !flags.includes('read')).length
  }
  const link = first.getByRole('link', { name: /^unread/ })
  await link.locator('.count').waitFor({ state: 'detached' })
  await choose(first, 'One', 'Mark as unread from here')
  await first.getByRole('status').getByText('2 messages marked as unread').waitFor()
  t.equal(await unread(), 2)
  await first.getByRole('status').getByRole('button', { name: 'Undo' }).last().click()
  await first.getByRole('status').getByText('2 messages marked as unread').waitFor({ state: 'detached' })
  await link.locator('.count').waitFor({ state: 'detached' })
})

t.test('[TOOLS6] the tools can be used by the keyboard alone', async (t) => {
  const topic = 'keyboard'
  await member.send('plans', topic, 'Older one')
  await member.send('plans', topic, 'Newer one')
  const [first] = await show(topic)
  await first.getByLabel('Message', { exact: true }).focus()
  await first.keyboard.press('Escape')
  await first.keyboard.press('k')
  t.equal(await first.evaluate(() => document.activeElement?.textContent?.includes('Older one')), true)
  const focusOn = async (name: string) => {
    const isThere = () => first.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    for (let step = 0; step < 8 && (await isThere()) !== name; step++) await first.keyboard.press('Tab')
    t.equal(await isThere(), name)
  }
  await focusOn('Star')
  await first.keyboard.press('Enter')
  await row(first, 'Older one').getByRole('img', { name: 'Starred' }).waitFor()
  await focusOn('More')
  await first.keyboard.press('Enter')
  await first.getByRole('menuitem', { name: 'Edit', exact: true }).waitFor()
  await first.keyboard.press('Enter')
  await first.getByLabel('Message text').waitFor()
  await first.keyboard.type(', changed')
  await first.keyboard.press('Enter')
  await row(first, 'Older one, changed').waitFor()
  await first.keyboard.press('+')
  await first.getByRole('dialog', { name: 'Emoji' }).locator(':focus').waitFor()
  await first.keyboard.type('+1')
  await first.keyboard.press('Enter')
  await row(first, 'Older one').getByRole('button', { name: 'You reacted with +1' }).waitFor()
})

t.test('[TOOLS7] two people vote in a poll and work on a list, live', async (t) => {
  const topic = 'polls'
  await member.send('plans', topic, '/poll When do we announce?\nThursday\nFriday')
  await member.send('plans', topic, '/todo Before that\nTell support')
  const [first, second] = await show(topic)
  const poll = (page: Page) => page.getByRole('region', { name: /^Poll: / })
  await poll(first).getByRole('button', { name: 'Thursday 0 votes' }).click()
  await poll(second).getByRole('button', { name: 'Thursday one vote, The member' }).click()
  await poll(first).getByRole('button', { name: 'Thursday 2 votes, you and The member2' }).waitFor()
  await poll(second).getByRole('button', { name: 'Add option' }).click()
  await poll(second).getByLabel('New option').fill('Next year')
  await second.keyboard.press('Enter')
  await poll(first).getByRole('button', { name: 'Next year 0 votes' }).waitFor()
  t.equal(await poll(second).getByRole('button', { name: 'Edit' }).count(), 0, 'the question is the author’s')
  await poll(first).getByRole('button', { name: 'Edit' }).click()
  await poll(first).getByLabel('Question').fill('When, after all?')
  await first.keyboard.press('Enter')
  await poll(second).getByText('When, after all?').waitFor()
  const list = (page: Page) => page.getByRole('region', { name: /^To-do list: / })
  await list(second).getByRole('button', { name: 'Add task' }).click()
  await list(second).getByLabel('New task').fill('Write the notes')
  await second.keyboard.press('Enter')
  await list(first).getByRole('checkbox', { name: 'Write the notes' }).click()
  await second.locator('.done').filter({ hasText: 'Write the notes' }).waitFor()
})

t.test('[TOOLS8] a hostile message runs nothing, loads nothing, and stays in its place', async (t) => {
  const topic = 'hostile'
  const evil = 'http://evil.invalid'
  await owner.send(
    'plans',
    topic,
    [
      `<script>window.stolen = 1</script><img src=x onerror="window.stolen = 1"> ![x](${evil}/a.png) ${evil}/b.png`,
      '[run](javascript:window.stolen=1) [data](data:text/html,<script>window.stolen=1</script>)',
      '\u202e gnp.exe \u2066 and \u200f more',
      `${'> '.repeat(200)}deep`,
      `$$\\href{javascript:window.stolen=1}{x}$$ ${'Z\u0351\u0352\u0353'.repeat(200)}`,
    ].join('\n\n'),
  )
  await owner.send('plans', topic, 'After it, [outside](https://example.invalid/page) #**plans>polls**')
  const foreign: string[] = []
  one.on('request', (request) => {
    if (!request.url().startsWith(server.node.url) && !request.url().startsWith('data:'))
      foreign.push(request.url())
  })
  const [first] = await show(topic)
  const after = row(first, 'After it,')
  await after.waitFor()
  t.equal(await first.evaluate(() => 'stolen' in window), false)
  t.same(foreign, [])
  t.equal(await first.locator('.rendered :is(script, iframe, object, style, [onerror], [style])').count(), 0)
  t.equal(await first.locator('.rendered a[href^="javascript:"], .rendered a[href^="data:"]').count(), 0)
  // Both at once: the list may still move.
  const gapPx = await row(first, 'window.stolen').evaluate(
    (hostile, next) => (next?.getBoundingClientRect().top ?? 0) - hostile.getBoundingClientRect().bottom,
    await after.elementHandle(),
  )
  t.ok(gapPx >= -1, 'it does not cover the next one')
  t.ok(await first.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
  const outside = after.getByRole('link', { name: 'outside' })
  t.equal(await outside.getAttribute('rel'), 'noopener noreferrer')
  await after.getByRole('link', { name: '#plans > polls' }).click()
  await first.getByRole('heading', { level: 1, name: 'polls' }).waitFor()
})

t.test('[TOOLS9] rendered text has behaviour: code is copied, spoilers open, times are local', async (t) => {
  const topic = 'alive'
  await one.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await member.send('plans', topic, '```js\nconst answer = 42\n```')
  await member.send('plans', topic, '```spoiler The ending\nIt was the cache\n```')
  await member.send('plans', topic, 'At <time:2026-11-26T14:00:00Z>, @**The member2|5**')
  await member.send('plans', topic, ':tada: :rocket:')
  await member.send('plans', topic, Array.from({ length: 90 }, (_, line) => `Line ${line}`).join('\n'))
  const [first, second] = await show(topic)
  await first.getByRole('button', { name: 'Copy code' }).click()
  await first.getByRole('status').getByText('Code copied').waitFor()
  t.equal(await first.evaluate(() => navigator.clipboard.readText()), 'const answer = 42\n')
  const secret = first.getByText('It was the cache')
  t.equal(await secret.isVisible(), false)
  await first.getByRole('button', { name: 'Show spoiler' }).click()
  await secret.waitFor()
  const time = await row(second, 'At ').locator('.rendered time').innerText()
  t.equal(time.includes('T14'), false)
  t.match(await row(second, 'At ').getAttribute('class'), /mention/)
  t.equal(await row(second, 'At ').locator('a.user-mention.own').getAttribute('href'), '#user/5')
  t.equal(await first.locator('.only-emoji').innerText(), '🎉 🚀')
  await first.getByRole('button', { name: 'Show full message' }).click()
  await first.getByText('Line 89').waitFor()
  t.equal(await first.locator('.folded').count(), 0)
})

/** The message with a text. */
function row(page: Page, text: string): Locator {
  return page.getByRole('article').filter({ hasText: text })
}

async function tool(page: Page, text: string, name: string): Promise<void> {
  await row(page, text).hover()
  await row(page, text).getByRole('button', { name, exact: true }).click()
}

async function choose(page: Page, text: string, item: string): Promise<void> {
  await tool(page, text, 'More')
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** Both pages with a topic of the channel `plans`. */
async function show(topic: string): Promise<readonly [Page, Page]> {
  const { streams } = await member.must('GET', '/streams')
  const id = streams.find(({ name }: { name: string }) => name === 'plans').stream_id
  for (const page of [one, two]) {
    await page.evaluate((hash) => (location.hash = hash), `#narrow/channel/${id}/topic/${topic}`)
    await page.getByRole('heading', { level: 1, name: topic }).waitFor()
    await page.getByRole('article').first().waitFor()
  }
  return [one, two]
}
