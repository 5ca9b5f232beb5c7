/** A web process of its own, which a test kills and starts again at the same address. */

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client } from '../harness/client/client.ts'
import { createDatabase, type TestContext } from '../harness/databases/create-database.ts'
import { moduleSettings } from '../harness/servers/environment.ts'
import { findFreePort } from '../harness/servers/listen-locally.ts'
import { ACCOUNTS, emailOf, type Person } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'

const ENTRY = join(import.meta.dirname, '../../server/main.ts')

export interface WebProcess {
  readonly url: string
  readonly databaseUrl: string
  as(person: Person): Client
  /** Ends it at once, amid whatever it does. */
  kill(): Promise<void>
  /** Resolves when it answers. */
  start(): Promise<void>
}

/** Starts a server with the default people; it ends with the test. */
export async function startWebProcess(t: TestContext): Promise<WebProcess> {
  const databaseUrl = await createDatabase(t, 'people')
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  const start = async () => {
    child = spawn(process.execPath, [ENTRY], {
      env: {
        PATH: process.env.PATH ?? '',
        ...moduleSettings(),
        DATABASE_URL: databaseUrl,
        PORT: String(port),
        LOG_LEVEL: 'error',
        RATE_LIMIT_USER_PER_MINUTE: '1000000',
        RATE_LIMIT_ADDRESS_PER_MINUTE: '1000000',
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const started = child
    await pollUntil('the server answers', () => {
      if (started.exitCode !== null || started.signalCode !== null) throw new Error('the server has ended')
      return fetch(`${url}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    })
  }
  t.teardown(kill)
  await start()
  return {
    url,
    databaseUrl,
    kill,
    start,
    as(person) {
      const { id = 0, key = '' } = ACCOUNTS.get(person) ?? {}
      return new Client(url, id, emailOf(person), key)
    },
  }
}
