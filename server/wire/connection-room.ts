/** Refuses connections before the process has no file descriptors left: then it could accept nobody, nor open a file. */

import { readdirSync, readFileSync } from 'node:fs'
import type { ConnectionRoom } from './transport/transport.ts'

/** Descriptors for the database, Redis, uploads, files and threads, beside those that are open at the start. */
const RESERVED = 192
/** Connections that are taken in any case. */
const CONNECTIONS_MIN = 16
/** Milliseconds between two lines about it. */
const SAY_MS = 60_000

/** The limit of this process for open files, and how many connections fit; undefined where the system does not say it. */
export function readRoom(): { readonly limit: number; readonly connectionsMax: number } | undefined {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    const open = readdirSync('/proc/self/fd').length
    if (limit === undefined) return undefined // It is unlimited.
    return {
      limit: Number(limit),
      connectionsMax: Math.max(CONNECTIONS_MIN, Number(limit) - open - RESERVED),
    }
  } catch {
    return undefined // Only Linux has these files.
  }
}

/** Counts connections, and calls back when one is refused, once a minute at most. */
export function makeRoom(
  connectionsMax: number,
  refusal: string,
  onRefused: (connections: number) => void,
): ConnectionRoom {
  let connections = 0
  let saidMs = Number.NEGATIVE_INFINITY
  return {
    refusal,
    enter() {
      connections++
      if (connections <= connectionsMax) return true
      const nowMs = performance.now()
      if (nowMs - saidMs > SAY_MS) {
        saidMs = nowMs
        onRefused(connections)
      }
      return false
    },
    leave() {
      connections--
    },
  }
}
