/** Places for bodies and their memory: users with few get some, whatever others hold. */

import t from 'tap'
import { ApiError } from '../../server/errors/api-error.ts'
import type { UserId } from '../../server/domain/ids.ts'
import { BodyBudget } from '../../server/wire/body-budget.ts'
import { BodyPlaces } from '../../server/wire/body-places.ts'

/** The calls of a body, and whether it has lost its place. */
class Body {
  came = 0
  isLost = false
  readonly bytes = () => this.came
  readonly onLost = () => {
    this.isLost = true
  }
}

const turn = () => new Promise((resolve) => void setImmediate(resolve))

async function fill(places: BodyPlaces, users: readonly number[], nowMs = 0) {
  return users.map((user) => {
    const body = new Body()
    const leave = places.take(user as UserId, body, nowMs)
    return { body, leave }
  })
}

t.test('[PLACE1] places are limited per user', async (t) => {
  const places = new BodyPlaces(8, 2)
  const [first] = await fill(places, [1, 1])
  t.throws(() => places.take(1 as UserId, new Body(), 0), ApiError)
  first?.leave()
  first?.leave()
  places.take(1 as UserId, new Body(), 0)
  t.throws(() => places.take(1 as UserId, new Body(), 0), ApiError, 'a place is given back once')
})

t.test('[PLACE2] if all places are taken, a user with fewer gets one from a user with more', async (t) => {
  const places = new BodyPlaces(4, 4)
  const taken = await fill(places, [1, 1, 1, 2])
  for (const [index, { body }] of taken.entries()) body.came = 1_000_000 * (index + 1)
  places.take(3 as UserId, new Body(), 1_000)
  t.equal(taken[0]?.body.isLost, false, 'within a turn of its own')
  await turn()
  t.same(
    taken.map(({ body }) => body.isLost),
    [true, false, false, false],
    'the slowest body of the user with most',
  )
  t.throws(
    () => places.take(2 as UserId, new Body(), 1_000),
    ApiError,
    'nobody has more than the other would have',
  )
  taken[0]?.leave()
  t.throws(() => places.take(2 as UserId, new Body(), 1_000), ApiError, 'a lost place is not released twice')
})

t.test('[PLACE3] a stalled body loses its place first, whatever its user', async (t) => {
  const places = new BodyPlaces(4, 4)
  const taken = await fill(places, [1, 1, 2, 3])
  for (const { body } of taken) body.came = 100_000_000
  const slow = taken[3]?.body as Body
  slow.came = 50_000
  t.throws(() => places.take(1 as UserId, new Body(), 9_000), ApiError, 'at first nobody is slow')
  places.take(1 as UserId, new Body(), 20_000)
  await turn()
  t.same(
    taken.map(({ body }) => body.isLost),
    [false, false, false, true],
  )
})

t.test('[PLACE5] each waiting byte counts once until its body ends, per address and in total', async (t) => {
  const [KIB, MIB] = [1024, 1024 * 1024]
  const budget = new BodyBudget()
  const shares = Array.from({ length: 8 }, (_, index) => budget.ofAddress(`10.0.0.${index}`))
  const [first] = shares as [(typeof shares)[0]]
  const last = budget.ofAddress('10.0.1.0')
  for (let round = 0; round < 3; round++) {
    for (const share of shares) {
      for (let bytes = 64 * KIB; bytes <= MIB; bytes += 64 * KIB) t.equal(share.grow(bytes), undefined)
    }
    t.equal(first.grow(MIB + 8 * KIB)?.status, 503, 'one address has its bound')
    t.equal(last.grow(64 * KIB)?.status, 503, 'and so has the total')
    t.equal(last.grow(4 * KIB), undefined, 'a log-in finds room')
    t.equal(budget.ofUser(1 as UserId).grow(MIB), undefined, 'so do users')
    first.end()
    first.end()
    t.equal(last.grow(MIB), undefined)
    for (const share of [...shares, last]) share.end()
  }
})
