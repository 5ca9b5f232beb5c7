/** The documents that are made from the results of the benchmarks. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { formatCapacity } from '../../bench/measure/capacity.ts'
import { runInTime } from '../../bench/measure/in-time.ts'
import { readPeers, writePeerDocuments } from '../../bench/peers/publish-peers.ts'
import { readResults, replaceBlock, writeDocuments } from '../../bench/measure/results.ts'

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
  t.equal(await runInTime(0, () => hanging.promise), false)
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
