/** Parley itself: a web process on the PostgreSQL of the run, which syncs each commit. */

import { join } from 'node:path'
import { createChannels } from '../start/create-channels.ts'
import { createPeople } from '../start/create-people.ts'
import { registerQueues } from '../start/register-queues.ts'
import { startParley } from '../start/start-parley.ts'
import type { Peer } from './peer.ts'

const REPORT_MEMORY = join(import.meta.dirname, '../start/report-memory.ts')

/** Each listener is a person of their own, who may read the channel; messages are rendered and kept. */
export function parleyPeer(createDatabase: () => Promise<string>, version: string): Peer {
  return {
    name: 'Parley',
    settings: 'in PostgreSQL, synced; permissions, Markdown and history as always',
    install: 'this repository',
    findVersion: async () => version,
    async start(_, { roomSize, floodSize }) {
      const databaseUrl = await createDatabase()
      const people = await createPeople(databaseUrl, roomSize + floodSize + 1)
      const server = await startParley(databaseUrl, {
        nodeFlags: ['--expose-gc', `--import=${REPORT_MEMORY}`],
      })
      const { port } = server
      const [sender] = people.slice(-1)
      const makeRoom = async (channel: string, listening: typeof people) => {
        await createChannels(port, sender ? [sender, ...listening] : listening, [channel])
        const queues = await registerQueues(port, listening, listening.length)
        return {
          kind: 'parley' as const,
          room: { port, channel, queues, senderAuthorization: sender?.authorization ?? '' },
        }
      }
      const rooms = {
        fanOut: await makeRoom('room', people.slice(0, roomSize)),
        flood: await makeRoom('flood', people.slice(roomSize, -1)),
      }
      return { rooms, readMemory: async () => (await server.askMemory()).rss, close: () => server.close() }
    },
  }
}
