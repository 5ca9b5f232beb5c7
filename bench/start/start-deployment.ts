/** One or several web processes on one database, each on a core of its own, which its load shares. */

import { join } from 'node:path'
import type { DeliveryLoad } from '../load/delivery-load.ts'
import type { ReadLoad } from '../load/read-load.ts'
import type { SendLoad } from '../load/send-load.ts'
import { createChannels } from './create-channels.ts'
import { createPeople, type Person } from './create-people.ts'
import { registerQueues } from './register-queues.ts'
import { type Remote, startRemote } from './remote.ts'
import { type ParleyProcess, startParley } from './start-parley.ts'
import { spawnSync } from 'node:child_process'

const LOADS = join(import.meta.dirname, '../load')
/** The default folder, which both processes may share. */
const DATA_DIR = join(import.meta.dirname, '../../data')
const ROOM = 'everybody'
/** Channels without listeners. */
const QUIET = Array.from({ length: 8 }, (_, index) => `channel ${index}`)

/** The clients of each process. */
export interface DeploymentPlan {
  readonly processes: number
  /** Users of each process with a WebSocket, subscribed to one channel. */
  readonly listeners: number
  /** Users of all processes together who send to other channels. */
  readonly senders: number
  readonly readConnections: number
  /** Required for more than one process. */
  readonly redisUrl?: string | undefined
}

/** A web process with its load. */
export interface DeployedProcess {
  readonly server: ParleyProcess
  readonly deliveries: Remote<DeliveryLoad>
  readonly reads: Remote<ReadLoad>
  readonly sends: Remote<SendLoad>
}

export interface Deployment {
  readonly people: readonly Person[]
  readonly processes: readonly DeployedProcess[]
  /** Whether each process has a core of its own. */
  readonly isPinned: boolean
  close(): Promise<void>
}

/** Starts it with connected clients. */
export async function startDeployment(databaseUrl: string, plan: DeploymentPlan): Promise<Deployment> {
  const listening = plan.processes * plan.listeners
  const people = await createPeople(databaseUrl, listening + plan.senders)
  const senders = people.slice(listening)
  const processes: DeployedProcess[] = []
  const closers: { close(): Promise<void> }[] = []
  let isPinned = true
  const close = async () => void (await Promise.all(closers.map((one) => one.close())))
  try {
    for (let core = 0; core < plan.processes; core++) {
      const process = await startOnCore(databaseUrl, plan.redisUrl)
      processes.push(process)
      closers.push(...Object.values(process))
      for (const { pid } of Object.values(process)) isPinned = pinProcess(pid, core) && isPinned
    }
    const { port } = (processes[0] as DeployedProcess).server
    await createChannels(port, people.slice(0, listening), [ROOM])
    await createChannels(port, senders, QUIET)
    for (const [index, process] of processes.entries()) {
      const share = <One>(all: readonly One[]) =>
        all.slice((index * all.length) / plan.processes, ((index + 1) * all.length) / plan.processes)
      await connectClients(process, plan, share(people.slice(0, listening)), share(senders))
    }
  } catch (error) {
    await close()
    throw error
  }
  return { people, processes, isPinned, close }
}

async function startOnCore(databaseUrl: string, redisUrl: string | undefined): Promise<DeployedProcess> {
  const env: Record<string, string> = redisUrl === undefined ? {} : { REDIS_URL: redisUrl, DATA_DIR }
  return {
    server: await startParley(databaseUrl, { env }),
    deliveries: startRemote<DeliveryLoad>(join(LOADS, 'delivery-load.ts')),
    reads: startRemote<ReadLoad>(join(LOADS, 'read-load.ts')),
    sends: startRemote<SendLoad>(join(LOADS, 'send-load.ts')),
  }
}

async function connectClients(
  { server: { port }, deliveries, reads, sends }: DeployedProcess,
  { readConnections }: DeploymentPlan,
  listeners: readonly Person[],
  senders: readonly Person[],
): Promise<void> {
  await deliveries.call('connect', {
    port,
    clients: await registerQueues(port, listeners, listeners.length),
    senderAuthorization: listeners[0]?.authorization ?? '',
    channel: ROOM,
  })
  await reads.call('connect', { port, connections: readConnections })
  const authorizations = senders.map(({ authorization }) => authorization)
  await sends.call('connect', { port, authorizations, channels: QUIET })
}

/** Ties a process to a core with its present threads; later ones inherit it. Returns false without `taskset`. */
function pinProcess(pid: number, core: number): boolean {
  const { status } = spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)], {
    stdio: 'ignore',
  })
  return status === 0
}
