/** PostgreSQL under pg_auto_failover: a monitor, a primary, and a standby that each commit waits for. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type Sql } from '../../db/connection/connect.ts'
import { findFreePort } from '../harness/servers/listen-locally.ts'
import { pollUntil } from '../services/poll-until.ts'
import type { Databases, Outage, Teardown } from './part.ts'
import { findProgram, type PartProcess, startPart } from './part-process.ts'
import { chooseServiceUser, makeServiceFolder } from './service-user.ts'

const HOST = '127.0.0.1'
const DEBIAN_VERSIONS = '/usr/lib/postgresql'
export const AUTO_FAILOVER_INSTALL = 'apt-get install pg-auto-failover-cli postgresql-15-auto-failover'

/**
 * Milliseconds, on the monitor. By default a machine that is gone is replaced after some 50 s: 20 s until it counts as
 * gone, and 30 s in which it is to notice that itself.
 */
const TIMES = {
  health_check_period: 1_000,
  health_check_timeout: 1_000,
  health_check_max_retries: 1,
  health_check_retry_delay: 500,
  node_considered_unhealthy_timeout: 5_000,
  primary_demote_timeout: 8_000,
  startup_grace_period: 3_000,
} as const

/** The folder of PostgreSQL's programs that pg_auto_failover is installed for; undefined without it. */
export function findAutoFailover(): string | undefined {
  if (findProgram('pg_autoctl') === undefined || !existsSync(DEBIAN_VERSIONS)) return undefined
  return readdirSync(DEBIAN_VERSIONS)
    .filter((version) => existsSync(`/usr/share/postgresql/${version}/extension/pgautofailover.control`))
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN_VERSIONS, version, 'bin'))[0]
}

/** A server with its keeper, or the monitor. */
class Node {
  readonly name: string
  readonly port: number
  readonly folder: string
  readonly #start: (args: readonly string[]) => PartProcess
  #running: PartProcess

  private constructor(name: string, port: number, { folder, start, args }: NodeOptions) {
    this.name = name
    this.port = port
    this.folder = folder
    this.#start = start
    const place = ['--pgdata', folder, '--pgport', String(port), '--hostname', HOST]
    this.#running = start(['create', ...args, ...place, '--auth', 'trust', '--no-ssl', '--run'])
  }

  static async create(name: string, options: NodeOptions): Promise<Node> {
    return new Node(name, await findFreePort(), options)
  }

  get isRunning(): boolean {
    return this.#running.isRunning()
  }

  /** The process of PostgreSQL itself. */
  get postgresPid(): number {
    return Number(readFileSync(join(this.folder, 'postmaster.pid'), 'utf8').split('\n')[0])
  }

  restart(): void {
    this.#running = this.#start(['run', '--pgdata', this.folder])
  }

  kill = () => this.#running.kill()
  stop = () => this.#running.stop()
}

interface NodeOptions {
  readonly folder: string
  readonly start: (args: readonly string[]) => PartProcess
  /** The kind of node, and what only it has. */
  readonly args: readonly string[]
}

/** Starts all three; they end with the check. */
export async function startAutoFailover(t: Teardown, root: string, programs: string): Promise<Databases> {
  const user = chooseServiceUser()
  const folderOf = (name: string) => makeServiceFolder(join(root, name), user)
  const sockets = folderOf('sockets')
  const home = folderOf('home')
  const env = {
    PATH: `${programs}:/usr/bin:/bin`,
    HOME: home,
    XDG_RUNTIME_DIR: home,
    // Without these it uses a folder that only Debian's own user may write to.
    PG_REGRESS_SOCK_DIR: sockets,
    PGHOST: sockets,
  }
  const create = async (name: string, args: readonly string[]): Promise<Node> => {
    const logFile = join(root, `${name}.log`)
    const start = (all: readonly string[]) =>
      startPart(['pg_autoctl', ...all], { logFile, cwd: root, env, user: user.ids })
    const node = await Node.create(name, { folder: join(folderOf(`of-${name}`), 'data'), start, args })
    t.teardown(() => node.stop())
    return node
  }
  const monitor = await create('monitor', ['monitor'])
  const admin = connect(addressOf(monitor, user.name, 'pg_auto_failover'), 1, 'parley-ha-check')
  t.teardown(() => admin.end({ timeout: 1 }))
  await pollUntil('the monitor answers', () => isInState(admin, [], [monitor]))
  for (const [name, ms] of Object.entries(TIMES))
    await admin.unsafe(`alter system set pgautofailover.${name} = ${ms}`)
  await admin.unsafe('select pg_reload_conf()')
  const monitorUrl = addressOf(monitor, 'autoctl_node', 'pg_auto_failover')
  const more = ['--dbname', 'parley', '--username', 'parley', '--monitor', monitorUrl]
  const addNode = (name: string) => create(name, ['postgres', '--name', name, ...more])
  const one = await addNode('one')
  await pollUntil('the first server is there', () => isInState(admin, ['single'], [monitor, one]))
  const two = await addNode('two')
  const isWhole = () => isInState(admin, ['primary', 'secondary'], [monitor, one, two])
  await copyFirst(addressOf(one, user.name, 'postgres'), isWhole)
  return {
    url: `postgres://parley@${HOST}:${one.port},${HOST}:${two.port}/parley`,
    kind: 'PostgreSQL under pg_auto_failover, a primary and a synchronous standby',
    outages: outagesOf({ admin, monitor, nodes: [one, two], isWhole }),
  }
}

function addressOf({ port }: Node, user: string, database: string): string {
  return `postgres://${user}@${HOST}:${port}/${database}`
}

/** Waits for the copy of the first server, which begins with a checkpoint that takes its time unless it is asked for. */
async function copyFirst(url: string, isWhole: () => Promise<boolean>): Promise<void> {
  const sql = connect(url, 1, 'parley-ha-check')
  const hurrying = setInterval(() => void sql.unsafe('checkpoint').catch(() => undefined), 1_000)
  try {
    await pollUntil('the standby follows', isWhole)
  } finally {
    clearInterval(hurrying)
    await sql.end({ timeout: 1 })
  }
}

interface Cluster {
  readonly admin: Sql
  readonly monitor: Node
  readonly nodes: readonly Node[]
  readonly isWhole: () => Promise<boolean>
}

function outagesOf({ admin, monitor, nodes, isWhole }: Cluster): Outage[] {
  const findPrimary = async (): Promise<Node> => {
    const [row] = await admin<{ name: string }[]>`
      select nodename as name from pgautofailover.node where reportedstate = 'primary'`
    return nodes.find(({ name }) => name === row?.name) as Node
  }
  const whole = () => pollUntil('a primary, and a standby that follows it', isWhole)
  let killed: Node | undefined
  return [
    {
      name: "PostgreSQL's primary, the process alone",
      begin: async () => process.kill((await findPrimary()).postgresPid, 'SIGKILL'),
      end: whole,
    },
    {
      name: "PostgreSQL's primary with its keeper, like a machine",
      begin: async () => {
        killed = await findPrimary()
        await killed.kill()
      },
      end: () => {
        killed?.restart()
        return whole()
      },
    },
    {
      name: 'the monitor of pg_auto_failover',
      begin: monitor.kill,
      end: () => {
        monitor.restart()
        return whole()
      },
    },
  ]
}

/** Whether the monitor answers, and its servers are in these states; throws if a node has ended. */
async function isInState(admin: Sql, states: readonly string[], nodes: readonly Node[]): Promise<boolean> {
  const ended = nodes.find(({ isRunning }) => !isRunning)
  if (ended) throw new Error(`${ended.name} of pg_auto_failover has ended: its log says why`)
  try {
    const rows = await admin<{ state: string }[]>`
      select reportedstate as state from pgautofailover.node where reportedstate = goalstate order by 1`
    return rows.map(({ state }) => state).join() === states.join()
  } catch {
    return false // It starts, or has no tables yet.
  }
}
