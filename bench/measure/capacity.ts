/** The capacity of a server, computed from the results: the two tables of docs/capacity.md. */

import type { Figure } from './figure.ts'
import type { Results } from './result.ts'
import { formatNumber } from './table.ts'

/** The busiest hour of a day of a connected person. */
const PERSON = {
  /** A presence report a minute, and a read or a flag for each 100 seconds. */
  requestsPerSecond: 1 / 60 + 1 / 100,
  sendsPerSecond: 4 / 3_600,
  /** Connected people who get a message. */
  recipients: 50,
  /** The share that polls, as most existing clients do; the others have a WebSocket. */
  pollingShare: 0.5,
  /** Polls that end without an event. */
  emptyPollsPerSecond: 1 / 25,
}
/** The share of a core, and of the log, that may be busy: the rest is for bursts. */
const BUSY_SHARE = 0.5
/** Bytes of a connection in the kernel: assumed, not measured. */
const SOCKET_BYTES = 4_096

/** A machine has eight cores; its database and the others take three of them, or a whole machine of ten. */
const LAYOUTS = [
  { name: 'one core', processes: 1 },
  {
    name: 'one machine of 8 cores: 5 web processes, 2 cores for PostgreSQL, 1 for Redis and jobs',
    processes: 5,
  },
  {
    name: 'ten such machines: 9 of them with 8 web processes each, 1 for PostgreSQL, Redis and jobs',
    processes: 72,
  },
]

/** One measured cost. */
interface Cost {
  readonly name: string
  readonly unit: string
  readonly work: string
  readonly figure: string
  /** How the value follows from the figure. */
  readonly of: (figure: Figure) => number | undefined
}

const noted = (note: string) => (figure: Figure) => {
  const value = figure.notes?.[note]
  return typeof value === 'number' ? value : undefined
}
const median = (figure: Figure) => figure.ours.p50
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
    name: 'a read (a full core divided by their rate)',
    unit: 'µs',
    work: 'W2',
    figure: 'mixed',
    of: (figure: Figure) => 1e6 / figure.ours.p50,
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
  start: { name: 'a web process at its start', unit: 'MiB', work: 'W11', figure: 'at start', of: median },
  user: {
    name: 'a user of the organization, in each process',
    unit: 'B',
    work: 'W19',
    figure: 'a user in memory',
    of: median,
  },
} satisfies Record<string, Cost>
type CostName = keyof typeof COSTS
const NAMES = Object.keys(COSTS) as CostName[]

/** Each cost with the benchmark that measured it. */
export function formatCosts(results: Results): string {
  const rows = NAMES.map((name) => {
    const { name: label, unit, work, figure } = COSTS[name]
    const value = costOf(results, name)
    return [
      label,
      value === undefined ? 'not measured yet' : `${formatNumber(value)} ${unit}`,
      `${work}, ${figure}`,
    ]
  })
  return formatRows(['Cost', 'Figure', 'From'], rows)
}

/** The people that each layout holds, and the bound that ends it; or the costs that are missing. */
export function formatCapacity(results: Results): string {
  const missing = NAMES.filter((name) => costOf(results, name) === undefined)
  if (missing.length > 0)
    return `Not computed: ${[...new Set(missing.map((name) => COSTS[name].work))].join(', ')} must run first.`
  const cost = (name: CostName) => costOf(results, name) as number
  const { requestsPerSecond, sendsPerSecond, recipients, pollingShare, emptyPollsPerSecond } = PERSON
  const deliveriesPerSecond = sendsPerSecond * recipients
  const us = {
    requests: requestsPerSecond * cost('read'),
    sends: sendsPerSecond * cost('send'),
    polls: pollingShare * (emptyPollsPerSecond + deliveriesPerSecond) * cost('poll'),
    deliveries: (1 - pollingShare) * deliveriesPerSecond * cost('delivery'),
  }
  const perPerson = us.requests + us.sends + us.polls + us.deliveries
  const following = sendsPerSecond * cost('follow')
  const byLog = (BUSY_SHARE * cost('log')) / sendsPerSecond
  const rows = LAYOUTS.map(({ name, processes }) => {
    const byProcessor = (BUSY_SHARE * 1e6 * processes) / (perPerson + (processes - 1) * following)
    const people = Math.min(byProcessor, byLog)
    const connection = cost('queue') + cost('parked') + SOCKET_BYTES
    const mib = cost('start') + (people * cost('user') + (people / processes) * connection) / 2 ** 20
    const burstMs = ((people / processes) * cost('delivery')) / 1_000
    return [
      name,
      rounded(byProcessor),
      byLog < byProcessor ? rounded(byLog) : '',
      `${rounded(mib)} MiB`,
      `${rounded(burstMs)} ms`,
    ]
  })
  const table = formatRows(
    ['', 'people by processor', 'fewer by the log', 'memory of each process', 'a message to all of them'],
    rows,
  )
  const parts = Object.entries(us).map(([name, value]) => `${formatNumber(value)} µs of ${name}`)
  return [
    `A connected person costs ${formatNumber(perPerson)} µs a second: ${parts.join(', ')}. Each process also follows`,
    `the messages of the others: ${formatNumber(following)} µs a second for each person elsewhere.`,
    '',
    table,
  ].join('\n')
}

function costOf(results: Results, name: CostName): number | undefined {
  const { work, figure, of }: Cost = COSTS[name]
  const found = results[work]?.figures?.find((one) => one.name === figure)
  return found && of(found)
}

function formatRows(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Two digits: more would claim too much. */
function rounded(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en')
}
