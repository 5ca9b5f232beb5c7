/** Sets of users act as sets, in both of their forms and in between. */

import { randomInt } from 'node:crypto'
import t from 'tap'
import type { UserId } from '../../server/domain/ids.ts'
import { UserSet } from '../../server/domain/users/user-set.ts'

const ids = (...numbers: number[]) => numbers as UserId[]
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => (from + index) as UserId)

t.test('[SET1] a set has its values, each once, in ascending order', async (t) => {
  t.same(UserSet.of(ids(5, 1, 5, 3)).toArray(), [1, 3, 5])
  t.equal(UserSet.of(ids(5, 1, 5, 3)).size, 3)
  t.same(UserSet.empty.toArray(), [])
  t.same([...UserSet.of(range(1, 100))], range(1, 100))
  t.equal(UserSet.of(range(1, 100)).size, 100)
  t.notOk(UserSet.of(range(1, 100)).has(101 as UserId))
  t.notOk(UserSet.of(range(1, 100)).has(100_000 as UserId))
})

t.test('[SET2] a change makes a new set and leaves the old one unchanged', async (t) => {
  for (const before of [UserSet.of(ids(1, 2)), UserSet.of(range(1, 40))]) {
    const kept = before.toArray()
    const more = before.with(ids(1_000))
    const fewer = before.without(ids(1))
    t.same(before.toArray(), kept)
    t.equal(more.size, kept.length + 1)
    t.equal(fewer.size, kept.length - 1)
    t.equal(before.with(ids(1, 2)), before, 'a change of nothing returns the same set')
    t.equal(before.without(ids(999)), before)
  }
})

t.test('[SET3] a set is parsed from its text', async (t) => {
  for (const one of [
    UserSet.empty,
    UserSet.of(ids(7)),
    UserSet.of(ids(1, 31, 32, 33)),
    UserSet.of(range(5, 500)),
  ]) {
    const read = UserSet.decode(one.encode())
    t.same(read.toArray(), one.toArray())
    t.equal(read.size, one.size)
    t.same(read.with(ids(9_999)).toArray(), [...one.toArray(), 9_999], 'it can be changed')
  }
  t.equal(UserSet.of(ids(9, 1, 5)).encode(), '1,5,9')
  t.match(UserSet.of(range(1, 17)).encode(), /^b/)
})

t.test('[SET4] all operations equal those of Set, at random', async (t) => {
  const seed = Number(process.env.PARLEY_TEST_SEED ?? randomInt(2 ** 31))
  t.comment(`PARLEY_TEST_SEED=${seed}`)
  let state = seed
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * below)
  }
  const make = () => {
    const top = [8, 20, 64, 1_000][random(4)] as number
    const wanted = new Set(Array.from({ length: random(40) }, () => (1 + random(top)) as UserId))
    return { wanted, set: UserSet.of(wanted) }
  }
  const union = (a: ReadonlySet<UserId>, b: ReadonlySet<UserId>) => new Set([...a, ...b])
  const expectSame = (set: UserSet, wanted: ReadonlySet<UserId> | UserSet, what: string) => {
    const found = set.toArray()
    const isSame =
      found.length === wanted.size && set.size === wanted.size && found.every((id) => wanted.has(id))
    if (!isSame) throw new Error(`seed ${seed}: ${what} is ${found.join()}, not ${[...wanted].join()}`)
    if (found.some((id, index) => index > 0 && id <= (found[index - 1] as number)))
      throw new Error('not ascending')
  }
  for (let count = 0; count < 5_000; count++) {
    const [a, b] = [make(), make()]
    expectSame(a.set, a.wanted, 'the set')
    expectSame(a.set.with(b.wanted), union(a.wanted, b.wanted), 'with')
    expectSame(a.set.without(b.wanted), new Set([...a.wanted].filter((id) => !b.wanted.has(id))), 'without')
    expectSame(a.set.union(b.set), union(a.wanted, b.wanted), 'the union')
    expectSame(
      a.set.intersection(b.set),
      new Set([...a.wanted].filter((id) => b.wanted.has(id))),
      'the intersection',
    )
    expectSame(
      a.set.difference(b.set),
      new Set([...a.wanted].filter((id) => !b.wanted.has(id))),
      'the difference',
    )
    expectSame(
      UserSet.decode(a.set.without(b.wanted).encode()),
      a.set.difference(b.set),
      'the rest read back',
    )
    if (a.set.countShared(b.set) !== a.set.intersection(b.set).size)
      throw new Error(`seed ${seed}: the count`)
    expectSame(a.set.without(b.wanted).union(b.set), union(a.wanted, b.wanted), 'the union after a removal')
    expectSame(UserSet.decode(a.set.encode()), a.wanted, 'the set read back')
    for (const id of b.wanted)
      if (a.set.has(id) !== a.wanted.has(id)) throw new Error(`seed ${seed}: has ${id}`)
  }
  t.pass('all agree')
})

t.test('[SET5] a set is equal in either of its forms, at the border between them', async (t) => {
  for (const [step, top] of [
    [1, 15],
    [1, 16],
    [1, 17],
    [1, 18],
    [31, 16],
    [32, 17],
    [1_000, 17],
  ] as const) {
    const wanted = range(1, top).map((id) => (id * step) as UserId)
    const whole = UserSet.of(wanted)
    const [first] = wanted as [UserId]
    const last = wanted.at(-1) as UserId
    t.same(whole.toArray(), wanted, `${top} ids, one in ${step}`)
    t.same(whole.without([last]).toArray(), wanted.slice(0, -1))
    t.same(whole.without([first]).with([first]).toArray(), wanted)
    t.same(whole.intersection(UserSet.of(range(1, 100_000))).toArray(), wanted)
    t.same(whole.difference(UserSet.of([last])).toArray(), wanted.slice(0, -1))
    t.same(UserSet.of(range(1, 100_000)).difference(whole).size, 100_000 - top)
    t.same(UserSet.of([first]).union(whole).toArray(), wanted)
    t.ok(wanted.every((id) => whole.has(id)))
    t.notOk(whole.has((last + 1) as UserId))
    t.notOk(whole.has(0 as UserId))
  }
})

t.test('[SET6] a set that shrank is parsed from its text, in the form of its size', async (t) => {
  for (const left of [0, 1, 15, 16, 17]) {
    const shrunk = UserSet.of(range(1, 10_000)).without(range(left + 1, 10_000))
    t.equal(shrunk.size, left)
    t.same(shrunk.toArray(), range(1, left))
    if (left <= 16) t.equal(shrunk.encode(), range(1, left).join(), 'few are listed')
    else t.match(shrunk.encode(), /^b/)
    const read = UserSet.decode(shrunk.encode())
    t.same(read.toArray(), range(1, left))
    t.equal(read.size, left)
    t.same(read.with(ids(20_000)).without(ids(20_000)).toArray(), range(1, left))
  }
})

t.test('[SET7] removing absent values returns the same set', async (t) => {
  for (const one of [UserSet.empty, UserSet.of(range(3, 9)), UserSet.of(range(3, 99))]) {
    t.equal(one.intersection(UserSet.of(range(1, 200))), one)
    t.equal(one.difference(UserSet.of(range(200, 300))), one)
    t.equal(one.union(UserSet.empty), one)
    t.equal(one.countShared(UserSet.of(range(1, 200))), one.size)
    t.equal(one.countShared(UserSet.empty), 0)
  }
})

t.test('[SEC8] the union of many sets equals their unions one after another', async (t) => {
  const make = () => UserSet.of(Array.from({ length: randomInt(40) }, () => randomInt(1, 300) as UserId))
  for (let round = 0; round < 200; round++) {
    const sets = Array.from({ length: randomInt(6) }, make)
    const wanted = sets.reduce((all, one) => all.union(one), UserSet.empty)
    const kept = sets.map((one) => one.encode())
    const found = UserSet.unionOf(sets)
    t.same([found.toArray(), found.size, found.encode()], [wanted.toArray(), wanted.size, wanted.encode()])
    t.same(
      sets.map((one) => one.encode()),
      kept,
      'each is unchanged',
    )
  }
})

t.test('[SEC9] an id of more than 32 bits is in no set', async (t) => {
  for (const set of [UserSet.of(ids(1, 5)), UserSet.of(range(1, 40))]) {
    for (const id of ids(2 ** 32 + 5, 5 - 2 ** 32, 2 ** 52 + 5, -1)) t.notOk(set.has(id))
  }
})
