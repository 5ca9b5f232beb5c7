/** The test runner itself: every failure in a file fails it. */

import { join, relative } from 'node:path'
import t from 'tap'
import { runFiles } from './run-files.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Files that must fail, with the expected output; for tap alone the first one passes. */
const WRONG: readonly (readonly [name: string, said: RegExp, code: string])[] = [
  [
    'rejects',
    /not ok - \S*rejects\S* # nobody caught Error: late/,
    "t.test('x', async (t) => { t.ok(true); void Promise.reject(new Error('late')) })",
  ],
  [
    'asserts-late',
    /not ok - \S*asserts-late\S* # it is wrong as a whole/,
    "t.test('x', async (t) => { t.ok(true); setTimeout(() => t.ok(false), 1) })",
  ],
  [
    'changes',
    /not ok - \S*changes\S* # env LEFT_BEHIND left changed/,
    "t.test('x', async (t) => { t.ok(true); process.env.LEFT_BEHIND = '1' })",
  ],
  ['exits', /not ok - \S*exits\S* # ended by 0/, "t.test('x', async (t) => { t.ok(true); process.exit(0) })"],
  ['empty', /not ok - \S*empty\S* # it has no test/, ''],
  ['skips', /not ok - \S*skips\S* # 1 of 1/, "t.test('x', { skip: true }, async (t) => { t.ok(true) })"],
  [
    'puts-off',
    /not ok - \S*puts-off\S* # 1 of 1/,
    "t.test('x', { todo: 'later' }, async (t) => { t.ok(true) })",
  ],
  ['is-broken', /not ok - \S*is-broken\S* # 1 of 1/, 't.test('],
]
const RIGHT = "t.test('x', async (t) => { t.ok(true); t.ok(process.env.LEFT_BEHIND === undefined) })"

const WITHOUT_PROGRAM = "t.test('x', { skip: 'y is not installed' }, async (t) => { t.ok(false) })"

t.test('[WALKX1] the run fails for every kind of failure in a file, and names the file', async (t) => {
  const wrap = (code: string) => `import t from 'tap'\n${code}\n`
  const folder = t.testdir(
    Object.fromEntries([
      ...WRONG.map(([name, , code]) => [`${name}.test.ts`, wrap(code)]),
      ['right.test.ts', wrap(RIGHT)],
      ['without-program.test.ts', wrap(WITHOUT_PROGRAM)],
    ]),
  )
  const run = async (names: readonly string[]) => {
    let text = ''
    const files = names.map((name) => relative(ROOT, join(folder, `${name}.test.ts`)))
    const isRight = await runFiles(ROOT, files, process.env, (piece) => {
      text += piece
    })
    return { isRight, text }
  }
  const wrong = await run([...WRONG.map(([name]) => name), 'right'])
  t.equal(wrong.isRight, false)
  for (const [name, said] of WRONG) t.match(wrong.text, said, name)
  t.match(wrong.text, /^ok - \S*right\S* # 2 assertions/m)
  t.match(wrong.text, new RegExp(`# ${WRONG.length + 1} files, `))
  t.equal((wrong.text.match(/^# failed: /gm) ?? []).length, WRONG.length)
  t.equal((await run(['right'])).isRight, true)
  const without = await run(['without-program'])
  t.equal(without.isRight, true, 'with a reason, a test may be skipped')
  t.match(without.text, /^# skipped: \S*without-program\.test\.ts: x: y is not installed$/m)
})
