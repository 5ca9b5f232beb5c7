/**
 * W23: a long import that is killed three times on the way, and goes on each time; a second import of all, which adds
 * nothing; the search index, which follows; and pages and searches of what was there before, before the import and after it.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../db/connection/connect.ts'
import { indexMessages } from '../../workers/jobs/upkeep/index-messages.ts'
import { boundSize, compareLatencies, noteSize } from '../measure/figure.ts'
import { sized } from '../measure/sizes.ts'
import type { Work } from '../measure/work.ts'
import { checkImported } from '../start/check-imported.ts'
import { createPeople, type Person } from '../start/create-people.ts'
import { type ImportRun, runImport } from '../start/import-process.ts'
import { writeSlackExport } from '../start/slack-export.ts'
import { fillHistory, pairTurns, readHistory } from './reading-history.ts'

const MESSAGES = sized(Number(process.env['PARLEY_BENCH_IMPORT_MESSAGES'] ?? 1_000_000), 4_000)
const KILLS = 3
const MEMORY_MIB_MAX = 256
const LOOK_MS = 20
/** As many as the history has senders; the last one reads it. */
const PEOPLE = 10
/** How much slower reading may be than before. */
const READING_MAX = 1.2

export const killedImports: Work = {
  name: 'W23',
  title: `an import of ${MESSAGES.toLocaleString('en')} messages from Slack that is killed ${KILLS} times`,
  limit: `${MEMORY_MIB_MAX} MiB of memory; the same pages and searches before the import`,
  async run({ createDatabase, rounds, say }) {
    const databaseUrl = await createDatabase()
    const people = await createPeople(databaseUrl, PEOPLE)
    const reader = people.at(-1) as Person
    const history = await fillHistory(databaseUrl, people)
    const before = await readHistory(databaseUrl, reader, history, rounds)
    const folder = mkdtempSync(join(tmpdir(), 'parley-bench-import-'))
    const sql = connect(databaseUrl, 1, 'parley-bench')
    const lastId = async () => Number((await sql`select last_id from event_counter`)[0]?.['last_id'])
    const [counted] = await sql<{ count: number }[]>`select count(*) as count from messages`
    const all = MESSAGES + (counted?.count ?? 0)
    const firstId = await lastId()
    /** The log has little else. */
    const stored = async () => (await lastId()) - firstId
    try {
      const path = join(folder, 'slack.zip')
      writeSlackExport(path, MESSAGES)
      const runs: ImportRun[] = []
      for (let kill = 1; kill <= KILLS; kill++) {
        const run = await runImport(databaseUrl, path, folder, (child) => {
          void (async () => {
            while (child.exitCode === null && (await stored()) < (MESSAGES * kill) / (KILLS + 1))
              await sleep(LOOK_MS)
            child.kill('SIGKILL')
          })()
        })
        if (run.summary) throw new Error('the import ended before it was killed')
        say(`killed at ${await stored()} messages after ${run.seconds.toFixed(1)} s`)
        runs.push(run)
      }
      const last = await runImport(databaseUrl, path, folder)
      runs.push(last)
      await checkImported(databaseUrl, all)
      const repeated = await runImport(databaseUrl, path, folder)
      if (repeated.summary?.messages !== 0) throw new Error('a second run brought something')
      await checkImported(databaseUrl, all)
      const indexStartMs = performance.now()
      while ((await indexMessages(sql)) > 0);
      const indexSeconds = (performance.now() - indexStartMs) / 1_000
      const after = await readHistory(databaseUrl, reader, history, rounds)
      const sum = (of: (run: ImportRun) => number) => runs.reduce((total, run) => total + of(run), 0)
      const rate = (seconds: number) => Math.round(MESSAGES / seconds)
      return [
        noteSize('imported over all runs', rate(sum(({ seconds }) => seconds)), 'messages/s', {
          processorSeconds: sum(({ processorSeconds }) => processorSeconds),
        }),
        noteSize('read again', rate(repeated.seconds), 'messages/s', {
          processorSeconds: repeated.processorSeconds,
        }),
        noteSize('indexed', rate(indexSeconds), 'messages/s'),
        boundSize('peak memory', Math.round(Math.max(...[...runs, repeated].map(({ peakMib }) => peakMib))), {
          unit: 'MiB',
          max: MEMORY_MIB_MAX,
        }),
        compareLatencies('a page, to before the import', pairTurns(before.pages, after.pages), {
          p50Max: READING_MAX,
        }),
        compareLatencies('a search, to before the import', pairTurns(before.searches, after.searches), {
          p50Max: READING_MAX,
        }),
      ]
    } finally {
      await sql.end()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
