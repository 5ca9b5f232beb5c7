/**
 * Connections that stay open for the next request to the same host. Each was dialled at a checked address and cannot leave it,
 * so a request that finds one needs no look at the name. Requests that must have TLS and others share none, since different
 * rules checked them.
 */

import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import type { Duplex } from 'node:stream'
import { urlToHttpOptions } from 'node:url'

/** Milliseconds without a request. Servers wait longer before they close: a request that meets their end is lost. */
const IDLE_MS_MAX = 1_000
/** Milliseconds after which a connection is used no more, so that its name is looked up and checked again. */
const AGE_MS_MAX = 30_000
/** Idle connections to one host, and in all. */
const IDLE_PER_HOST_MAX = 32
const IDLE_COUNT_MAX = 256

/** The connections of one guard. */
export class OpenConnections {
  readonly #agents = new Map<string, Agent>()
  /** When connections served their first request, by the clock of `performance`. */
  readonly #firstUsedMs = new WeakMap<Duplex, number>()

  /** Has the connections that a request may use. */
  agentFor({ protocol }: URL, isSecureOnly: boolean): Agent {
    const kind = `${protocol} ${isSecureOnly}`
    const agent = this.#agents.get(kind) ?? this.#createAgent(protocol)
    this.#agents.set(kind, agent)
    return agent
  }

  #createAgent(protocol: string): Agent {
    const options = { keepAlive: true, timeout: IDLE_MS_MAX, maxFreeSockets: IDLE_PER_HOST_MAX }
    const agent = protocol === 'https:' ? new SecureAgent(options) : new Agent(options)
    const keep = agent.keepSocketAlive.bind(agent)
    agent.keepSocketAlive = (socket) =>
      this.#isYoung(socket) && countIdle(agent) < IDLE_COUNT_MAX && keep(socket)
    return agent
  }

  #isYoung(socket: Duplex): boolean {
    const nowMs = performance.now()
    const sinceMs = this.#firstUsedMs.get(socket) ?? nowMs
    this.#firstUsedMs.set(socket, sinceMs)
    return nowMs - sinceMs < AGE_MS_MAX
  }
}

/** Whether a request that begins now gets a connection that is open. */
export function hasIdle(agent: Agent, url: URL): boolean {
  const { hostname } = urlToHttpOptions(url)
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const idle = agent.freeSockets[agent.getName({ host: hostname ?? '', port })]
  return idle?.at(-1)?.destroyed === false // An agent takes the last one.
}

const countIdle = ({ freeSockets }: Agent): number =>
  Object.values(freeSockets).reduce((count, idle = []) => count + idle.length, 0)
