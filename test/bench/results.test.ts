/** The documents that are made from the results of the benchmarks. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { formatCapacity, formatConnections } from '../../bench/measure/capacity.ts'
import { formatCosts } from '../../bench/measure/costs.ts'
import { noteSize } from '../../bench/measure/figure.ts'
import { runInTime } from '../../bench/measure/in-time.ts'
import { formatMarkdown } from '../../bench/measure/markdown-table.ts'
import { readPeers, writePeerDocuments } from '../../bench/peers/publish-peers.ts'
import { addOutcomes, readResults, replaceBlock, writeDocuments } from '../../bench/measure/results.ts'
import { formatTable } from '../../bench/measure/table.ts'

const ROOT = join(import.meta.dirname, '../..')

t.test('[BENCH1] the pages on benchmarks and capacity have the results of the latest runs', async (t) => {
  const results = readResults()
  t.ok(Object.keys(results).length > 10, 'the results were read')
  for (const [file, text] of Object.entries(writeDocuments(results)))
    t.equal(readFileSync(join(ROOT, file), 'utf8'), text, `${file}: npm run bench writes it`)
})

t.test('[BENCH2] a document without the comments of a block is not written', async (t) => {
  t.throws(() => replaceBlock('# A page', 'costs', 'text'), { message: 'the block costs is missing' })
})

t.test('[BENCH3] capacity is not computed from costs that no run has measured', async (t) => {
  t.match(formatCapacity({}), /^Not computed: W1, W1b, W2, W14, W3, W11, W19 must run first\.$/)
})

t.test('[BENCH4] a benchmark ends with its time, and by itself or by its failure before', async (t) => {
  const hanging = Promise.withResolvers<void>()
  const signals: AbortSignal[] = []
  const hang = (signal: AbortSignal) => {
    signals.push(signal)
    return hanging.promise
  }
  t.equal(await runInTime(0, hang), false)
  t.equal(signals[0]?.aborted, true, 'what it was about to start does not start')
  hanging.reject(new Error('its server is gone'))
  t.equal(await runInTime(60_000, async () => {}), true)
  await t.rejects(
    runInTime(60_000, async () => {
      throw new Error('a wrong answer')
    }),
    { message: 'a wrong answer' },
  )
})

t.test('[BENCH5] the table and the chart of other servers have the figures of the latest run', async (t) => {
  const results = readPeers()
  for (const [file, text] of Object.entries(writePeerDocuments(results)))
    t.equal(readFileSync(join(ROOT, file), 'utf8'), text, `${file}: npm run bench -- peers writes it`)
  const chart = readFileSync(join(ROOT, 'docs/peers.svg'), 'utf8')
  for (const { name, version, lastP50 } of results.figures)
    for (const one of [`>${name} ${version}<`, `>${lastP50.toFixed(1)} ms<`]) t.ok(chart.includes(one), one)
  const slowest = Math.max(...results.figures.map(({ lastP50 }) => lastP50))
  for (const { lastP50 } of results.figures) {
    const [, width] =
      new RegExp(`width="(\\d+)"[^>]*/><text[^>]*>${lastP50.toFixed(1)} ms<`).exec(chart) ?? []
    t.equal(Number(width), Math.round((130 * lastP50) / slowest), 'bars are in proportion')
  }
})

const FACTS = {
  date: '2026-01-01',
  cpu: 'one',
  cores: 2,
  memoryMiB: 1,
  system: 'Linux',
  node: '22',
  postgres: '18',
}
const work = (name: string) => ({ name, title: `what ${name} does`, limit: 'none', run: async () => [] })

t.test('[BENCH6] a benchmark whose time was over leaves the figures of the run before', async (t) => {
  const before = addOutcomes(
    {},
    [{ work: work('W26'), seconds: 9, kind: 'measured', figures: [noteSize('a', 1, 's')] }],
    FACTS,
  )
  const after = addOutcomes(
    before,
    [
      { work: work('W26'), seconds: 1_200, kind: 'unfinished', figures: [noteSize('a', 2, 's')] },
      { work: work('W1'), seconds: 3, kind: 'wrong', reason: 'a message is missing' },
    ],
    FACTS,
  )
  t.same(after['W26'], before['W26'])
  t.match(after['W1'], { wrong: 'a message is missing', seconds: 3 })
  t.match(
    formatTable([
      { work: work('W26'), seconds: 1_200, kind: 'unfinished', figures: [noteSize('a', 2, 's')] },
    ]),
    /UNFINISHED/,
  )
})

t.test('[BENCH7] the tables of capacity say of each figure whether it was measured', async (t) => {
  const { W26: _, ...others } = readResults()
  t.match(formatCosts(others), /a connection in the kernel \| 4096 B \| assumed \|/)
  t.match(formatConnections(others), /^Not measured yet: `npm run bench -- W26`\.$/)
  const counts = { processes: 9, connections: 100_000, people: 10_000 }
  const figures = [
    noteSize('a connection, resident', 5_000, 'B', counts),
    noteSize('a connection, in the kernel, both ends', 6_000, 'B'),
    noteSize('a web process with its connections', 260, 'MiB'),
    noteSize('a message until the last has it', 1_500, 'ms'),
    noteSize('a restart of one process until all are back', 30, 's', { restarted: 4 }),
  ]
  const results = { ...others, W26: { title: '', limit: '', ...FACTS, figures } }
  t.match(formatCosts(results), /a connection in the kernel \| 3000 B \| arithmetic: half of both ends/)
  const table = formatConnections(results)
  t.match(table, /^100,000 WebSockets of 10,000 people at 9 web processes, of which 4 restarted, on 2 cores/)
  t.match(table, /a connection, resident \| 5000 B \|  \|/)
  t.match(table, /a message until the last has it \| 1500 ms \| [\d,]+ ms \|/)
  for (const line of formatCapacity(results)
    .split('\n')
    .filter((one) => one.includes('cores')))
    t.match(line, /arithmetic \|$/)
})

t.test('[BENCH8] the page on benchmarks has the time of a plain run once each of it was timed', async (t) => {
  const result = { title: 'x', limit: 'y', ...FACTS, figures: [noteSize('a', 1, 's')] }
  const long = { ...result, seconds: 1_200, isLong: true }
  t.match(
    formatMarkdown({ W1: { ...result, seconds: 30 }, W2: { ...result, seconds: 60 }, W12: long }),
    /A plain run takes 1\.5 minutes: W2 60 s, W1 30 s\. By name only: W12 1200 s\./,
  )
  t.notMatch(formatMarkdown({ W1: { ...result, seconds: 30 }, W2: result }), /A plain run/)
})
