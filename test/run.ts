/**
 * `npm test [FILE or FOLDER...]`: starts real PostgreSQL and Redis, runs the tests, and compares the table
 * with the observations.
 */

import { accessSync, constants, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative, resolve } from 'node:path'
import { connect } from '../db/connection/connect.ts'
import { migrate } from '../db/migrate.ts'
import { launchPostgres } from '../server/services/launch-postgres.ts'
import { launchRedis } from '../server/services/launch-redis.ts'
import { TEMPLATES } from './harness/servers/environment.ts'
import { findUndeclared, findUnobserved } from './runner/find-unobserved.ts'
import { runFiles } from './runner/run-files.ts'
import { stripTypes } from './runner/strip-types.ts'
import { createPeople } from './harness/servers/start-server.ts'
import { hasTwoServers, UPLOAD_TESTS } from './harness/servers/two-servers.ts'
import { installRedis } from './services/install-redis.ts'

const ROOT = join(import.meta.dirname, '..')
/** Stays for the next run: otherwise stripping types and compiling would take half of the processor time. */
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/parley-test')
/** A file with two workers takes up to 50 connections, and seven files run at a time. */
const CONNECTIONS_MAX = 500
const MEMORY_FOLDER = '/dev/shm'
const MEMORY_BYTES_MIN = 4e9 // Several times the use of a run.

const paths = process.argv.slice(2).filter((arg) => !arg.startsWith('-'))
const folder = mkdtempSync(join(chooseFolder(), 'parley-test-'))
const observed = join(folder, 'observed')
mkdirSync(observed)
stripTypes(ROOT, COMPILE_CACHE)

// At the end, since another Node may be installed beside Redis.
process.env.PATH = [process.env.PATH, dirname(await installRedis(join(ROOT, '.toolchain')))].join(delimiter)
const postgres = await launchPostgres({ dataFolder: folder, connectionsMax: CONNECTIONS_MAX })
const redis = await launchRedis({ dataFolder: folder })
if (!redis) throw new Error('a Redis was installed and cannot be found')
try {
  await createTemplates()
  const found = (paths.length === 0 ? allTests() : paths).flatMap(findTestFiles)
  const files = [...new Set(found)].sort(longestFirst)
  if (files.length === 0) throw new Error(`there is no test in ${paths.join(', ')}`)
  const isRight = await runFiles(ROOT, files, {
    ...process.env,
    PARLEY_TEST_CACHE: COMPILE_CACHE,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${import.meta.resolve('./runner/load-stripped.mjs')}`,
    TAP_CWD: folder, // The parent of its test folders.
    PARLEY_TEST_DATABASE_URL: postgres.url,
    PARLEY_TEST_REDIS_URL: redis.url,
    PARLEY_TEST_OBSERVED: observed,
  })
  const isWhole = paths.length === 0 && !hasTwoServers()
  const undeclared = findUndeclared(readObserved())
  for (const line of undeclared) process.stderr.write(`observed by a test, but not declared: ${line}\n`)
  const unobserved = isWhole ? findUnobserved(readObserved()) : []
  for (const line of unobserved) process.stderr.write(`declared, but observed by no test: ${line}\n`)
  process.exitCode = isRight && undeclared.length + unobserved.length === 0 ? 0 : 1
} finally {
  await redis.close()
  await postgres.close()
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Memory, if there is plenty: on ext4, creating the files of a database takes half a second after others were
 * dropped, since it searches for inode numbers that were not used recently.
 */
function chooseFolder(): string {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
    if (Math.min(bavail * bsize, process.availableMemory()) >= MEMORY_BYTES_MIN) return MEMORY_FOLDER
  } catch {}
  return tmpdir()
}

async function createTemplates(): Promise<void> {
  const urlOf = (name: string) => Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href
  const admin = connect(postgres.url, 1)
  await admin.unsafe(`create database ${TEMPLATES.empty}`)
  const sql = connect(urlOf(TEMPLATES.empty), 1)
  await migrate(sql)
  await sql.end()
  await admin.unsafe(`create database ${TEMPLATES.people} template ${TEMPLATES.empty}`)
  await createPeople(urlOf(TEMPLATES.people))
  await admin.end()
}

/**
 * In reverse order, since the longest files are at the end of the alphabet, besides those of the command line: the run
 * should not wait for one of them.
 */
function longestFirst(one: string, other: string): number {
  const key = (file: string) => (file.startsWith('test/admin/') ? `~${file}` : file)
  return key(one) < key(other) ? 1 : -1
}

function readObserved(): Set<string> {
  const files = readdirSync(observed).map((name) => readFileSync(join(observed, name), 'utf8'))
  return new Set(files.flatMap((text) => text.split('\n')))
}

/** All tests; of two servers, those of uploads. */
function allTests(): string[] {
  const isMode = process.env.SERVERS === undefined || hasTwoServers()
  if (!isMode) throw new Error('SERVERS is 2 or not set')
  return hasTwoServers() ? UPLOAD_TESTS.map((file) => join(ROOT, file)) : [join(ROOT, 'test')]
}

/** The tests of a folder, or the file itself, relative to the project. */
function findTestFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [relative(ROOT, resolve(path))]
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.test.ts')).map((name) => relative(ROOT, resolve(path, name)))
}
