/** The costs of a server, from the results: docs/capacity.md says of each whether it was measured. */

import type { Figure } from './figure.ts'
import type { Results } from './result.ts'
import { formatNumber, formatRows } from './table.ts'

/** Bytes of a connection in the kernel, until W26 has measured them. */
const SOCKET_BYTES_ASSUMED = 4_096

/** One cost. */
interface Cost {
  readonly name: string
  readonly unit: string
  readonly work: string
  readonly figure: string
  /** How the value follows from the figure. */
  readonly of: (figure: Figure) => number | undefined
  /** In words, if it is more than the figure itself. */
  readonly by?: string
  /** Until it is measured. */
  readonly assumed?: number
}

const noted = (note: string) => (figure: Figure) => {
  const value = figure.notes?.[note]
  return typeof value === 'number' ? value : undefined
}
const median = (figure: Figure) => figure.ours.p50
/** The figure of W26 for the memory of connections outside of the processes. */
const KERNEL = 'a connection, in the kernel, both ends'
const SERVER_NOTE = noted('µs of the server for a delivery')

const COSTS = {
  delivery: {
    name: 'a delivery over a WebSocket',
    unit: 'µs',
    work: 'W1',
    figure: 'WebSocket',
    of: SERVER_NOTE,
  },
  poll: { name: 'a poll and its answer', unit: 'µs', work: 'W1b', figure: 'long poll', of: SERVER_NOTE },
  read: {
    name: 'a read',
    unit: 'µs',
    work: 'W2',
    figure: 'mixed',
    of: (figure: Figure) => 1e6 / figure.ours.p50,
    by: 'arithmetic: a full core divided by their measured rate',
  },
  send: { name: 'a send', unit: 'µs', work: 'W14', figure: 'sends', of: noted('µs of one alone') },
  follow: {
    name: 'a message that another process committed',
    unit: 'µs',
    work: 'W14',
    figure: 'a message of another process',
    of: median,
  },
  log: { name: 'sends that one log takes', unit: '/s', work: 'W3', figure: 'sends', of: median },
  queue: { name: 'an idle queue', unit: 'B', work: 'W11', figure: 'idle queue', of: median },
  parked: { name: 'a parked poll', unit: 'B', work: 'W11', figure: 'parked poll, resident', of: median },
  socket: {
    name: 'a connection in the kernel',
    unit: 'B',
    work: 'W26',
    figure: KERNEL,
    of: (figure: Figure) => figure.ours.p50 / 2,
    by: 'arithmetic: half of both ends, which were measured',
    assumed: SOCKET_BYTES_ASSUMED,
  },
  start: { name: 'a web process at its start', unit: 'MiB', work: 'W11', figure: 'at start', of: median },
  user: {
    name: 'a user of the organization, in each process',
    unit: 'B',
    work: 'W19',
    figure: 'a user in memory',
    of: median,
  },
} satisfies Record<string, Cost>
export type CostName = keyof typeof COSTS
export const COST_NAMES = Object.keys(COSTS) as CostName[]
/** The benchmark that measures it. */
export const workOf = (name: CostName) => COSTS[name].work
const costNamed = (name: CostName): Cost => COSTS[name]

/** Each cost with the benchmark that measured it. */
export function formatCosts(results: Results): string {
  const rows = COST_NAMES.map((name) => {
    const { name: label, unit, work, figure, by, assumed } = costNamed(name)
    const value = measuredCost(results, name)
    const known = value ?? assumed
    return [
      label,
      known === undefined ? 'not measured yet' : `${formatNumber(known)} ${unit}`,
      value === undefined ? (assumed === undefined ? '' : 'assumed') : (by ?? 'measured'),
      `${work}, ${figure}`,
    ]
  })
  return formatRows(['Cost', 'Figure', 'How', 'From'], rows)
}

/** A process that knows these users, and holds these connections; without their part of the kernel. */
export function processMib(cost: (name: CostName) => number, users: number, connections: number): number {
  return cost('start') + mib(users * cost('user') + connections * (cost('queue') + cost('parked')))
}

export const mib = (bytes: number) => bytes / 2 ** 20

/** The time in which one core writes a message to this many. */
export function burstMs(cost: (name: CostName) => number, connections: number): number {
  return (connections * cost('delivery')) / 1_000
}

function measuredCost(results: Results, name: CostName): number | undefined {
  const { work, figure, of } = costNamed(name)
  const found = results[work]?.figures?.find((one) => one.name === figure)
  return found && of(found)
}

export function costOf(results: Results, name: CostName): number | undefined {
  return measuredCost(results, name) ?? costNamed(name).assumed
}
