/** W17: the memory of the browser client over a busy hour, whose events come in as many seconds as the load takes. */

import { HttpConnection, postRequest } from '../load/http-connection.ts'
import { makeContent } from '../load/make-content.ts'
import { boundSize } from '../measure/figure.ts'
import type { Work } from '../measure/work.ts'
import { createChannels } from '../start/create-channels.ts'
import { createPeople, type Person } from '../start/create-people.ts'
import { fillChannels } from '../start/fill-channels.ts'
import { openBrowser, type OpenBrowser } from '../start/open-browser.ts'
import { startParley } from '../start/start-parley.ts'
import { sized } from '../measure/sizes.ts'

const PEOPLE = sized(300, 10)
const CHANNELS = Array.from({ length: 20 }, (_, index) => `channel ${index}`)
/** Earlier messages of each channel, as in a team that has worked for a while. */
const HISTORY = sized(500, 30)
/** A message each second of the hour. */
const MESSAGES = sized(3_600, 120)
/** Parts of the hour: memory is measured after each. */
const PARTS = sized(6, 3)
/** Messages between two switches of the reader: every half minute. */
const MESSAGES_PER_SWITCH = sized(30, 10)
const MIB = 2 ** 20
const HEAP_MIB_MAX = 80
const DRIFT_MAX = 10

export const clientMemory: Work = {
  name: 'W17',
  title: 'the memory of the browser client over a busy hour',
  limit: '80 MiB of heap',
  async run({ createDatabase, say }) {
    const databaseUrl = await createDatabase()
    const people = await createPeople(databaseUrl, PEOPLE)
    const first = await startParley(databaseUrl)
    await createChannels(first.port, people, CHANNELS).finally(() => first.close())
    await fillChannels(databaseUrl, CHANNELS, HISTORY)
    const parley = await startParley(databaseUrl)
    const browser = await openBrowser(databaseUrl, parley.port, people[0] as Person)
    const connection = await HttpConnection.open(parley.port)
    try {
      const { page, debug } = await browser.open()
      await page.goto('/')
      await page.getByRole('main').getByRole('heading').first().waitFor()
      const heaps: number[] = []
      let sent = 0
      while (heaps.length < PARTS) {
        for (let count = 0; count < MESSAGES / PARTS; count++) {
          await send(connection, people[1 + (sent % (PEOPLE - 1))] as Person, sent)
          if (sent++ % MESSAGES_PER_SWITCH !== 0) continue
          const channel = Math.floor(sent / MESSAGES_PER_SWITCH) % CHANNELS.length
          await page.evaluate((hash) => (location.hash = hash), `narrow/channel/${channel + 1}`)
          await page.getByRole('heading', { level: 1, name: CHANNELS[channel] as string }).waitFor()
        }
        heaps.push(await heapOf(debug))
        say(`after ${sent} messages the heap has ${heaps.at(-1)} MiB`)
      }
      const [early = 0, last = 0] = [heaps[1], heaps.at(-1)]
      const drift = Math.round((100 * (last - early)) / early)
      const notes = Object.fromEntries(heaps.map((mib, index) => [`part ${index + 1}`, mib]))
      return [
        boundSize('heap after the hour', last, { unit: 'MiB', max: HEAP_MIB_MAX }, notes),
        boundSize('growth from a third of the hour on', drift, { unit: '%', max: DRIFT_MAX }),
      ]
    } finally {
      connection.close()
      await browser.close()
      await parley.close()
    }
  },
}

async function send(connection: HttpConnection, { authorization }: Person, mark: number): Promise<void> {
  const { status, body } = await connection.ask(
    postRequest('/api/v1/messages', authorization, {
      type: 'channel',
      to: JSON.stringify(CHANNELS[mark % CHANNELS.length]),
      topic: `topic ${mark % 50}`,
      content: makeContent(mark),
    }),
  )
  if (status !== 200) throw new Error(`sending answered ${status}: ${body}`)
}

type Debug = Awaited<ReturnType<OpenBrowser['open']>>['debug']

/** MiB of JavaScript objects after a collection. */
async function heapOf(debug: Debug): Promise<number> {
  await debug.send('HeapProfiler.collectGarbage')
  const { usedSize } = await debug.send('Runtime.getHeapUsage')
  return Math.round((10 * usedSize) / MIB) / 10
}
