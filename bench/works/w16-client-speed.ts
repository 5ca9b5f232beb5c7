/** W16: switching between conversations that were read, and the longest task while one scrolls or messages arrive. */

import type { Page } from 'playwright-core'
import { HttpConnection, postRequest } from '../load/http-connection.ts'
import { makeContent } from '../load/make-content.ts'
import { boundSize } from '../measure/figure.ts'
import { percentile } from '../measure/percentile.ts'
import type { Work } from '../measure/work.ts'
import { createChannels } from '../start/create-channels.ts'
import { createPeople, type Person } from '../start/create-people.ts'
import { fillChannels } from '../start/fill-channels.ts'
import { openBrowser } from '../start/open-browser.ts'
import { startParley } from '../start/start-parley.ts'
import { sized } from '../measure/sizes.ts'

const PEOPLE = sized(100, 10)
const LONG = 'channel 0'
const SHORT = ['channel 1', 'channel 2'] as const
const LONG_HISTORY = sized(10_000, 600)
const SWITCHES = sized(40, 4)
const SWITCH_MS_MAX = 50
const TASK_MS_MAX = 50
const MESSAGES_PER_SECOND = 50
const ARRIVING_MS = sized(10_000, 1_000)
/** Pixels of one turn of the wheel. */
const WHEEL_PX = 1_200

export const clientSpeed: Work = {
  name: 'W16',
  title: 'the browser client: switching, scrolling through 10,000 messages, 50 messages a second',
  limit: '50 ms for a switch, and for any task',
  async run({ createDatabase, say }) {
    const databaseUrl = await createDatabase()
    const people = await createPeople(databaseUrl, PEOPLE)
    const [reader, writer] = people as [Person, Person]
    const first = await startParley(databaseUrl)
    await createChannels(first.port, people, [LONG, ...SHORT]).finally(() => first.close())
    const oldestId = (await fillChannels(databaseUrl, [LONG], LONG_HISTORY)).get(LONG)?.[0] ?? 0
    await fillChannels(databaseUrl, SHORT, 200)
    const parley = await startParley(databaseUrl)
    await readEverything(parley.port, reader)
    const browser = await openBrowser(databaseUrl, parley.port, reader)
    try {
      const { page } = await browser.open()
      await page.addInitScript(observeTasks)
      const switches = await measureSwitches(page)
      say(
        `switches take ${Math.round(percentile(switches, 0.5))} ms, p99 ${Math.round(percentile(switches, 0.99))}`,
      )
      const scrolling = await measureScrolling(page, oldestId)
      say(`${scrolling.turns} turns of the wheel lead to the oldest message; ${describe(scrolling)}`)
      const arriving = await measureArriving(page, parley.port, writer)
      say(`while messages arrive: ${describe(arriving)}`)
      return [
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
async function measureSwitches(page: Page): Promise<number[]> {
  await page.goto('/#narrow/channel/2-channel%201')
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

/** Scrolls up to the oldest message by the wheel. */
async function measureScrolling(
  page: Page,
  oldestId: number,
): Promise<LongTasks & { readonly turns: number }> {
  await page.goto('/#narrow/channel/1-channel%200')
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

async function measureArriving(page: Page, port: number, writer: Person): Promise<LongTasks> {
  await page.goto('/#narrow/channel/2-channel%201')
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
