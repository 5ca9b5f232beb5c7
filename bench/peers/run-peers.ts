/** Compares the peers that are installed: all run at once, and are measured in turns by the same load. */

import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { percentile } from '../measure/percentile.ts'
import { sized } from '../measure/sizes.ts'
import { type Remote, startRemote } from '../start/remote.ts'
import type { Peer, PeerPlan, RunningPeer } from './peer.ts'
import type { PeerLoad } from './peer-load.ts'

const LOAD = join(import.meta.dirname, 'peer-load.ts')
const TURNS = sized(4, 1)
const FAN_OUT = { count: sized(50, 5), perSecond: 20 }
const FLOOD = { count: sized(2_000, 50), inFlight: 64 }

/** The figures of one peer. Times are in milliseconds, memory in KiB for each connected client. */
export interface PeerFigures {
  readonly name: string
  readonly version: string
  readonly settings: string
  readonly people: number
  readonly ackP50: number
  readonly lastP50: number
  readonly lastP99: number
  readonly floodPerSecond: number
  readonly clientKib: number
}

interface Measured {
  readonly peer: Peer
  readonly version: string
  readonly running: RunningPeer
  readonly fanOut: Remote<PeerLoad>
  readonly flood: Remote<PeerLoad>
  readonly clientKib: number
  readonly ackMs: number[]
  readonly lastMs: number[]
  readonly rates: number[]
}

/** Measures peers with the same people. Those that are not installed are said, with the way to install them. */
export async function comparePeers(
  peers: readonly Peer[],
  plan: PeerPlan,
  say: (line: string) => void,
): Promise<PeerFigures[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-peers-'))
  const measured: Measured[] = []
  try {
    for (const peer of peers) {
      const version = await peer.findVersion()
      say(
        version === undefined ? `${peer.name} is not installed: ${peer.install}` : `${peer.name} ${version}`,
      )
      if (version !== undefined)
        measured.push(await start(peer, version, join(folder, String(measured.length)), plan))
    }
    for (let turn = 0; turn < TURNS; turn++) for (const one of measured) await measure(one)
  } finally {
    await Promise.all(
      measured.map(async ({ fanOut, flood, running }) => {
        await Promise.all([fanOut.close(), flood.close()])
        await running.close()
      }),
    )
    await rm(folder, { recursive: true, force: true })
  }
  return measured.map((one) => summarize(one, plan))
}

async function start(peer: Peer, version: string, folder: string, plan: PeerPlan): Promise<Measured> {
  await mkdir(folder)
  const running = await peer.start(folder, plan)
  const [fanOut, flood] = [startRemote<PeerLoad>(LOAD), startRemote<PeerLoad>(LOAD)]
  const before = await running.readMemory()
  await fanOut.call('connect', running.rooms.fanOut, plan.roomSize)
  const clientKib = ((await running.readMemory()) - before) / plan.roomSize / 1_024
  await flood.call('connect', running.rooms.flood, plan.floodSize)
  return { peer, version, running, fanOut, flood, clientKib, ackMs: [], lastMs: [], rates: [] }
}

async function measure({ fanOut, flood, ackMs, lastMs, rates }: Measured): Promise<void> {
  const found = await fanOut.call('fanOut', FAN_OUT)
  ackMs.push(...found.ackMs)
  lastMs.push(...found.lastMs)
  rates.push(await flood.call('flood', FLOOD))
}

function summarize(
  { peer, version, clientKib, ackMs, lastMs, rates }: Measured,
  plan: PeerPlan,
): PeerFigures {
  return {
    name: peer.name,
    version,
    settings: peer.settings,
    people: plan.roomSize,
    ackP50: percentile(ackMs, 0.5),
    lastP50: percentile(lastMs, 0.5),
    lastP99: percentile(lastMs, 0.99),
    floodPerSecond: percentile(rates, 0.5),
    clientKib,
  }
}

/** The people of each comparison: rooms of XMPP cost each member the presence of all others, so they are smaller. */
export const PEER_PLANS = {
  brokers: { roomSize: sized(1_000, 30), floodSize: sized(50, 10) },
  rooms: { roomSize: sized(300, 20), floodSize: sized(50, 10) },
} as const
