/** A server that is compared. */

import type { Room } from './dialects/open-dialect.ts'

/** A peer that may be installed on this machine. */
export interface Peer {
  readonly name: string
  /** How it keeps messages, and what differs from its defaults. */
  readonly settings: string
  /** The ordinary packages that have it. */
  readonly install: string
  /** Its version; undefined if it is not installed. */
  findVersion(): Promise<string | undefined>
  /** Starts it in an empty folder, with this many people who may be in its rooms. */
  start(folder: string, plan: PeerPlan): Promise<RunningPeer>
}

/** The people of a peer: those of each room, and one who sends to both. */
export interface PeerPlan {
  readonly roomSize: number
  readonly floodSize: number
}

/** A running peer with its two rooms. */
export interface RunningPeer {
  /** Bytes of its processes; of Parley after a garbage collection. */
  readMemory(): Promise<number>
  readonly rooms: { readonly fanOut: Room; readonly flood: Room }
  close(): Promise<void>
}
