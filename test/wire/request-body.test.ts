/** The waiting part of a body: its memory is reused by any body. */

import t from 'tap'
import type { UserId } from '../../server/domain/ids.ts'
import { BodyBudget } from '../../server/wire/body-budget.ts'
import { type Flight, Flights } from '../../server/wire/flights.ts'
import { RequestBody } from '../../server/wire/request-body.ts'
import type { HttpResponse } from '../../server/wire/transport/transport.ts'

const PIECE_BYTES = 512 * 1024
/** As many as the library reads of one body before back-pressure. */
const PIECES = 16

/** A body with the calls of the library. */
function open() {
  let hand: ((chunk: ArrayBuffer, isLast: boolean) => void) | undefined
  const connection = {
    onData(handler: typeof hand) {
      hand = handler
    },
    isPaused: false,
    pause() {
      this.isPaused = true
    },
    resume() {
      this.isPaused = false
    },
  }
  const body = new RequestBody(connection as unknown as HttpResponse)
  return { body, connection, hand: (chunk: ArrayBuffer, isLast: boolean) => hand?.(chunk, isLast) }
}

/** A body with this many bytes before its client is paused. */
function comeAll(): RequestBody {
  const { body, hand } = open()
  for (let count = 1; count <= PIECES; count++) hand(new ArrayBuffer(PIECE_BYTES), count === PIECES)
  return body
}

t.test(
  '[TUS60] bodies that follow each other reuse the same memory, and that of parallel ones is freed',
  async (t) => {
    const memories = new Set<ArrayBufferLike>()
    const take = async (body: RequestBody) => {
      for await (const { buffer } of body) memories.add(buffer)
    }
    const countHeld = () => [...memories].filter(({ byteLength }) => byteLength > 0).length
    for (let round = 0; round < 4; round++) await take(comeAll())
    t.equal(memories.size, PIECES)

    const bodies = [comeAll(), comeAll(), comeAll()]
    await Promise.all(bodies.map(take))
    t.equal(memories.size, 3 * PIECES)
    t.equal(countHeld(), PIECES)

    t.equal(await comeAll().drop(), true)
    await take(comeAll())
    t.equal(memories.size, 3 * PIECES, 'memory that nobody took is reused')
  },
)

t.test(
  '[DOOR11] at most 32 MiB of a refused body are discarded, then its connection is closed',
  async (t) => {
    const { body, hand } = open()
    const state = () => {
      const later = new Promise((resolve) => void setImmediate(() => resolve('open')))
      return Promise.race([isUsable, later])
    }
    const isUsable = body.drop()
    for (let pieces = 0; pieces < 64; pieces++) hand(new ArrayBuffer(PIECE_BYTES), false)
    t.equal(await state(), 'open')
    hand(new ArrayBuffer(1), false)
    t.equal(await state(), false)
  },
)

t.test('[TUS65] after its last byte a paused connection has no timeout until the answer', async (t) => {
  const { body, connection, hand } = open()
  for (let count = 1; count <= 3; count++) hand(new ArrayBuffer(PIECE_BYTES), false)
  t.ok(connection.isPaused)
  const chunks = body[Symbol.asyncIterator]()
  for (let count = 1; count <= 2; count++) await chunks.next()
  t.notOk(connection.isPaused, 'while more is to come, it resumes once few bytes wait')

  for (let count = 1; count <= 3; count++) hand(new ArrayBuffer(PIECE_BYTES), count === 3)
  t.ok(connection.isPaused, 'its last bytes were read with the others')
  for (let next = await chunks.next(); !next.done; next = await chunks.next())
    t.ok(connection.isPaused, 'resuming would start the timeout while the rest is stored')
  body.cut()
  t.ok(connection.isPaused, 'also if a newer request takes over')
  t.equal(await body.drop(), true)
  t.notOk(connection.isPaused, 'the next request can come')
})

t.test('[BODY1] a user takes exactly their share of the memory, and all of it again', (t) => {
  const shareBytes = 4 * 1024 * 1024
  const uncountedBytes = 4 * 1024
  const budget = new BodyBudget()
  const user = 4 as UserId
  for (let round = 0; round < 2; round++) {
    const share = budget.ofUser(user)
    t.equal(share.grow(shareBytes + uncountedBytes), undefined)
    t.match(budget.ofUser(user).grow(uncountedBytes + 1), { errorName: 'OVERLOADED' })
    t.equal(budget.ofUser(5 as UserId).grow(uncountedBytes + 1), undefined, 'others have theirs')
    share.end()
    share.end()
  }
  t.end()
})

t.test('[FLIGHT1] a request is overdue by its last progress, not by its start', (t) => {
  const flights = new Flights()
  const nowMs = performance.now()
  const begin = () => {
    const flight = { startedMs: nowMs - 10_000, activeMs: nowMs - 10_000 } as Flight
    flights.add(flight)
    return flight
  }
  const [active, idle] = [begin(), begin()]
  flights.touch(active)
  t.same([...flights.overdue(nowMs, 3_000)], [idle])
  flights.remove(idle)
  t.same([...flights.overdue(nowMs, 3_000)], [])
  t.end()
})
