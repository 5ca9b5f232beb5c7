/** PgBouncer from PATH in front of the tests' database. */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseIdentity } from '../../server/services/choose-identity.ts'
import type { TestContext } from '../harness/databases/create-database.ts'
import { findFreePort } from '../harness/servers/listen-locally.ts'
import { pollUntil } from '../services/poll-until.ts'

/** Debian's place for it is not in every PATH. */
const PATH = `${process.env.PATH}:/usr/sbin`

/** Whether it is installed. */
export const hasPgbouncer = (): boolean =>
  spawnSync('pgbouncer', ['--version'], { env: { PATH }, stdio: 'ignore' }).status === 0

/** Starts it in front of a database; returns the database's URL through it. It ends with the test. */
export async function startPgbouncer(
  t: TestContext,
  databaseUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<string> {
  const { searchParams, username, pathname } = new URL(databaseUrl)
  const port = await findFreePort()
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  const file = join(folder, 'pgbouncer.ini')
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    ...settings,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`)
  const target = `* = host=${searchParams.get('host')} port=5432 user=${username}`
  writeFileSync(file, ['[databases]', target, '[pgbouncer]', ...lines, ''].join('\n'))
  const { prefix, user } = chooseIdentity(process.execPath, folder)
  const [program, ...args] = [...prefix, 'pgbouncer', '-q', file]
  const child = spawn(program as string, args, {
    ...user,
    env: { PATH },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const closed = once(child, 'close')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await closed
    rmSync(folder, { recursive: true, force: true })
  })
  await pollUntil('PgBouncer listens', async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${said}`)
    const socket = createConnection({ host: '127.0.0.1', port })
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isThere
  })
  return `postgres://${username}@127.0.0.1:${port}${pathname}`
}
