/** Scale: 10,000 users, 1,000 channels, 1,000,000 subscriptions: the cost of lists and of mass subscriptions. */

import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { boundSize, type Figure } from '../measure/figure.ts'
import { percentile } from '../measure/percentile.ts'
import type { BenchContext, Work } from '../measure/work.ts'
import type { Person } from '../start/create-people.ts'
import { startRemote } from '../start/remote.ts'
import {
  BUSIEST_ID,
  CHANNELS,
  isSeen,
  isSubscribed,
  seedLargeOrganization,
  USERS,
} from '../start/seed-large-organization.ts'
import { startParley } from '../start/start-parley.ts'
import type { SubscriberSets } from './channels-at-scale-sets.ts'
import { sized } from '../measure/sizes.ts'

const MIB = 2 ** 20
const SETS_MIB_MAX = 20
const ANSWER_MS_MAX = 50
/** Requests of each kind in one round. */
const READS = sized(8, 1)
const JOINS = sized(4, 1)
/** The first requests compile the code of the others. */
const WARM_UPS = sized(5, 1)
/** With fewer subscribers a partial list is complete, by the API's documents. */
const WHOLE_LISTS_BELOW = 250
const NEWCOMERS = sized(1_000, 100)
/** One of the smaller channels. */
const TARGET_ID = CHANNELS

export const channelsAtScale: Work = {
  name: 'scale',
  title: `${USERS} users, ${CHANNELS} channels, a million subscriptions`,
  limit: `${ANSWER_MS_MAX} ms an answer, ${SETS_MIB_MAX} MiB for the sets of subscribers`,
  async run({ createDatabase, rounds, say }: BenchContext) {
    const databaseUrl = await createDatabase()
    const { owner, busiest, subscriptions } = await seedLargeOrganization(databaseUrl)
    say(`${subscriptions} subscriptions are stored`)
    const sets = await measureSets(databaseUrl, subscriptions)
    const parley = await startParley(databaseUrl)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask: Ask = (person, method, path, fields) =>
      askServer({ agent, port: parley.port, person, method, path, fields })
    try {
      const works: Readonly<Record<string, () => Promise<Sample>>> = {
        '100 subscriptions, partial lists': () => readSubscriptions(ask, owner, 'partial'),
        '1,000 subscriptions, partial lists': () => readSubscriptions(ask, busiest, 'partial'),
        '1,000 subscriptions, whole lists': () => readSubscriptions(ask, busiest, 'true'),
        '1,000 channels': () => readChannels(ask, owner),
      }
      const samples = await takeTurns(works, rounds)
      const joining = await joinInTurns(ask, owner, rounds)
      return [
        ...Object.entries(samples).map(([name, found]) => boundAnswers(name, found)),
        boundAnswers(`subscribing ${NEWCOMERS} users`, joining.subscribing),
        boundAnswers(`unsubscribing ${NEWCOMERS} users`, joining.unsubscribing),
        boundSize('sets of subscribers', sets / MIB, { unit: 'MiB', max: SETS_MIB_MAX }, { subscriptions }),
      ]
    } finally {
      agent.destroy()
      await parley.close()
    }
  },
}

async function measureSets(databaseUrl: string, expected: number): Promise<number> {
  const helper = startRemote<SubscriberSets>(join(import.meta.dirname, 'channels-at-scale-sets.ts'), [
    '--expose-gc',
  ])
  try {
    const { bytes, subscriptions } = await helper.call('measure', databaseUrl)
    equal('subscriptions in memory', subscriptions, expected)
    return bytes
  } finally {
    await helper.close()
  }
}

/** One answer: the time until its last byte, and its number of bytes. */
interface Sample {
  readonly ms: number
  readonly bytes: number
}

/** The parts of the replies that are checked. */
interface ScaleReply {
  readonly subscriptions: readonly ListedChannel[]
  readonly streams: readonly ListedChannel[]
  readonly subscribed: object
  readonly removed: readonly string[]
  readonly subscribers: readonly number[]
}

type Ask = (
  person: Person,
  method: string,
  path: string,
  fields?: Record<string, string>,
) => Promise<Sample & { readonly body: ScaleReply }>

function askServer(options: {
  agent: Agent
  port: number
  person: Person
  method: string
  path: string
  fields: Record<string, string> | undefined
}): ReturnType<Ask> {
  const { agent, port, person, method, path, fields } = options
  const body = new URLSearchParams(fields).toString()
  return new Promise((resolve, reject) => {
    const startMs = performance.now()
    const sent = request(
      {
        agent,
        port,
        host: '127.0.0.1',
        method,
        path: `/api/v1${path}`,
        headers: {
          authorization: person.authorization,
          'content-type': 'application/x-www-form-urlencoded',
          'content-length': body.length,
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const ms = performance.now() - startMs
          const bytes = Buffer.concat(chunks)
          const answer = JSON.parse(bytes.toString()) as ScaleReply
          if (response.statusCode === 200) resolve({ ms, bytes: bytes.length, body: answer })
          else reject(new Error(`${method} ${path} answered ${response.statusCode}: ${bytes.toString()}`))
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Rounds of each kind in turn, so that other load on the machine affects all. */
async function takeTurns(
  works: Readonly<Record<string, () => Promise<Sample>>>,
  rounds: number,
): Promise<Record<string, Sample[]>> {
  const samples: Record<string, Sample[]> = {}
  for (const [name, work] of Object.entries(works)) {
    for (let turn = 0; turn < WARM_UPS; turn++) await work()
    samples[name] = []
  }
  for (let round = 0; round < rounds; round++) {
    for (const [name, work] of Object.entries(works)) {
      for (let turn = 0; turn < READS; turn++) samples[name]?.push(await work())
    }
  }
  return samples
}

async function readSubscriptions(ask: Ask, person: Person, lists: 'partial' | 'true'): Promise<Sample> {
  const path = `/users/me/subscriptions?include_subscribers=${lists}`
  const { body, ...sample } = await ask(person, 'GET', path)
  const found = body.subscriptions
  const expected = CHANNEL_IDS.filter((id) => isSubscribed(person.id, id))
  equal('subscribed channels', found.map(({ stream_id }) => stream_id).join(), expected.join())
  for (const { stream_id: id, subscriber_count: count, subscribers, partial_subscribers } of found) {
    const { all, seen } = SUBSCRIBERS[id] as Subscribers
    equal(`subscribers of channel ${id}`, count, all.count)
    const isWhole = lists === 'true' || all.count < WHOLE_LISTS_BELOW
    const listed = isWhole ? subscribers : partial_subscribers
    const wanted = isWhole ? all : seen
    equal(`the length of the list of channel ${id}`, listed?.length, wanted.count)
    equal(`the sum of the list of channel ${id}`, sum(listed ?? []), wanted.sum)
  }
  return sample
}

interface ListedChannel {
  readonly stream_id: number
  readonly subscriber_count: number
  readonly subscribers?: readonly number[]
  readonly partial_subscribers?: readonly number[]
}

async function readChannels(ask: Ask, person: Person): Promise<Sample> {
  const { body, ...sample } = await ask(person, 'GET', '/streams')
  const found = body.streams
  equal('channels', found.length, CHANNELS)
  for (const { stream_id: id, subscriber_count: count } of found) {
    equal(`subscribers of channel ${id}`, count, SUBSCRIBERS[id]?.all.count)
  }
  return sample
}

const CHANNEL_IDS = Array.from({ length: CHANNELS }, (_, index) => index + 1)
const USER_IDS = Array.from({ length: USERS }, (_, index) => index + 1)

/** The subscribers of one channel, enough to detect a wrong list. */
interface Subscribers {
  readonly all: { readonly count: number; readonly sum: number }
  /** The subscribers that a partial list must have. */
  readonly seen: { readonly count: number; readonly sum: number }
}

/** By channel id. */
const SUBSCRIBERS: Record<number, Subscribers> = {}
for (const id of CHANNEL_IDS) {
  const ids = USER_IDS.filter((userId) => isSubscribed(userId, id))
  const seen = ids.filter(isSeen)
  SUBSCRIBERS[id] = {
    all: { count: ids.length, sum: sum(ids) },
    seen: { count: seen.length, sum: sum(seen) },
  }
}

function sum(ids: readonly number[]): number {
  return ids.reduce((total, id) => total + id, 0)
}

/** Users join and leave a channel, so that every sample does the same. */
async function joinInTurns(ask: Ask, owner: Person, rounds: number) {
  const outsiders = USER_IDS.filter((id) => id !== BUSIEST_ID && !isSubscribed(id, TARGET_ID)).slice(
    0,
    NEWCOMERS,
  )
  const name = `channel ${TARGET_ID}`
  const principals = JSON.stringify(outsiders)
  const sizeBefore = SUBSCRIBERS[TARGET_ID]?.all.count as number
  const subscribing: Sample[] = []
  const unsubscribing: Sample[] = []
  for (let turn = 0; turn < WARM_UPS + JOINS * rounds; turn++) {
    const joined = await ask(owner, 'POST', '/users/me/subscriptions', {
      subscriptions: JSON.stringify([{ name }]),
      principals,
      send_new_subscription_messages: 'false',
    })
    equal('users subscribed', Object.keys(joined.body.subscribed).length, NEWCOMERS)
    equal('subscribers then', await countMembers(ask, owner), sizeBefore + NEWCOMERS)
    const left = await ask(owner, 'DELETE', '/users/me/subscriptions', {
      subscriptions: JSON.stringify([name]),
      principals,
    })
    equal('users unsubscribed', left.body.removed.length, NEWCOMERS)
    equal('subscribers after', await countMembers(ask, owner), sizeBefore)
    if (turn < WARM_UPS) continue
    subscribing.push(joined)
    unsubscribing.push(left)
  }
  return { subscribing, unsubscribing }
}

async function countMembers(ask: Ask, owner: Person): Promise<number> {
  const { body } = await ask(owner, 'GET', `/streams/${TARGET_ID}/members`)
  return body.subscribers.length
}

function boundAnswers(name: string, samples: readonly Sample[]): Figure {
  const times = samples.map(({ ms }) => ms)
  const p99 = percentile(times, 0.99)
  const figure = boundSize(
    name,
    percentile(times, 0.5),
    { unit: 'ms', max: ANSWER_MS_MAX },
    { p99Ms: p99, samples: samples.length, answerBytes: samples[0]?.bytes ?? 0 },
  )
  return { ...figure, ours: { ...figure.ours, p99 } }
}

function equal(what: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${what}: ${String(found)} rather than ${String(expected)}`)
}
