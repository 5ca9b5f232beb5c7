/**
 * The one way to an address that a user gave. It asks for the host's addresses, checks all of them, and dials a checked one,
 * so that a name which changes in between leads nowhere else. Redirects are followed by hand, each checked like the first.
 * Everything is bounded: time, headers, bytes after unpacking, redirects, and requests at once.
 *
 * There are no cookies, no credentials and no proxies of the environment. Connections are reused only for callers that ask for it.
 */

import { type Agent, type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { OutboundSettings } from '../domain/settings/outbound.ts'
import { Destinations, DestinationRefusedError, hostOf } from './destinations.ts'
import { hasIdle, OpenConnections } from './open-connections.ts'
import { passOver, type ReadBounds, readUnpacked } from './read-unpacked.ts'
import { createResolve, type Resolve } from './resolve-names.ts'
import { KeyedTurns } from './turns.ts'

/** Bytes of the headers of an answer. */
const HEADER_BYTES_MAX = 16 * 1024
/** Requests at once, in all and to one host. */
const TURNS = { max: 32, perHostMax: 4 }
/** Statuses that lead elsewhere. */
const REDIRECTS: readonly (number | undefined)[] = [301, 302, 303, 307, 308]
/** Headers that the guard sets, or that would carry something of this server. */
const OWN_HEADERS: readonly string[] = [
  'host',
  'cookie',
  'connection',
  'accept-encoding',
  'content-length',
  'transfer-encoding',
]

/** A request, with its bounds. */
export interface GuardedRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Whether the public address must have TLS. */
  readonly isSecureOnly?: boolean
  /** Milliseconds for everything: waiting for a turn, redirects, and the last byte. */
  readonly totalMsMax: number
  /** Milliseconds from dialling to the end of an answer's headers. */
  readonly firstByteMsMax: number
  /** Bytes of the unpacked answer; with 0 it is not read. A function decides by the answer's status and headers. */
  readonly bodyBytesMax: number | ((answer: Omit<GuardedAnswer, 'body' | 'url'>) => ReadBounds)
  /** None by default. */
  readonly redirectsMax?: number
  /** Called before each dial: the request has its turn, and its host's address. An error that it throws ends the request. */
  readonly onDial?: () => void
}

/** An answer of any status. */
export interface GuardedAnswer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  /** The address that answered, after redirects. */
  readonly url: URL
}

/** How a guard differs from others. */
export interface GuardOptions {
  readonly resolve?: Resolve
  /** Requests at once, in all and to one host, for callers that send many to few hosts; and those that may wait. */
  readonly turns?: { readonly max: number; readonly perHostMax: number; readonly waitingMax?: number }
  /** Whether connections stay open for further requests; by default each request has its own. */
  readonly reusesConnections?: boolean
}

/** All requests of one process to addresses of users. */
export class GuardedFetch {
  readonly #destinations: Destinations
  readonly #resolve: Resolve
  readonly #turns: KeyedTurns
  readonly #open: OpenConnections | undefined

  constructor(
    settings: OutboundSettings,
    { resolve = createResolve(settings.hosts), turns = TURNS, reusesConnections = false }: GuardOptions = {},
  ) {
    this.#destinations = new Destinations(settings)
    this.#resolve = resolve
    this.#turns = new KeyedTurns(turns.max, turns.perHostMax, turns.waitingMax)
    this.#open = reusesConnections ? new OpenConnections() : undefined
  }

  /**
   * Rejects with a `DestinationRefusedError` for an address that may not be asked, with a `NoTurnError` if it was not asked
   * because too many others are, and with other errors for no answer.
   */
  async fetch(address: string, request: GuardedRequest): Promise<GuardedAnswer> {
    if (!URL.canParse(address)) throw new DestinationRefusedError('the text is no address')
    const { redirectsMax = 0, totalMsMax } = request
    const end = new AbortController()
    const timer = setTimeout(() => end.abort(new Error('the answer takes too long')), totalMsMax)
    try {
      let url = new URL(address)
      for (let redirects = 0; ; redirects++) {
        const answer = await this.#askOne(url, request, end.signal)
        const { location } = answer.headers
        if (redirectsMax === 0 || location === undefined || !REDIRECTS.includes(answer.status)) return answer
        if (redirects === redirectsMax) throw new DestinationRefusedError('the address leads on too often')
        if (!URL.canParse(location, url)) throw new DestinationRefusedError('a redirect leads to no address')
        const next = new URL(location, url)
        if (url.protocol === 'https:' && next.protocol === 'http:')
          throw new DestinationRefusedError('a redirect leaves TLS')
        url = next
      }
    } finally {
      clearTimeout(timer)
    }
  }

  async #askOne(url: URL, request: GuardedRequest, signal: AbortSignal): Promise<GuardedAnswer> {
    const { isSecureOnly = false, bodyBytesMax } = request
    this.#destinations.check(url, isSecureOnly)
    const done = await this.#turns.take(hostOf(url), signal)
    try {
      const agent = this.#open?.agentFor(url, isSecureOnly) ?? false
      const isOpen = agent !== false && hasIdle(agent, url)
      // Nothing is waited for where a connection is open: it would go to another request.
      const addresses = isOpen ? [] : await this.#findAddresses(url, isSecureOnly, signal)
      request.onDial?.()
      const answer = await ask(url, request, { addresses, agent, signal })
      try {
        const { statusCode: status = 0, headers } = answer
        const bounds =
          typeof bodyBytesMax === 'number'
            ? { bytesMax: bodyBytesMax, isStartEnough: false }
            : bodyBytesMax({ status, headers })
        const isRead = bounds.bytesMax > 0 && !REDIRECTS.includes(status)
        const body = isRead ? await readUnpacked(answer, bounds, signal) : Buffer.alloc(0)
        if (agent !== false && !isRead) await passOver(answer)
        return { status, headers, body, url }
      } finally {
        answer.destroy() // Ends the connection, unless the answer is over and the connection is kept.
      }
    } finally {
      done()
    }
  }

  /** The addresses that may be dialled for a host. */
  async #findAddresses(url: URL, isSecureOnly: boolean, signal: AbortSignal): Promise<readonly string[]> {
    const host = hostOf(url)
    const addresses = isIP(host) !== 0 ? [host] : await untilAborted(this.#resolve(host), signal)
    this.#destinations.admit(url, addresses, isSecureOnly)
    return addresses
  }
}

/** The way of one request. */
interface Way {
  /** Checked addresses, one of which is dialled; without any, an open connection must be there. */
  readonly addresses: readonly string[]
  /** Has the open connections; false for a connection that ends with its request. */
  readonly agent: Agent | false
  readonly signal: AbortSignal
}

/** Sends a request; resolves at the end of the answer's headers. */
function ask(
  url: URL,
  { method = 'GET', headers = {}, body, firstByteMsMax }: GuardedRequest,
  { addresses, agent, signal }: Way,
): Promise<IncomingMessage> {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  // Node asks for all addresses, or for one.
  const lookup: LookupFunction = (_host, options, answer) => {
    const [first] = found
    if (!first) answer(new Error('no address is checked'), '')
    else if (options.all === true) answer(null, found)
    else answer(null, first.address, first.family)
  }
  return new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? requestSecure : requestPlain
    const allowed = Object.entries(headers).filter(([name]) => !OWN_HEADERS.includes(name.toLowerCase()))
    const request: ClientRequest = open(url, {
      method,
      lookup,
      agent,
      maxHeaderSize: HEADER_BYTES_MAX,
      signal,
      headers: {
        ...Object.fromEntries(allowed),
        'accept-encoding': 'gzip, br',
        ...(body === undefined ? {} : { 'content-length': String(body.byteLength) }),
      },
    })
    const timer = setTimeout(() => request.destroy(new Error('the answer does not begin')), firstByteMsMax)
    request.once('response', (answer) => {
      clearTimeout(timer)
      resolve(answer)
    })
    request.once('upgrade', (_answer, socket) => {
      socket.destroy()
      reject(new Error('the answer speaks another protocol'))
    })
    request.on('error', reject)
    request.once('close', () => {
      clearTimeout(timer)
      reject(new Error('the connection was closed'))
    })
    request.end(body)
  })
}

/** The result of a promise, or the signal's reason if that comes first. */
async function untilAborted<Value>(result: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const end = () => reject(signal.reason as Error)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  try {
    return await Promise.race([result, ended])
  } finally {
    signal.removeEventListener('abort', end)
  }
}
