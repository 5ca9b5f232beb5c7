/** W4: the speed of reading a page of a channel's messages, both new and old ones. */

import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { HelloLimit } from '../limits/hello-server.ts'
import type { RawPageLoad } from '../limits/raw-page-load.ts'
import { getRequest, HttpConnection } from '../load/http-connection.ts'
import type { PageLoad, WantedPage } from '../load/page-load.ts'
import { compareRates, type Figure, orWithin } from '../measure/figure.ts'
import { interleave, takeTurns } from '../measure/interleave.ts'
import { percentile } from '../measure/percentile.ts'
import type { Work } from '../measure/work.ts'
import { createChannels } from '../start/create-channels.ts'
import { createPeople } from '../start/create-people.ts'
import { fillChannels } from '../start/fill-channels.ts'
import { startParley } from '../start/start-parley.ts'
import { startRemote } from '../start/remote.ts'
import { sized } from '../measure/sizes.ts'

const PEOPLE = 100
const CHANNELS = ['busy', 'other', 'third', 'fourth']
const MESSAGES_PER_CHANNEL = sized(5_000, 1_500)
const PAGE_LENGTH = 100
const PATH = '/api/v1/messages'
/** Pages in one turn. */
const PAGES = sized(800, 30)
/** Milliseconds in which the server notices rows from another process: it checks each second. */
const CATCH_UP_MS = 2_500

interface Pages {
  readonly ours: readonly WantedPage[]
  readonly raw: readonly { before: number; ids: readonly number[] }[]
}

export const pages: Work = {
  name: 'W4',
  title: `GET /messages, ${PAGE_LENGTH} rows`,
  limit: 'the same rows read raw by postgres.js; bare uWebSockets.js with the same bytes',
  async run({ createDatabase, rounds }) {
    const databaseUrl = await createDatabase()
    const people = await createPeople(databaseUrl, PEOPLE)
    const parley = await startParley(databaseUrl)
    const load = startRemote<PageLoad>(join(import.meta.dirname, '../load/page-load.ts'))
    const limit = startRemote<RawPageLoad>(join(import.meta.dirname, '../limits/raw-page-load.ts'))
    const bare = startRemote<HelloLimit>(join(import.meta.dirname, '../limits/hello-server.ts'))
    const bareLoad = startRemote<PageLoad>(join(import.meta.dirname, '../load/page-load.ts'))
    try {
      await createChannels(parley.port, people, CHANNELS)
      const ids = (await fillChannels(databaseUrl, CHANNELS, MESSAGES_PER_CHANNEL)).get('busy') as number[]
      await wait(CATCH_UP_MS)
      await load.call('connect', { port: parley.port })
      await limit.call('connect', { databaseUrl })
      const authorization = people[1]?.authorization ?? ''
      const sidesOf = ({ ours, raw }: Pages) => ({
        ours: async () => perSecond(await load.call('read', { authorization, pages: ours })),
        limit: async () =>
          perSecond(await limit.call('read', { channelId: 1, count: PAGE_LENGTH, pages: raw })),
      })
      const compareNewest = async (wanted: Pages): Promise<Figure> => {
        const body = await readPage(parley.port, authorization, wanted.ours[0] as WantedPage)
        await bareLoad.call('connect', { port: await bare.call('start', [{ path: PATH, body }]) })
        const found = await takeTurns(rounds, {
          ...sidesOf(wanted),
          bare: async () => perSecond(await bareLoad.call('read', { authorization, pages: wanted.ours })),
        })
        const figure = compareRates('newest page', found, { unit: '/s', min: 3 }, { bytes: body.length })
        const toBare = found.map(({ ours, bare: limit }) => ({ ours, limit }))
        return orWithin(figure, 'bare uWebSockets.js', toBare, 1.2)
      }
      const compare = async (name: string, wanted: Pages, min: number): Promise<Figure> => {
        const { ours, limit } = sidesOf(wanted)
        return compareRates(name, await interleave(rounds, ours, limit), { unit: '/s', min })
      }
      return [
        await compareNewest(newestPages(ids)),
        await compare('old page', oldPages(ids, false), 0.7),
        await compare('old page with its anchor', oldPages(ids, true), 0.7),
      ]
    } finally {
      await Promise.all([load.close(), limit.close(), bareLoad.close(), bare.close(), parley.close()])
    }
  },
}

const narrow = JSON.stringify([{ operator: 'channel', operand: 'busy' }])

function newestPages(ids: readonly number[]): Pages {
  const newest = ids.slice(-PAGE_LENGTH)
  const query = { anchor: 'newest', num_before: String(PAGE_LENGTH), num_after: '0', narrow }
  return {
    ours: Array.from({ length: PAGES }, () => ({ query, ids: newest })),
    raw: Array.from({ length: PAGES }, () => ({ before: Number.MAX_SAFE_INTEGER, ids: newest })),
  }
}

/** Pages far from the newest, spread over the history. An included anchor is the page's last message. */
function oldPages(ids: readonly number[], isAnchorIncluded: boolean): Pages {
  const ours: WantedPage[] = []
  const raw: Pages['raw'][number][] = []
  for (let page = 0; page < PAGES; page++) {
    const start = (page * 7919) % (ids.length - 10 * PAGE_LENGTH)
    const expected = ids.slice(start, start + PAGE_LENGTH)
    const after = ids[start + PAGE_LENGTH] as number
    const query = isAnchorIncluded
      ? { anchor: String(expected.at(-1)), num_before: String(PAGE_LENGTH - 1), num_after: '0', narrow }
      : {
          anchor: String(after),
          num_before: String(PAGE_LENGTH),
          num_after: '0',
          narrow,
          include_anchor: 'false',
        }
    ours.push({ query, ids: expected })
    raw.push({ before: after, ids: expected })
  }
  return { ours, raw }
}

async function readPage(port: number, authorization: string, { query }: WantedPage): Promise<Buffer> {
  const connection = await HttpConnection.open(port)
  const { status, body } = await connection.ask(
    getRequest(`${PATH}?${new URLSearchParams(query).toString()}`, authorization),
  )
  connection.close()
  if (status !== 200) throw new Error(`a page answered ${status}: ${body}`)
  return Buffer.from(body)
}

/** Pages per second for one client, by the median time. */
function perSecond(latenciesMs: readonly number[]): number {
  return 1000 / percentile(latenciesMs, 0.5)
}
