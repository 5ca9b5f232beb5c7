/** A process whose limit of open files is low. */

import { execFileSync } from 'node:child_process'
import type { Socket } from 'node:net'
import t from 'tap'
import { createDatabase } from '../harness/databases/create-database.ts'
import { makeFolder } from '../harness/client/tus.ts'
import { pollUntil } from '../services/poll-until.ts'
import { openConnection, sendRaw } from '../wire/send-raw.ts'
import { TRANSPORTS } from '../wire/start-transport.ts'
import { startLoggedProcess } from './start-logged-process.ts'

/** Open files of the process: some 60 at its start, 192 that it reserves, and some connections. */
const LIMIT = 300
const MESSAGE = /the limit of open files leaves no room/

function hasPrlimit(): boolean {
  try {
    execFileSync('prlimit', ['--version'])
    return true
  } catch {
    return false
  }
}

for (const [name] of TRANSPORTS) {
  t.test(
    `[FD1] connections without room for their files get 503, and the log says the limit: ${name}`,
    { skip: hasPrlimit() ? false : 'prlimit is not installed' },
    async (t) => {
      const env = {
        DATABASE_URL: await createDatabase(t, 'people'),
        DATA_DIR: await makeFolder(t),
        LOG_LEVEL: 'info',
        TRANSPORT: name,
      }
      const { ready, lines } = await startLoggedProcess(t, 'server/main.ts', env, LIMIT)
      const port = Number(new URL(String(ready.url)).port)
      const sockets: Socket[] = []
      t.teardown(() => {
        for (const socket of sockets) socket.destroy()
      })
      const ask = () => sendRaw(port, 'GET /api/v1/server_settings HTTP/1.1\r\nHost: x\r\n\r\n')
      t.equal((await ask()).status, 200)
      for (let count = 0; count < LIMIT; count++) {
        const socket = await openConnection(port)
        socket.on('error', () => undefined)
        sockets.push(socket)
      }
      const refused = await ask()
      t.equal(refused.status, 503)
      t.match(JSON.parse(refused.body), { result: 'error', code: 'SERVICE_UNAVAILABLE' })
      t.match(refused.headers.get('retry-after'), /^\d+$/)
      const line = await pollUntil('the log says so', () => lines.find(({ msg }) => MESSAGE.test(msg)))
      t.equal(line.limit, LIMIT)
      t.ok(Number(line.connections) < LIMIT)
      for (const socket of sockets.splice(0)) socket.destroy()
      await pollUntil('there is room again', async () => (await ask()).status === 200)
      t.equal(lines.filter(({ msg }) => MESSAGE.test(msg)).length, 1, 'once')
    },
  )
}
