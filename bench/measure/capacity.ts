/** The capacity of a server, from the results: the tables of docs/capacity.md. Each row says how it came about. */

import { burstMs, COST_NAMES, type CostName, costOf, mib, processMib, workOf } from './costs.ts'
import type { Results } from './result.ts'
import { formatNumber, formatRows } from './table.ts'

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
const CONNECTIONS_WORK = 'W26'

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

/** The people that each layout holds, and the bound that ends it; or the costs that are missing. */
export function formatCapacity(results: Results): string {
  const missing = COST_NAMES.filter((name) => costOf(results, name) === undefined)
  if (missing.length > 0)
    return `Not computed: ${[...new Set(missing.map((name) => workOf(name)))].join(', ')} must run first.`
  const cost = (name: CostName) => costOf(results, name) as number
  const us = costsOfPerson(cost)
  const perPerson = Object.values(us).reduce((sum, one) => sum + one, 0)
  const following = PERSON.sendsPerSecond * cost('follow')
  const byLog = (BUSY_SHARE * cost('log')) / PERSON.sendsPerSecond
  const rows = LAYOUTS.map(({ name, processes }) => {
    const byProcessor = (BUSY_SHARE * 1e6 * processes) / (perPerson + (processes - 1) * following)
    const people = Math.min(byProcessor, byLog)
    return [
      name,
      rounded(byProcessor),
      byLog < byProcessor ? rounded(byLog) : '',
      `${rounded(processMib(cost, people, people / processes) + (people / processes) * mib(cost('socket')))} MiB`,
      `${rounded(burstMs(cost, people / processes))} ms`,
      'arithmetic',
    ]
  })
  const headings = [
    'people by processor',
    'fewer by the log',
    'memory of each process',
    'a message to all of them',
  ]
  const table = formatRows(['', ...headings, 'How'], rows)
  const parts = Object.entries(us).map(([name, value]) => `${formatNumber(value)} µs of ${name}`)
  return [
    `A connected person costs ${formatNumber(perPerson)} µs a second: ${parts.join(', ')}. Each process also follows`,
    `the messages of the others: ${formatNumber(following)} µs a second for each person elsewhere.`,
    '',
    table,
  ].join('\n')
}

/** The figures of W26, each beside the one that the costs alone would give. */
export function formatConnections(results: Results): string {
  const { figures = [], cores } = results[CONNECTIONS_WORK] ?? {}
  const found = (name: string) => figures.find((figure) => figure.name === name)
  const connection = found('a connection, resident')
  const { connections, processes, people } = connection?.notes ?? {}
  const areCounted = [connections, processes, people].every((count) => typeof count === 'number')
  if (!connection || !areCounted || cores === undefined)
    return `Not measured yet: \`npm run bench -- ${CONNECTIONS_WORK}\`.`
  const [all, each, users] = [Number(connections), Number(processes), Number(people)]
  const cost = (name: CostName) => costOf(results, name)
  const canCompute = COST_NAMES.every((name) => cost(name) !== undefined)
  const computed = (of: (known: (name: CostName) => number) => number, unit: string) =>
    canCompute ? `${rounded(of((name) => cost(name) as number))} ${unit}` : ''
  const restarted = found('a restart of one process until all are back')?.notes?.restarted
  const arithmetic: Readonly<Record<string, string>> = {
    'a web process with its connections': computed((known) => processMib(known, users, all / each), 'MiB'),
    'a message until the last has it': computed((known) => burstMs(known, all / cores), 'ms'),
  }
  const rows = figures.map(({ name, ours, unit }) => {
    const p99 = ours.p99 === undefined ? '' : `, p99 ${formatNumber(ours.p99)}`
    return [name, `${formatNumber(ours.p50)} ${unit}${p99}`, arithmetic[name] ?? '']
  })
  return [
    `${all.toLocaleString('en')} WebSockets of ${users.toLocaleString('en')} people at ${each} web processes, of which ` +
      `${String(restarted ?? 0)} restarted, on ${cores} cores that the clients share:`,
    '',
    formatRows(['', 'Measured', 'By arithmetic'], rows),
  ].join('\n')
}

/** Microseconds of each second of a connected person. */
function costsOfPerson(cost: (name: CostName) => number) {
  const { requestsPerSecond, sendsPerSecond, recipients, pollingShare, emptyPollsPerSecond } = PERSON
  const deliveriesPerSecond = sendsPerSecond * recipients
  return {
    requests: requestsPerSecond * cost('read'),
    sends: sendsPerSecond * cost('send'),
    polls: pollingShare * (emptyPollsPerSecond + deliveriesPerSecond) * cost('poll'),
    deliveries: (1 - pollingShare) * deliveriesPerSecond * cost('delivery'),
  }
}

/** Two digits: more would claim too much. */
function rounded(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en')
}
