/**
 * `npm run bench [-- NAME...]`: runs the benchmarks, prints a table, and writes bench/results.json with the documents.
 * Benchmarks of several minutes run by name, or with `all`. With `--short` each runs once and small, for right answers
 * alone: nothing is printed or written. `peers` compares other servers that are installed; see `peers/main.ts`.
 */

import { OutOfTime } from './measure/in-time.ts'
import { addOutcomes, describeCommit, describeMachine, keepResults, readResults } from './measure/results.ts'
import type { Results } from './measure/result.ts'
import { formatTable, formatTimes, type Outcome } from './measure/table.ts'
import type { BenchContext, Work } from './measure/work.ts'
import { runPeers } from './peers/main.ts'
import { startDatabases } from './start/start-database.ts'
import { LONG_WORKS, WORKS } from './works/all-works.ts'
import { isShort, sized, trialSettings } from './measure/sizes.ts'

const ROUNDS = sized(5, 1)
/** The name of the comparison with other servers. */
const PEERS = 'peers'
/** Each benchmark, also those that run by name only. */
const ALL = 'all'
const NAMED_WORKS = [...WORKS, ...LONG_WORKS]

const say = (line: string) => process.stderr.write(`bench: ${line}\n`)
const names = process.argv.slice(2).filter((argument) => argument !== '--short')
const comparesPeers = names.includes(PEERS) || (isShort && names.length === 0)
const works =
  names.every((name) => name === PEERS) && names.length > 0
    ? []
    : findWorks(names.filter((name) => name !== PEERS))
const commit = describeCommit(import.meta.dirname)
const facts = {
  date: new Date().toISOString(),
  rounds: ROUNDS,
  ...describeMachine(),
  ...(commit === undefined ? {} : { commit }),
}
const databases = await startDatabases()
const outcomes: Outcome[] = []
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void databases.close().finally(() => process.exit(130)))
}
try {
  const context: BenchContext = { rounds: ROUNDS, createDatabase: () => databases.create(), say }
  for (const work of works) outcomes.push(await measure(work, context))
  if (comparesPeers) await runPeers(databases, say)
} finally {
  await databases.close()
}
if (isShort) say(`all ${outcomes.length} took ${(process.uptime()).toFixed(0)} s; a short run has no figures`)
else if (works.length > 0) {
  process.stdout.write(`${formatTable(outcomes)}\n\n${formatTimes(outcomes, process.uptime())}\n`)
  const trial = trialSettings()
  if (trial.length > 0) say(`a trial by ${trial.join(', ')}: nothing is written`)
  else
    keepResults(orderResults(addOutcomes(readResults(), outcomes, { ...facts, postgres: databases.version })))
}
// A missed target is a result; a wrong answer is a failure, and so is a benchmark that did not end.
process.exit(outcomes.some(({ kind }) => kind !== 'measured') ? 1 : 0)

/** The benchmarks with these names, or all; the long ones only in a short run. */
function findWorks(names: readonly string[]): readonly Work[] {
  if (names.includes(ALL)) return NAMED_WORKS
  const known = new Map(NAMED_WORKS.map((work) => [work.name.toLowerCase(), work]))
  const found = names.map((name) => known.get(name.toLowerCase()))
  const unknown = names.filter((_, index) => !found[index])
  if (unknown.length > 0) {
    say(
      `there is no ${unknown.join(', ')}; there are ${NAMED_WORKS.map(({ name }) => name).join(', ')}, ${PEERS} and ${ALL}`,
    )
    process.exit(2)
  }
  if (names.length > 0) return found as Work[]
  return isShort ? NAMED_WORKS : WORKS
}

async function measure(work: Work, context: BenchContext): Promise<Outcome> {
  const startMs = performance.now()
  say(`${work.name}: ${work.title}, against ${work.limit}`)
  const found = await tryToMeasure(work, context)
  const seconds = (performance.now() - startMs) / 1_000
  say(`${work.name}: done in ${seconds.toFixed(1)} s`)
  return { work, seconds, ...found }
}

async function tryToMeasure(work: Work, context: BenchContext) {
  try {
    return { kind: 'measured', figures: await work.run(context) } as const
  } catch (error) {
    const { message, stack } = error as Error
    say(`${work.name} went wrong: ${stack}`)
    if (error instanceof OutOfTime) return { kind: 'unfinished', figures: error.figures } as const
    return { kind: 'wrong', reason: message } as const
  }
}

/** In the order of the benchmarks, and only those that there still are. */
function orderResults(results: Results): Results {
  return Object.fromEntries(
    NAMED_WORKS.flatMap((work) => {
      const result = results[work.name]
      return result ? [[work.name, { ...result, isLong: LONG_WORKS.includes(work) || undefined }]] : []
    }),
  )
}
