/** Runs of a list: what they hold, when they are joined, and how many are remembered. */

import t from 'tap'
import { KeptPiece } from '../../server/views/json-pieces.ts'
import { joinRuns, type ListedObject } from '../../server/views/kept-runs.ts'

const objectOf = (id: number, text = `,{"id":${id}}`): ListedObject => ({
  id,
  piece: new KeptPiece(Buffer.from(text)),
})
const textOf = (pieces: readonly KeptPiece[]) => Buffer.concat(pieces.map(({ bytes }) => bytes)).toString()

t.test('[RUNS1] what is listed again comes in runs, and says the same', async (t) => {
  const objects = Array.from({ length: 100 }, (_, index) => objectOf(index))
  const whole = textOf(objects.map(({ piece }) => piece))
  const first = joinRuns(objects)
  t.equal(first.length, 100)
  t.equal(textOf(first), whole)
  const second = joinRuns(objects)
  t.equal(second.length, 4, 'neighbours of 32 ids each')
  t.equal(textOf(second), whole)
  const third = joinRuns(objects)
  t.ok(third.every((piece, index) => piece === second[index]))
  t.same(joinRuns([]), [])
})

t.test('[RUNS2] where one is missing or has changed, its run alone is another', async (t) => {
  const objects = Array.from({ length: 64 }, (_, index) => objectOf(index))
  joinRuns(objects)
  const before = joinRuns(objects)
  t.equal(before.length, 2)
  const without = objects.filter(({ id }) => id !== 40)
  t.equal(textOf(joinRuns(without)), textOf(without.map(({ piece }) => piece)))
  const again = joinRuns(without)
  t.equal(again.length, 2)
  t.equal(again[0], before[0])
  t.equal(textOf(again), textOf(without.map(({ piece }) => piece)))
  const changed = objects.map((one) => (one.id === 5 ? objectOf(5, ',{"id":5,"new":1}') : one))
  joinRuns(changed)
  t.match(textOf(joinRuns(changed)), '"new":1')
  t.equal(joinRuns(objects)[1], before[1], 'what was listed before is remembered beside it')
})

t.test('[RUNS3] of ever other lists the older runs are forgotten', async (t) => {
  const objects = Array.from({ length: 32 }, (_, index) => objectOf(index))
  for (let missing = 1; missing < 32; missing++) {
    const some = objects.filter(({ id }) => id !== missing)
    joinRuns(some)
    t.equal(joinRuns(some).length, 1)
  }
  t.equal(joinRuns(objects.filter(({ id }) => id !== 1)).length, 31, 'it begins anew')
})

t.test('[RUNS4] runs take a bounded room, whatever is listed', async (t) => {
  const mib = 'x'.repeat(1024 * 1024)
  const lists = Array.from({ length: 20 }, (_, list) => [0, 1].map((id) => objectOf(id, `,"${list}${mib}"`)))
  for (const list of lists) {
    joinRuns(list)
    t.equal(joinRuns(list).length, 1)
  }
  const joined = lists.filter((list) => joinRuns(list).length === 1)
  t.ok(joined.length >= 1, 'the newest are kept')
  const large = Array.from({ length: 32 }, (_, id) => objectOf(id, `,"${mib}${mib}"`))
  joinRuns(large)
  t.equal(joinRuns(large).length, 32, 'what has no room is never joined')
})
