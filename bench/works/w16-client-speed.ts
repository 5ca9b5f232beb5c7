/** W16: switching between conversations that were read, and the longest task while one scrolls or messages arrive. */

import type { Page } from 'playwright-core'
import { HttpConnection, postRequest } from '../load/http-connection.ts'
import { makeContent } from '../load/make-content.ts'
import { boundSize } from '../measure/figure.ts'
import { percentile } from '../measure/percentile.ts'
import type { Work } from '../measure/work.ts'
import type { Person } from '../start/create-people.ts'
import { fillBusyOrganization } from '../start/fill-busy-organization.ts'
import { fillChannels } from '../start/fill-channels.ts'
import { openBrowser } from '../start/open-browser.ts'
import { startParley } from '../start/start-parley.ts'
import { sized } from '../measure/sizes.ts'

const LONG = 'books'
const SHORT = ['general', 'random'] as const
/** Opened before everything is read, so that it stays where it was left. */
const UNREAD = 'lunch'
/** How many times slower than this machine, for the Inbox and for typing: about an inexpensive phone. */
const SLOWDOWN = sized(4, 1)
const INBOX_TASK_MS_MAX = 100
const KEY_MS_MAX = 50
const KEYS = sized(60, 10)
const LONG_HISTORY = sized(10_000, 600)
const SWITCHES = sized(40, 4)
const SWITCH_MS_MAX = 50
const TASK_MS_MAX = 50
const MESSAGES_PER_SECOND = 50
const ARRIVING_MS = sized(6_000, 1_000)
/** Pixels of one turn of the wheel. */
const WHEEL_PX = 1_200
/** Turns in the Inbox. */
const INBOX_TURNS = sized(20, 4)

export const clientSpeed: Work = {
  name: 'W16',
  title:
    'the browser client in a busy organization: the Inbox, typing, switching, scrolling, 50 messages a second',
  limit: '50 ms for a switch and for any task; 100 ms for one of the Inbox, slowed 4 times',
  async run({ createDatabase, say }) {
    const databaseUrl = await createDatabase()
    const { reader, writers, channelIds } = await fillBusyOrganization(databaseUrl)
    const [writer] = writers as [Person]
    const addressOf = (name: string) => `/#narrow/channel/${channelIds.get(name)}-${name}`
    const oldestId = (await fillChannels(databaseUrl, [LONG], LONG_HISTORY)).get(LONG)?.[0] ?? 0
    await fillChannels(databaseUrl, SHORT, 200)
    const parley = await startParley(databaseUrl)
    const browser = await openBrowser(databaseUrl, parley.port, reader)
    try {
      const { page, debug } = await browser.open()
      await page.addInitScript(observeTasks)
      await debug.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
      const inbox = await measureInbox(page)
      say(`600 unread conversations in the Inbox: ${describe(inbox)}`)
      const keyMs = await measureTyping(page, addressOf(UNREAD))
      say(`a key in the composer takes ${keyMs} ms`)
      await debug.send('Emulation.setCPUThrottlingRate', { rate: 1 })
      await readEverything(parley.port, reader)
      const switches = await measureSwitches(page, addressOf(SHORT[0]))
      say(
        `switches take ${Math.round(percentile(switches, 0.5))} ms, p99 ${Math.round(percentile(switches, 0.99))}`,
      )
      const scrolling = await measureScrolling(page, addressOf(LONG), oldestId)
      say(`${scrolling.turns} turns of the wheel lead to the oldest message; ${describe(scrolling)}`)
      const arriving = await measureArriving(page, addressOf(SHORT[0]), { port: parley.port, writer })
      say(`while messages arrive: ${describe(arriving)}`)
      return [
        boundSize(
          'longest task of the Inbox, slowed 4 times',
          inbox.longestMs,
          { unit: 'ms', max: INBOX_TASK_MS_MAX },
          { 'long tasks': inbox.count },
        ),
        boundSize('a key in the composer, slowed 4 times', keyMs, { unit: 'ms', max: KEY_MS_MAX }),
        boundSize(
          'switch',
          Math.round(percentile(switches, 0.5)),
          { unit: 'ms', max: SWITCH_MS_MAX },
          {
            p99: Math.round(percentile(switches, 0.99)),
          },
        ),
        boundSize(
          'longest task while scrolling',
          scrolling.longestMs,
          { unit: 'ms', max: TASK_MS_MAX },
          {
            turns: scrolling.turns,
            'long tasks': scrolling.count,
          },
        ),
        boundSize(
          'longest task while messages arrive',
          arriving.longestMs,
          { unit: 'ms', max: TASK_MS_MAX },
          {
            'long tasks': arriving.count,
          },
        ),
      ]
    } finally {
      await browser.close()
      await parley.close()
    }
  },
}

/** Conversations that were read open at their newest message. */
async function readEverything(port: number, { authorization }: Person): Promise<void> {
  const connection = await HttpConnection.open(port)
  const { status, body } = await connection.ask(postRequest('/api/v1/mark_all_as_read', authorization, {}))
  if (status !== 200) throw new Error(`marking as read answered ${status}: ${body}`)
  connection.close()
}

/** Runs in the page: notes tasks of 50 ms and more, as browsers report them. */
function observeTasks(): void {
  const tasks: number[] = []
  Object.assign(globalThis, { longTasks: tasks })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) tasks.push(duration)
  }).observe({ type: 'longtask' })
}

/** Long tasks since the last call. */
interface LongTasks {
  readonly count: number
  /** 0 if none was long. */
  readonly longestMs: number
}

async function takeTasks(page: Page): Promise<LongTasks> {
  const tasks = await page.evaluate(() => (Reflect.get(globalThis, 'longTasks') as number[]).splice(0))
  return { count: tasks.length, longestMs: Math.round(Math.max(0, ...tasks)) }
}

/** Milliseconds from each click until the other conversation is painted. */
async function measureSwitches(page: Page, address: string): Promise<number[]> {
  await page.goto(address)
  await page.locator('[role=log] [data-id]').last().waitFor()
  const samples: number[] = []
  for (let count = 0; count <= SWITCHES; count++) {
    const name = SHORT[count % 2] as string
    const link = page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name, exact: true })
    await link.hover()
    const ms = await link.evaluate(
      (element, wanted) =>
        new Promise<number>((resolve) => {
          const startMs = performance.now()
          ;(element as HTMLElement).click()
          const look = () => {
            const isShown =
              document.querySelector('h1')?.textContent?.includes(wanted) &&
              document.querySelector('[role=log] [data-id]')
            if (isShown) setTimeout(() => resolve(performance.now() - startMs))
            else requestAnimationFrame(look)
          }
          requestAnimationFrame(look)
        }),
      name,
    )
    if (count > 1) samples.push(ms) // Both have been read.
  }
  return samples
}

/** The Inbox is opened from a small view, and scrolled for a while. */
async function measureInbox(page: Page): Promise<LongTasks> {
  await page.goto('/#drafts')
  await page.getByRole('heading', { name: 'Drafts' }).waitFor()
  // The page is at rest once nothing was loaded for a while.
  await page.waitForLoadState('networkidle')
  await takeTasks(page)
  await page.evaluate(() => (location.hash = 'inbox'))
  await page.locator('.inbox time:not(:empty)').first().waitFor()
  await page.locator('.inbox').hover()
  for (let turn = 0; turn < INBOX_TURNS; turn++) {
    await page.mouse.wheel(0, WHEEL_PX / 2)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  }
  return takeTasks(page)
}

/** Milliseconds from a key in the composer until it is painted. */
async function measureTyping(page: Page, address: string): Promise<number> {
  await page.goto(address)
  const field = page.getByRole('textbox', { name: 'Message' })
  await field.click()
  await page.evaluate(() => {
    const samples: number[] = []
    Object.assign(globalThis, { keySamples: samples })
    addEventListener('keydown', ({ timeStamp }) =>
      // The second frame begins after the first is painted.
      requestAnimationFrame(() => setTimeout(() => samples.push(performance.now() - timeStamp))),
    )
  })
  for (let key = 0; key < KEYS; key++) await page.keyboard.press('a')
  await page.waitForFunction(
    (count) => (Reflect.get(globalThis, 'keySamples') as number[]).length >= count,
    KEYS,
  )
  const samples = await page.evaluate(() => Reflect.get(globalThis, 'keySamples') as number[])
  await field.fill('')
  return Math.round(percentile(samples, 0.9))
}

/** Scrolls up to the oldest message by the wheel. */
async function measureScrolling(
  page: Page,
  address: string,
  oldestId: number,
): Promise<LongTasks & { readonly turns: number }> {
  await page.goto(address)
  const log = page.getByRole('log')
  await log.locator('[data-id]').last().waitFor()
  await log.hover()
  // Cheaper than a search for its text, which would be measured, too.
  const isThere = () => page.evaluate((id) => document.getElementById(`message-${id}`) !== null, oldestId)
  await takeTasks(page)
  let turns = 0
  while (!(await isThere())) {
    if (turns++ > LONG_HISTORY) throw new Error('the oldest message does not come')
    await page.mouse.wheel(0, -WHEEL_PX)
  }
  return { turns, ...(await takeTasks(page)) }
}

async function measureArriving(
  page: Page,
  address: string,
  { port, writer }: { readonly port: number; readonly writer: Person },
): Promise<LongTasks> {
  await page.goto(address)
  await page.locator('[role=log] [data-id]').last().waitFor()
  const connection = await HttpConnection.open(port)
  await takeTasks(page)
  const startMs = performance.now()
  let sent = 0
  while (performance.now() - startMs < ARRIVING_MS) {
    const { status, body } = await connection.ask(
      postRequest('/api/v1/messages', writer.authorization, {
        type: 'channel',
        to: JSON.stringify(SHORT[0]),
        topic: 'live',
        content: makeContent(100_000 + sent),
      }),
    )
    if (status !== 200) throw new Error(`sending answered ${status}: ${body}`)
    sent++
    const dueMs = startMs + (sent * 1_000) / MESSAGES_PER_SECOND
    await new Promise((resolve) => setTimeout(resolve, dueMs - performance.now()))
  }
  connection.close()
  await page
    .getByRole('log')
    .getByText(makeContent(100_000 + sent - 1), { exact: true })
    .waitFor()
  return takeTasks(page)
}

const describe = ({ count, longestMs }: LongTasks) => `${count} long tasks, the longest of ${longestMs} ms`
