/** The bundled PostgreSQL: it keeps acknowledged data and leaves nothing running. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import t, { type Test } from 'tap'
import { connect } from '../../db/connection/connect.ts'
import { findRunningPostgres } from '../../server/services/find-running-postgres.ts'
import { launchPostgres } from '../../server/services/launch-postgres.ts'
import { copyFolder } from './copy-folder.ts'
import { findProcesses } from './find-processes.ts'
import { pollUntil } from './poll-until.ts'

/** The data folder of the first test's start; most others need not create it again. */
const made = t.testdir()

function testdirAsMade(t: Test): string {
  const dataFolder = t.testdir()
  copyFolder(made, dataFolder)
  return dataFolder
}

const readServerPid = (dataFolder: string) =>
  Number.parseInt(readFileSync(path.join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8'), 10)

await t.test('it starts from nothing, in a folder with any name, and close leaves nothing', async (t) => {
  const dataFolder = path.join(t.testdir(), 'a folder, "new" é')
  const launched = await launchPostgres({ dataFolder })
  const sql = connect(launched.url, 1)
  const [row] = await sql`
    select current_database() as database, lower('É') as lower,
      current_setting('server_encoding') as encoding, current_setting('fsync') as fsync`
  t.strictSame({ ...row }, { database: 'parley', lower: 'é', encoding: 'UTF8', fsync: 'on' })
  await sql`create extension pg_trgm`

  // Not a pool: its end does not wait until connections are closed.
  const client = new pg.Client({ connectionString: launched.url })
  await client.connect()
  t.strictSame((await client.query('select 1 as one')).rows, [{ one: 1 }], 'pg takes the url as it is')
  await client.end()

  t.equal(findRunningPostgres(dataFolder), launched.url, 'the command line finds it')
  await sql.end()
  await launched.close()
  t.equal(findRunningPostgres(dataFolder), undefined)
  t.strictSame(findProcesses(dataFolder), [], 'no process is left')
  t.notOk(existsSync(launched.socketFolder), 'no socket is left')
  t.strictSame(readdirSync(dataFolder).sort(), ['postgres', 'postgres.log'])
  copyFolder(dataFolder, made)
})

await t.test(
  'a killed server is started again under the same url, with all it has acknowledged',
  async (t) => {
    const dataFolder = testdirAsMade(t)
    const launched = await launchPostgres({ dataFolder })
    const sql = connect(launched.url, 1)
    await sql`create table kept (value int)`
    await sql`insert into kept values (1)`
    const firstPid = readServerPid(dataFolder)
    process.kill(firstPid, 'SIGKILL')
    // First a new server: for a moment, a connection of the killed one still answers.
    await pollUntil(
      'another server runs',
      () => findRunningPostgres(dataFolder) && readServerPid(dataFolder) !== firstPid,
    )
    const kept = await pollUntil('the table answers again', async () => {
      try {
        return (await sql`select value from kept`)[0]
      } catch {
        return undefined // The broken connection is noticed on use.
      }
    })
    t.equal(kept.value, 1)
    t.equal(findRunningPostgres(dataFolder), launched.url)
    await sql.end()
    await launched.close()
    t.strictSame(findProcesses(dataFolder), [])
  },
)

await t.test('a second server on the same folder is refused', async (t) => {
  const dataFolder = testdirAsMade(t)
  const launched = await launchPostgres({ dataFolder })
  await t.rejects(launchPostgres({ dataFolder }), { message: /^another server is running on .*\/postgres/ })
  await launched.close()
})

await t.test('two that start at once on a new folder do not harm each other', async (t) => {
  const dataFolder = t.testdir()
  const other = spawn(process.execPath, [
    path.join(import.meta.dirname, 'launch-and-wait.ts'),
    'postgres',
    dataFolder,
  ])
  const [ours, theirs] = await Promise.all([
    launchPostgres({ dataFolder }).catch(() => undefined),
    Promise.race([once(other.stdout, 'data').then(() => true), once(other, 'exit').then(() => false)]),
  ])
  t.not(ours !== undefined, theirs, 'exactly one of them runs')
  await ours?.close()
  other.kill('SIGKILL')
  t.ok(await pollUntil('nothing is left', () => findProcesses(dataFolder).length === 0))
})

await t.test('it dies with a killed owner, and a new one starts right after', async (t) => {
  const dataFolder = testdirAsMade(t)
  const owner = spawn(process.execPath, [
    path.join(import.meta.dirname, 'launch-and-wait.ts'),
    'postgres',
    dataFolder,
  ])
  const [firstLine] = (await once(owner.stdout, 'data')) as [Buffer]
  const sql = connect(firstLine.toString().trim(), 1)
  await sql`create table kept (value int)`
  await sql`insert into kept values (1)`
  owner.kill('SIGKILL')
  const launched = await launchPostgres({ dataFolder })
  const again = connect(launched.url, 1)
  t.strictSame([...(await again`select value from kept`)], [{ value: 1 }])
  await again.end()
  await sql.end({ timeout: 0 })
  await launched.close()
  t.ok(await pollUntil('nothing is left', () => findProcesses(dataFolder).length === 0))
})

await t.test('a lock file that names no server of ours does not keep it from starting', async (t) => {
  const dataFolder = testdirAsMade(t)
  await (await launchPostgres({ dataFolder })).close()
  // The first child of the shell has ended, but sleep, which replaces the shell, never reaps it.
  const sleeper = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], { cwd: '/' })
  const [line] = (await once(sleeper.stdout, 'data')) as [Buffer]
  for (const pid of [sleeper.pid, Number(line.toString())]) {
    const lines = [pid, path.join(dataFolder, 'postgres'), 1, 5432, '/tmp/gone', '', '  1  2', 'ready', '']
    writeFileSync(path.join(dataFolder, 'postgres', 'postmaster.pid'), lines.join('\n'))
    t.equal(findRunningPostgres(dataFolder), undefined)
    await (await launchPostgres({ dataFolder })).close()
  }
  sleeper.kill()
})

await t.test('a server that cannot start reports the reason', async (t) => {
  const dataFolder = testdirAsMade(t)
  await (await launchPostgres({ dataFolder })).close()
  writeFileSync(path.join(dataFolder, 'postgres', 'PG_VERSION'), '9.6\n')
  await t.rejects(launchPostgres({ dataFolder }), { message: /did not start .*FATAL: .*incompatible/s })
  t.strictSame(findProcesses(dataFolder), [])
})
