/** `npm test [FILE or FOLDER...]`: starts real PostgreSQL and Redis, runs the tests, and holds the table against what was observed. */

import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { connect } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { launchPostgres } from '../server/services/launch-postgres.ts'
import { launchRedis } from '../server/services/launch-redis.ts'
import { findUnobserved } from './harness/find-unobserved.ts'
import { TEMPLATE_DATABASE } from './harness/environment.ts'
import { installRedis } from './services/install-redis.ts'

const ROOT = join(import.meta.dirname, '..')
/** Test files at a time: they wait for PostgreSQL about as much as they work. */
const JOBS = '3'

const args = process.argv.slice(2)
const options = args.filter((arg) => arg.startsWith('-'))
const files = args.filter((arg) => !arg.startsWith('-')).flatMap(findTestFiles)
const folder = mkdtempSync(join(tmpdir(), 'parley-test-'))
const observed = join(folder, 'observed')
mkdirSync(observed)

process.env.PATH = [dirname(await installRedis(join(ROOT, '.toolchain'))), process.env.PATH].join(delimiter)
const postgres = await launchPostgres({ dataFolder: folder })
const redis = await launchRedis({ dataFolder: folder })
if (!redis) throw new Error('a Redis was installed and cannot be found')
try {
  await createTemplate()
  const code = await runTap()
  const isWhole = files.length === 0
  const unobserved = isWhole && code === 0 ? findUnobserved(readObserved()) : []
  for (const line of unobserved) process.stderr.write(`declared, but observed by no test: ${line}\n`)
  process.exitCode = code !== 0 ? code : unobserved.length > 0 ? 1 : 0
} finally {
  await redis.close()
  await postgres.close()
  rmSync(folder, { recursive: true, force: true })
}

async function createTemplate(): Promise<void> {
  const admin = connect(postgres.url, 1)
  await admin.unsafe(`create database ${TEMPLATE_DATABASE}`)
  await admin.end()
  const url = new URL(postgres.url)
  url.pathname = `/${TEMPLATE_DATABASE}`
  const sql = connect(url.href, 1)
  await migrate(sql)
  await sql.end()
}

function runTap(): Promise<number> {
  const tap = spawn(
    process.execPath,
    [
      join(ROOT, 'node_modules/.bin/tap'),
      'run',
      '--jobs',
      JOBS,
      '--timeout',
      process.env.PARLEY_TEST_TIMEOUT_SECONDS ?? '120',
      '--disable-coverage',
      ...options,
      ...files,
    ],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: {
        ...process.env,
        PARLEY_TEST_DATABASE_URL: postgres.url,
        PARLEY_TEST_REDIS_URL: redis?.url,
        PARLEY_TEST_OBSERVED: observed,
      },
    },
  )
  const forward = (signal: NodeJS.Signals) => tap.kill(signal)
  process.on('SIGINT', forward)
  process.on('SIGTERM', forward)
  return new Promise((resolve) => tap.on('exit', (code) => resolve(code ?? 1)))
}

function readObserved(): Set<string> {
  const files = readdirSync(observed).map((name) => readFileSync(join(observed, name), 'utf8'))
  return new Set(files.flatMap((text) => text.split('\n')))
}

/** The tests of a folder, or the file itself. */
function findTestFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.test.ts')).map((name) => join(path, name))
}
