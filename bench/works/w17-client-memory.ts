/** W17: the memory of the browser client over a busy hour, whose events come in as many seconds as the load takes. */

import { HttpConnection, postRequest } from '../load/http-connection.ts'
import { makeContent } from '../load/make-content.ts'
import { boundSize } from '../measure/figure.ts'
import type { Work } from '../measure/work.ts'
import type { Person } from '../start/create-people.ts'
import { fillBusyOrganization } from '../start/fill-busy-organization.ts'
import { openBrowser, type OpenBrowser } from '../start/open-browser.ts'
import { startParley } from '../start/start-parley.ts'
import { sized } from '../measure/sizes.ts'

/** The channels in which people write during the hour. */
const CHANNELS = ['engineering', 'design', 'product', 'research', 'releases', 'docs', 'support', 'random']
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
  title: 'the memory of the browser client over a busy hour of a busy organization',
  limit: '80 MiB of heap',
  async run({ createDatabase, say }) {
    const databaseUrl = await createDatabase()
    const { reader, writers, channelIds } = await fillBusyOrganization(databaseUrl)
    const parley = await startParley(databaseUrl)
    const browser = await openBrowser(databaseUrl, parley.port, reader)
    const connection = await HttpConnection.open(parley.port)
    try {
      const { page, debug } = await browser.open()
      await page.goto('/')
      await page.getByRole('main').getByRole('heading').first().waitFor()
      const heaps: number[] = []
      let sent = 0
      while (heaps.length < PARTS) {
        for (let count = 0; count < MESSAGES / PARTS; count++) {
          await send(connection, writers[sent % writers.length] as Person, sent)
          if (sent++ % MESSAGES_PER_SWITCH !== 0) continue
          const name = CHANNELS[Math.floor(sent / MESSAGES_PER_SWITCH) % CHANNELS.length] as string
          await page.evaluate((hash) => (location.hash = hash), `narrow/channel/${channelIds.get(name)}`)
          await page.getByRole('heading', { level: 1, name }).waitFor()
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
