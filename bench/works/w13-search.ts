/** W13: the speed of searches in a long history, for any query, and their effect on other requests. */

import { join } from 'node:path'
import { connect } from '../../db/connection/connect.ts'
import type { RawSearchLoad } from '../limits/raw-search-load.ts'
import { ExpectedHits } from '../load/expected-hits.ts'
import type { PageLoad } from '../load/page-load.ts'
import type { SearchLoad } from '../load/search-load.ts'
import { unspacedWordOf, wordOf } from '../load/search-texts.ts'
import type { SteadyLoad } from '../load/steady-load.ts'
import { boundSize, compareLatencies } from '../measure/figure.ts'
import { interleave, turnLength } from '../measure/interleave.ts'
import { percentile } from '../measure/percentile.ts'
import type { Work } from '../measure/work.ts'
import { createChannels } from '../start/create-channels.ts'
import { createPeople, type Person } from '../start/create-people.ts'
import { fillSearch, indexSearch, noteNotices } from '../start/fill-search.ts'
import { startParley } from '../start/start-parley.ts'
import { startRemote } from '../start/remote.ts'
import { sized } from '../measure/sizes.ts'

/** Fewer for a quick check: a million take some minutes to index. */
const MESSAGES = sized(Number(process.env.PARLEY_BENCH_SEARCH_MESSAGES ?? 1_000_000), 3_000)
const CHANNELS = ['alpha', 'beta', 'gamma', 'delta']
const SEED = 7
const PAGE_LENGTH = 50
/** Searches of each word in one turn. */
const REPETITIONS = sized(4, 1)
const HOSTILE_MS_MAX = 100
const HOSTILE_CLIENTS = 8
/** Of the others' requests in one turn. */
const READS = sized(400, 40)
const READS_PER_SECOND = 200

/** Words of which some are in every tenth message and some in a few. */
const EXACT = sized([20, 60, 150, 400, 1_000, 3_000, 8_000, 20_000], [20, 60, 150]).flatMap((rank) => [
  wordOf('english', rank),
  wordOf('german', rank + 7),
])

/** Operands that match no index, or too much. */
const HOSTILE = [
  'qxzjkvwy'.repeat(125),
  'xqjzk'.repeat(140),
  Array.from({ length: 20 }, (_, index) => `${'zq'.repeat(10)}${index}x`).join(' '),
  Array.from({ length: 20 }, (_, rank) => wordOf('english', rank)).join(' '),
  Array.from({ length: 20 }, (_, index) => wordOf('german', 1_000 * index + 500)).join(' '),
  `${wordOf('english', 2)} ${wordOf('english', 3)}`,
  `"${wordOf('english', 70)} ${wordOf('english', 90)}"`,
  unspacedWordOf('chinese', 0) + unspacedWordOf('chinese', 150),
  unspacedWordOf('japanese', 4_000),
  unspacedWordOf('chinese', 3) + unspacedWordOf('chinese', 19_000),
  `${wordOf('english', 5_000).slice(0, 3)}x${wordOf('english', 5_000).slice(3)}`,
  wordOf('german', 30_000).slice(1),
  'e',
  'ng',
  '%_\\',
  ')(',
]

const narrowOf = (operand: string) => JSON.stringify([{ operator: 'search', operand }])
const queryOf = (operand: string) => ({
  anchor: 'newest',
  num_before: String(PAGE_LENGTH),
  num_after: '0',
  narrow: narrowOf(operand),
})

const PATHS = HOSTILE.map((operand) => `/api/v1/messages?${new URLSearchParams(queryOf(operand)).toString()}`)

export const search: Work = {
  name: 'W13',
  title: `searching ${MESSAGES.toLocaleString('en')} messages in four languages`,
  limit: 'exact words by a GIN index, raw; the same requests of others while nobody searches',
  async run({ createDatabase, rounds, say }) {
    const databaseUrl = await createDatabase()
    const people = await createPeople(databaseUrl, 20)
    const { hits, newestId } = await fill(databaseUrl, people, say)
    const parley = await startParley(databaseUrl)
    const [reading = '', ...searching] = people.slice(1, 6).map(({ authorization }) => authorization)
    const { port } = parley
    try {
      const exact = await measureExact(databaseUrl, { port, rounds, authorization: reading, hits })
      say('W13: exact words are measured')
      const hostile = await measureHostile(port, rounds, searching)
      const meanwhile = await measureOthers({ port, rounds, reading, searching, newestId })
      return [
        compareLatencies('exact words', exact, { p50Max: 3 }),
        hostile,
        compareLatencies("others' pages meanwhile", meanwhile, { p99Max: 2 }),
      ]
    } finally {
      await parley.close()
    }
  },
}

/** Stores and indexes the messages, for Parley and for the limit. */
async function fill(databaseUrl: string, people: readonly Person[], say: (text: string) => void) {
  const first = await startParley(databaseUrl)
  await createChannels(first.port, people, CHANNELS)
  await first.close()
  const hits = new ExpectedHits(EXACT, PAGE_LENGTH)
  await noteNotices(databaseUrl, hits)
  const newestId = await fillSearch(databaseUrl, {
    count: MESSAGES,
    channelIds: [1, 2, 3, 4],
    seed: SEED,
    note: (id, { topic, content }) => hits.note(id, `${topic} ${content}`),
  })
  say('W13: the messages are stored')
  await Promise.all([
    indexSearch(databaseUrl).then(() => say('W13: the messages are indexed')),
    createRawIndex(databaseUrl).then(() => say('W13: the messages are indexed for the limit')),
  ])
  return { hits, newestId }
}

/** Whole words, against their raw index, which is dropped afterwards. */
async function measureExact(databaseUrl: string, { port, rounds, authorization, hits }: ExactSearch) {
  const sql = connect(databaseUrl, 1, 'bench')
  const load = startRemote<PageLoad>(join(import.meta.dirname, '../load/page-load.ts'))
  const raw = startRemote<RawSearchLoad>(join(import.meta.dirname, '../limits/raw-search-load.ts'))
  try {
    await sql`analyze messages`
    await load.call('connect', { port })
    await raw.call('connect', { databaseUrl })
    const words = Array.from({ length: REPETITIONS }, () => EXACT).flat()
    const pages = words.map((word) => ({ query: queryOf(word), ids: hits.of(word) }))
    const exact = await interleave(
      rounds,
      () => load.call('read', { authorization, pages }),
      () => raw.call('search', { words, count: PAGE_LENGTH }),
    )
    await sql`drop index bench_words`
    return exact
  } finally {
    await Promise.all([load.close(), raw.close()])
    await sql.end()
  }
}

interface ExactSearch {
  readonly port: number
  readonly rounds: number
  readonly authorization: string
  readonly hits: ExpectedHits
}

/** Operands that match no index, or too much, while nobody else asks. */
async function measureHostile(port: number, rounds: number, authorizations: readonly string[]) {
  const alone = startRemote<SearchLoad>(join(import.meta.dirname, '../load/search-load.ts'))
  const latenciesMs: number[][] = PATHS.map(() => [])
  let refusedCount = 0
  try {
    await alone.call('connect', { port, clients: 1 })
    for (let round = -1; round < rounds * REPETITIONS; round++) {
      const found = await alone.call('search', { authorizations, paths: PATHS })
      if (round < 0) continue
      refusedCount += found.refusedCount
      for (const [index, samples] of found.latenciesMs.entries()) latenciesMs[index]?.push(...samples)
    }
  } finally {
    await alone.close()
  }
  const medians = latenciesMs.map((samples) => percentile(samples, 0.5))
  const slowest = Math.max(...medians)
  return boundSize(
    'hostile operands, p99',
    percentile(latenciesMs.flat(), 0.99),
    { unit: 'ms', max: HOSTILE_MS_MAX },
    {
      'median of all': percentile(latenciesMs.flat(), 0.5),
      'slowest by its median': slowest,
      'which is': HOSTILE[medians.indexOf(slowest)]?.slice(0, 40) ?? '',
      refused: `${refusedCount} of ${latenciesMs.flat().length}`,
    },
  )
}

interface OthersAndSearches {
  readonly port: number
  readonly rounds: number
  readonly reading: string
  readonly searching: readonly string[]
  readonly newestId: number
}

/** Pages of others, while several clients search all the time, and while nobody does. */
async function measureOthers({ port, rounds, reading, searching, newestId }: OthersAndSearches) {
  const hostile = startRemote<SearchLoad>(join(import.meta.dirname, '../load/search-load.ts'))
  const others = startRemote<SteadyLoad>(join(import.meta.dirname, '../load/steady-load.ts'))
  const narrow = JSON.stringify([{ operator: 'channel', operand: CHANNELS[0] }])
  const query = { anchor: String(Math.floor(newestId / 2)), num_before: '20', narrow }
  const readOthers = (round: number) =>
    others.call('read', {
      authorization: reading,
      path: `/api/v1/messages?${new URLSearchParams(query).toString()}`,
      count: turnLength(round, READS),
      perSecond: READS_PER_SECOND,
    })
  const readWhileSearching = async (round: number) => {
    let isReading = true
    const searchAllTheTime = async () => {
      while (isReading) await hostile.call('search', { authorizations: searching, paths: PATHS })
    }
    const reads = readOthers(round).finally(() => {
      isReading = false
    })
    return (await Promise.all([reads, searchAllTheTime()]))[0]
  }
  try {
    await hostile.call('connect', { port, clients: HOSTILE_CLIENTS })
    await others.call('connect', { port })
    return await interleave(rounds, readWhileSearching, readOthers)
  } finally {
    await Promise.all([hostile.close(), others.close()])
  }
}

/** The index of the limit: whole words only. */
async function createRawIndex(databaseUrl: string): Promise<void> {
  const sql = connect(databaseUrl, 1, 'bench')
  try {
    await sql`set maintenance_work_mem = '1GB'`
    await sql`create index bench_words on messages using gin (to_tsvector('simple', content))`
  } finally {
    await sql.end()
  }
}
