/**
 * W10: the cost of registering a queue in a large organization, where lists are nearly all of the reply. Clients accept
 * compression, as the libraries of all known clients do. Each answer is compared with a decompressed one.
 */

import { join } from 'node:path'
import type { HelloLimit } from '../limits/hello-server.ts'
import { CompressedAnswers } from '../load/compressed-answers.ts'
import { getRequest, HttpConnection, postRequest } from '../load/http-connection.ts'
import { boundSize, compareRates, type Figure, orWithin, type Round } from '../measure/figure.ts'
import { takeTurns, turnLength } from '../measure/interleave.ts'
import { percentile } from '../measure/percentile.ts'
import type { Work } from '../measure/work.ts'
import type { Person } from '../start/create-people.ts'
import { startRemote } from '../start/remote.ts'
import { CHANNELS, isSubscribed, seedLargeOrganization, USERS } from '../start/seed-large-organization.ts'
import { startParley } from '../start/start-parley.ts'
import { sized } from '../measure/sizes.ts'

const ANSWER_MS_MAX = 25
/** Enough to keep a server busy while some wait for the database; the same for both sides. */
const CONNECTIONS = 4
/** Of one turn. */
const TURN_MS = sized(800, 200)
/** A short run exceeds the queues that a user may have, so that registrations remove some. */
const OURS = sized<{ answers: number } | { ms: number }>({ ms: TURN_MS }, { answers: 300 })
/** Answers in one round that a client requests one after another. */
const ANSWERS = 10

/** The lists that clients request: partial or whole lists of subscribers. */
const CLIENTS = {
  'partial lists': 'partial',
  'whole lists': 'true',
} as const

export const registration: Work = {
  name: 'W10',
  title: `POST /register, ${CHANNELS} channels and ${USERS} users`,
  limit: `${ANSWER_MS_MAX} ms an answer; bare uWebSockets.js with JSON.stringify of the same reply, and with as many bytes`,
  async run({ createDatabase, rounds, say }) {
    const databaseUrl = await createDatabase()
    const { owner } = await seedLargeOrganization(databaseUrl)
    const parley = await startParley(databaseUrl)
    const startLimit = () => startRemote<HelloLimit>(join(import.meta.dirname, '../limits/hello-server.ts'))
    const [limit, bare] = [startLimit(), startLimit()]
    const connections: HttpConnection[] = []
    const open = async (port: number) => {
      const opened = await Promise.all(Array.from({ length: CONNECTIONS }, () => HttpConnection.open(port)))
      connections.push(...opened)
      return opened
    }
    try {
      const ours = await open(parley.port)
      const figures: Figure[] = []
      const wanted: Wanted[] = []
      for (const [name, lists] of Object.entries(CLIENTS))
        wanted.push(await findWanted(ours[0] as HttpConnection, { name, lists, owner }))
      const port = await limit.call(
        'start',
        wanted.map(({ path, body }) => ({ path, body, isEncodedEachTime: true })),
      )
      const limits = await open(port)
      for (const { name, request, path, body, tail } of wanted) {
        const compressed = new CompressedAnswers(tail)
        await compressed.settle(ours[0] as HttpConnection, request)
        const isRight = (answer: Buffer) => compressed.isRight(answer)
        const isWhole = (answer: Buffer) => answer.subarray(-tail.length).equals(tail)
        say(`${name}: a reply has ${body.length} bytes, ${compressed.length} of them compressed`)
        const times: number[] = []
        const sides = {
          ours: async (round: number) => {
            const alone = await ask(ours.slice(0, 1), request, isRight, { answers: ANSWERS })
            if (round >= 0) times.push(...alone.times)
            const until = 'ms' in OURS ? { ms: turnLength(round, OURS.ms) } : OURS
            const { perSecond } = await ask(ours, request, isRight, until)
            if (!compressed.isLastWhole()) throw new Error('a compressed answer unpacks to another')
            return perSecond
          },
          limit: async (round: number) =>
            (await ask(limits, getRequest(path, ''), isWhole, { ms: turnLength(round, TURN_MS) })).perSecond,
        }
        const sizes = { bytes: body.length, compressedBytes: compressed.length }
        const compare = (found: readonly Round<number>[]) =>
          compareRates(name, found, { unit: '/s', min: 5 }, sizes)
        const compareToBare = async () => {
          const bytes = Buffer.alloc(compressed.length, 'x')
          const bares = await open(await bare.call('start', [{ path, body: bytes }]))
          const isBare = (answer: Buffer) => answer.equals(bytes)
          const found = await takeTurns(rounds, {
            ...sides,
            bare: async (round) =>
              (await ask(bares, getRequest(path, ''), isBare, { ms: turnLength(round, TURN_MS) })).perSecond,
          })
          const toBare = found.map(({ ours: rate, bare: limit }) => ({ ours: rate, limit }))
          return orWithin(compare(found), 'bare uWebSockets.js', toBare, 1.2)
        }
        const rates =
          name === 'partial lists' ? await compareToBare() : compare(await takeTurns(rounds, sides))
        const bound = boundSize(name, percentile(times, 0.5), { unit: 'ms', max: ANSWER_MS_MAX })
        figures.push({ ...bound, ours: { ...bound.ours, p99: percentile(times, 0.99) } }, rates)
      }
      return figures
    } finally {
      for (const connection of connections) connection.close()
      await Promise.all([limit.close(), bare.close(), parley.close()])
    }
  },
}

/** A request for a compressed answer, with a checked uncompressed one, and the end of each. */
interface Wanted {
  readonly name: string
  readonly path: string
  readonly request: string
  readonly body: Buffer
  readonly tail: Buffer
}

async function findWanted(
  connection: HttpConnection,
  { name, lists, owner }: { name: string; lists: string; owner: Person },
): Promise<Wanted> {
  const fields = {
    include_subscribers: lists,
    slim_presence: 'true',
    apply_markdown: 'true',
    client_capabilities: JSON.stringify({ notification_settings_null: true, user_settings_object: true }),
  }
  const { status, body } = await connection.ask(postRequest('/api/v1/register', owner.authorization, fields))
  if (status !== 200) throw new Error(`a registration answered ${status}: ${body}`)
  checkState(JSON.parse(body) as State, owner.id)
  // The differing parts, such as the queue's id, are before the long ones.
  const tail = body.slice(body.indexOf('"realm_users":'))
  const request = postRequest('/api/v1/register', owner.authorization, fields, 'Accept-Encoding: gzip\r\n')
  return { name, path: `/${lists}`, request, body: Buffer.from(body), tail: Buffer.from(tail) }
}

interface State {
  readonly realm_users: readonly { readonly user_id: number }[]
  readonly streams: readonly unknown[]
  readonly subscriptions: readonly { readonly stream_id: number; readonly subscriber_count: number }[]
  readonly never_subscribed: readonly unknown[]
}

function checkState(state: State, userId: number): void {
  const { realm_users: users, streams, subscriptions, never_subscribed: others } = state
  equal('users', users.map(({ user_id }) => user_id).join(), numbers(USERS).join())
  equal('channels', streams.length, CHANNELS)
  const subscribed = numbers(CHANNELS).filter((id) => isSubscribed(userId, id))
  equal('subscriptions', subscriptions.map(({ stream_id }) => stream_id).join(), subscribed.join())
  equal('other channels', others.length, CHANNELS - subscribed.length)
  for (const { stream_id: id, subscriber_count: count } of subscriptions) {
    equal(`subscribers of ${id}`, count, numbers(USERS).filter((one) => isSubscribed(one, id)).length)
  }
}

function numbers(length: number): number[] {
  return Array.from({ length }, (_, index) => index + 1)
}

function equal(what: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${what}: ${String(found)} rather than ${String(expected)}`)
}

/** Each connection repeats the request, up to a count or a time. */
async function ask(
  connections: readonly HttpConnection[],
  request: string,
  isRight: (answer: Buffer) => boolean,
  until: { readonly answers: number } | { readonly ms: number },
): Promise<{ times: number[]; perSecond: number }> {
  const times: number[] = []
  const startMs = performance.now()
  const isEnough = () =>
    'ms' in until ? performance.now() - startMs >= until.ms : times.length >= until.answers
  await Promise.all(
    connections.map(async (connection) => {
      while (!isEnough()) times.push(await askOnce(connection, request, isRight))
    }),
  )
  return { times, perSecond: (1000 * times.length) / (performance.now() - startMs) }
}

/** Returns the time taken. */
function askOnce(
  connection: HttpConnection,
  request: string,
  isRight: (answer: Buffer) => boolean,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const startMs = performance.now()
    connection.onLost = (reason) => reject(new Error(reason))
    connection.send(request, (status, body) => {
      const ms = performance.now() - startMs
      if (status === 200 && isRight(body)) resolve(ms)
      else reject(new Error(`a registration answered ${status}: ${body.toString('utf8', 0, 500)}`))
    })
  })
}
