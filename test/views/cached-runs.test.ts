/** Runs of a list: their content, when they are joined, and their bound. */

import t from 'tap'
import { CachedPiece } from '../../server/views/json-pieces.ts'
import { CachedRuns, type ListedObject } from '../../server/views/cached-runs.ts'

const objectOf = (id: number, text = `,{"id":${id}}`): ListedObject => ({
  id,
  piece: new CachedPiece(Buffer.from(text)),
})
const textOf = (pieces: readonly CachedPiece[]) => Buffer.concat(pieces.map(({ bytes }) => bytes)).toString()

t.test('[RUNS1] repeated lists are encoded in runs with equal text', async (t) => {
  const runs = new CachedRuns()
  const objects = Array.from({ length: 100 }, (_, index) => objectOf(index))
  const whole = textOf(objects.map(({ piece }) => piece))
  const first = runs.join(objects)
  t.equal(first.length, 100)
  t.equal(textOf(first), whole)
  const second = runs.join(objects)
  t.equal(second.length, 4, 'neighbours of 32 ids each')
  t.equal(textOf(second), whole)
  const third = runs.join(objects)
  t.ok(third.every((piece, index) => piece === second[index]))
  t.same(runs.join([]), [])
})

t.test('[RUNS2] a missing or changed item changes only its run', async (t) => {
  const runs = new CachedRuns()
  const objects = Array.from({ length: 64 }, (_, index) => objectOf(index))
  runs.join(objects)
  const before = runs.join(objects)
  t.equal(before.length, 2)
  const without = objects.filter(({ id }) => id !== 40)
  t.equal(textOf(runs.join(without)), textOf(without.map(({ piece }) => piece)))
  const again = runs.join(without)
  t.equal(again.length, 2)
  t.equal(again[0], before[0])
  t.equal(textOf(again), textOf(without.map(({ piece }) => piece)))
  const changed = objects.map((one) => (one.id === 5 ? objectOf(5, ',{"id":5,"new":1}') : one))
  runs.join(changed)
  t.match(textOf(runs.join(changed)), '"new":1')
  t.equal(runs.join(objects)[1], before[1], 'earlier lists stay cached')
})

t.test('[RUNS3] older runs are dropped as other lists arrive', async (t) => {
  const runs = new CachedRuns()
  const objects = Array.from({ length: 32 }, (_, index) => objectOf(index))
  for (let missing = 1; missing < 32; missing++) {
    const some = objects.filter(({ id }) => id !== missing)
    runs.join(some)
    t.equal(runs.join(some).length, 1)
  }
  t.equal(runs.join(objects.filter(({ id }) => id !== 1)).length, 31, 'it starts again')
})

t.test('[RUNS4] runs take a bounded amount of memory, whatever the lists', async (t) => {
  const runs = new CachedRuns()
  const mib = 'x'.repeat(1024 * 1024)
  const lists = Array.from({ length: 20 }, (_, list) => [0, 1].map((id) => objectOf(id, `,"${list}${mib}"`)))
  for (const list of lists) {
    runs.join(list)
    t.equal(runs.join(list).length, 1)
  }
  const joined = lists.filter((list) => runs.join(list).length === 1)
  t.ok(joined.length >= 1, 'the newest stay cached')
  const large = Array.from({ length: 32 }, (_, id) => objectOf(id, `,"${mib}${mib}"`))
  runs.join(large)
  t.equal(runs.join(large).length, 32, 'pieces without room are never joined')
})

t.test('[RUNS5] a piece shares no memory with short-lived buffers', async (t) => {
  const { bytes } = new CachedPiece(Buffer.from('a short text'))
  t.equal(bytes.buffer.byteLength, bytes.length)
})
