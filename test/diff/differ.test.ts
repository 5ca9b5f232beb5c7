import t from 'tap'
import { diffHtml, diffWhole } from '../../workers/pool/diff/diff-html.ts'
import { encodeDiff } from '../../workers/pool/diff/diff-task.ts'
import { Differ, DiffOverloadError } from '../../workers/pool/differ.ts'

const pair = (index: number) => ({ previous: `<p>one ${index}</p>`, now: `<p>one ${index + 1}</p>` })

t.test('[DIFFER1] each pair gets its own difference, in order, whatever their number', async (t) => {
  const differ = new Differ(10_000)
  t.teardown(() => differ.close())
  const pairs = Array.from({ length: 20 }, (_, index) => pair(index))
  const [one, other] = await Promise.all([differ.diff(pairs, 1), differ.diff(pairs.slice(3, 5), 1)])
  const wanted = pairs.map(({ previous, now }) => ({
    encoded: encodeDiff(diffHtml(previous, now)),
    isCompared: true,
  }))
  t.same(one, wanted)
  t.same(other, wanted.slice(3, 5))
  t.same(await differ.diff([], 1), [])
})

t.test('[DIFFER2] a pair that takes too long is shown whole, and the others are compared', async (t) => {
  const differ = new Differ(300) // Many times what the others take on a busy machine.
  t.teardown(() => differ.close())
  const text = 'a <b>b</b> '.repeat(200_000) // Much longer than any message.
  const slow = { previous: '<p>x</p>', now: text }
  const diffs = await differ.diff([pair(1), slow, pair(2)], 1)
  t.same(
    diffs.map(({ isCompared }) => isCompared),
    [true, false, true],
  )
  // Tap would compare millions of characters one by one.
  t.ok(
    Buffer.from(diffs[1]?.encoded ?? []).equals(Buffer.from(encodeDiff(diffWhole(slow.previous, slow.now)))),
  )
  t.same(await differ.diff([pair(3)], 1), [
    { encoded: encodeDiff(diffHtml(pair(3).previous, pair(3).now)), isCompared: true },
  ])
})

t.test('[DIFFER3] more than 200 waiting jobs are refused, and more than 20 of one user', async (t) => {
  const differ = new Differ(10_000)
  t.teardown(() => differ.close())
  const all = Array.from({ length: 201 }, (_, index) => differ.diff([pair(index)], Math.floor(index / 20)))
  await t.rejects(differ.diff([pair(0)], 99), DiffOverloadError)
  await Promise.all(all)
  t.equal((await differ.diff([pair(0)], 99)).length, 1)
  const own = Array.from({ length: 21 }, (_, index) => differ.diff([pair(index)], 1))
  await t.rejects(differ.diff([pair(0)], 1), DiffOverloadError)
  t.equal((await differ.diff([pair(0)], 2)).length, 1, 'others have theirs')
  await Promise.all(own)
})

t.test('[DIFFER5] a single comparison waits for at most one of another user', async (t) => {
  const differ = new Differ(10_000)
  t.teardown(() => differ.close())
  const done: string[] = []
  const many = Array.from({ length: 10 }, async () => {
    await differ.diff([pair(1)], 1)
    done.push('one of many')
  })
  const one = differ.diff([pair(2)], 2).then(() => done.push('the one'))
  await Promise.all([...many, one])
  t.ok(done.indexOf('the one') <= 2, done.join(', '))
})

t.test('[DIFFER4] closing rejects everything that waits', async (t) => {
  const differ = new Differ(10_000)
  const all = Array.from({ length: 20 }, (_, index) => differ.diff([pair(index)], 1))
  await differ.close()
  t.equal((await Promise.all(all)).length, 20)
})
