/** Two PostgreSQL servers for a test: a primary, and a standby that each commit waits for. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../../db/connection/connect.ts'
import { chooseIdentity, giveFolderTo } from '../../../server/services/choose-identity.ts'
import { createDatabaseFolder, findPrograms } from '../../../server/services/create-database-folder.ts'
import { dieWithParent } from '../../../server/services/die-with-parent.ts'
import { DATABASE, formatAddress, PORT, USER } from '../../../server/services/postgres-address.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { observedFolder } from '../servers/environment.ts'
import type { TestContext } from './create-database.ts'

const SETTINGS = {
  listen_addresses: '',
  port: PORT,
  max_connections: 100,
  shared_buffers: '16MB',
  io_method: 'sync',
  max_logical_replication_workers: 0,
  fsync: 'off', // No test of these cuts the power.
  wal_keep_size: '512MB', // The standby starts from an empty copy.
}

/** One of the two. */
export interface PairedServer {
  /** Its own address. */
  readonly url: string
  /** The folder of its socket, as a host of an address. */
  readonly host: string
  /** Kills it, like a crash: its processes end as soon as they notice. */
  kill(): Promise<void>
  /** Makes the standby the primary, which waits for no other standby. */
  promote(): Promise<void>
}

/** The servers at first. */
export interface DatabasePair {
  readonly primary: PairedServer
  readonly standby: PairedServer
  /** The address of both. */
  readonly url: string
}

/** Starts both, in a new folder; they end with the test. */
export async function startPair(
  t: TestContext,
  folder = mkdtempSync(join(observedFolder(), '../pair-')),
): Promise<DatabasePair> {
  const programs = await findPrograms()
  mkdirSync(folder, { recursive: true })
  const sockets = mkdtempSync(join(tmpdir(), 'pair-')) // Short, since the path of a socket is limited.
  t.teardown(() => {
    for (const one of [folder, sockets]) rmSync(one, { recursive: true, force: true })
  })
  const identity = chooseIdentity(programs.postgres, folder)
  giveFolderTo(identity, folder)
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  createDatabaseFolder(programs, first, identity)
  cpSync(first, second, { recursive: true })
  chmodSync(second, 0o700)
  const start = async (data: string, name: string, settings: object): Promise<PairedServer> => {
    const host = join(sockets, name)
    mkdirSync(host)
    giveFolderTo(identity, host)
    giveFolderTo(identity, data)
    const all = { ...SETTINGS, ...settings, unix_socket_directories: host }
    const args = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`])
    const [program = '', ...rest] = [
      ...identity.prefix,
      ...dieWithParent('INT', [programs.postgres, '-D', data, ...args]),
    ]
    const child = spawn(program, rest, { ...identity.user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-2_000)
    })
    t.teardown(() => kill(child))
    const url = formatAddress(host, PORT)
    const ask = async (statement: string) => {
      const sql = connect(url, 1, 'parley-pair')
      try {
        return await sql.unsafe(statement)
      } finally {
        await sql.end({ timeout: 0 })
      }
    }
    await pollUntil(`${name} answers`, () =>
      ask('select 1').then(
        () => true,
        () => child.exitCode !== null && Promise.reject(new Error(`${name} did not start: ${said}`)),
      ),
    )
    return {
      url,
      host,
      kill: () => kill(child),
      async promote() {
        await ask("alter system set synchronous_standby_names = ''")
        await ask('select pg_promote()')
      },
    }
  }
  const primary = await start(first, 'first', { synchronous_standby_names: '*' })
  appendFileSync(
    join(second, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${primary.host} port=${PORT} user=${USER}'\n`,
  )
  writeFileSync(join(second, 'standby.signal'), '')
  const standby = await start(second, 'second', {})
  const hosts = [standby, primary].map(({ host }) => encodeURIComponent(host)).join()
  return { primary, standby, url: `postgres://${USER}@${hosts}/${DATABASE}` }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
