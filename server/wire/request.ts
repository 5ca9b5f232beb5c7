/** An incoming request: everything is copied out of uWebSockets.js before the first await. */

import { SAFE_METHODS } from '../api/door/cross-site.ts'
import type { AgentHead } from '../api/agents/answer-agent.ts'
import type { Head } from '../api/door/exchange.ts'
import { AGENT_POLICY, isScimPath } from '../api/door/policies.ts'
import { isPeoplesPath } from '../api/door/session-cookies.ts'
import { WEBHOOK_HEADERS } from '../integrations/table.ts'
import { isFilePath } from '../api/served-file.ts'
import { readRequestId } from '../measures/following.ts'
import { FORWARDING_HEADERS, METRICS_PATH, type MetricsRequest } from '../measures/may-read-metrics.ts'
import { isForwardedSecurely } from './request-origin.ts'
import type { BodyShare } from './body-budget.ts'
import { isClientPath } from './client-files.ts'
import { bytesOf, SKIPPED_BYTES_MAX, type HttpRequest, type HttpResponse } from './transport/transport.ts'

/** Bytes of a body; bodies with files have limits of their own. */
export const BODY_BYTES_MAX = 2 * 1024 * 1024
/** Characters of an address: narrows travel in it. The library refuses headers of more than twice that. */
export const ADDRESS_LENGTH_MAX = 16 * 1024

/** The start of the addresses of webhooks, under a base of the API. */
const WEBHOOKS_PATH = '/external/'
const KEY_IN_ADDRESS = /(?:^|&)api_key=([A-Za-z0-9]*)(?:&|$)/

const NO_HEADERS: ReadonlyMap<string, string> = new Map()
const NO_AGENT_HEAD: AgentHead = { version: '', method: '', name: '' }

/** The server's way to read the heads of requests. */
export interface HeadReading {
  readonly isProxyTrusted: boolean
  readonly nextRequestId: () => string
}

/** One HTTP request. */
export class WireRequest implements Head, MetricsRequest {
  /** The client's or proxy's, if it is sane, or this process's. */
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly authorization: string
  readonly contentType: string
  readonly userAgent: string
  /** The languages that a person wants; empty for operations of the API. */
  readonly acceptLanguage: string
  /** The version of a page that the client has; the API has no versions. */
  readonly ifNoneMatch: string
  /** The version of a resource that SCIM may change; empty for other requests. */
  readonly ifMatch: string
  /** The requested part of a file, and its version; for files only. */
  readonly range: string
  readonly ifRange: string
  readonly acceptsGzip: boolean
  /** For files of the client only. */
  readonly acceptsBrotli: boolean
  /** Whether a person opens the address in a browser; never for operations of the API. */
  readonly isForPerson: boolean
  readonly hasBody: boolean
  /** The declared length of the body; NaN without one. */
  readonly bodyBytes: number
  /** Whether a proxy may see another end of the body than this server does. */
  readonly isAmbiguous: boolean
  /** Whether it opens a stream. */
  readonly opensStream: boolean
  readonly cookie: string
  readonly csrfToken: string
  readonly keyInAddress: string
  /** The headers of a webhook, by their names in lower case; none for other requests. */
  readonly webhookHeaders: ReadonlyMap<string, string>
  /** The headers of an agent's request; empty for others. */
  readonly agentHead: AgentHead
  readonly isForwardedSecurely: boolean
  readonly fetchSite: string
  readonly origin: string
  readonly host: string
  /** Whether a proxy passed it on; only requests for metrics ask. */
  readonly isForwarded: boolean
  readonly #res: HttpResponse
  /** The client's address in the header of a trusted proxy; empty without one. */
  readonly forwardedAddress: string
  #isAborted = false
  #controller: AbortController | undefined

  constructor(
    res: HttpResponse,
    req: HttpRequest,
    { isProxyTrusted, nextRequestId }: HeadReading,
    { opensStream = false }: { readonly opensStream?: boolean } = {},
  ) {
    this.requestId = readRequestId(req.getHeader('x-request-id')) ?? nextRequestId()
    this.method = req.getCaseSensitiveMethod()
    this.path = req.getUrl()
    this.query = req.getQuery() ?? ''
    const isWebhook = this.method === 'POST' && this.path.includes(WEBHOOKS_PATH)
    this.keyInAddress = isWebhook ? (KEY_IN_ADDRESS.exec(this.query)?.[1] ?? '') : ''
    this.webhookHeaders = isWebhook ? readWebhookHeaders(req) : NO_HEADERS
    this.agentHead = this.path === AGENT_POLICY.path ? readAgentHead(req) : NO_AGENT_HEAD
    this.authorization = req.getHeader('authorization')
    this.userAgent = req.getHeader('user-agent')
    this.acceptLanguage = isOfApi(this.path) ? '' : req.getHeader('accept-language')
    this.ifNoneMatch = this.path.startsWith('/api/') ? '' : req.getHeader('if-none-match')
    this.ifMatch = isScimPath(this.path) ? req.getHeader('if-match') : ''
    const isOfFile = isFilePath(this.path)
    this.range = isOfFile ? req.getHeader('range') : ''
    this.ifRange = isOfFile ? req.getHeader('if-range') : ''
    const codings = req.getHeader('accept-encoding')
    this.acceptsGzip = takesCoding(codings, 'gzip')
    this.acceptsBrotli = isClientPath(this.path) && takesCoding(codings, 'br')
    this.isForPerson = !this.path.startsWith('/api/') && req.getHeader('accept').includes('text/html')
    const length = req.getHeader('content-length')
    this.bodyBytes = Number.parseInt(length, 10)
    this.hasBody = (length !== '' && length !== '0') || req.getHeader('transfer-encoding') !== ''
    this.opensStream = opensStream
    const mayChange = opensStream || !SAFE_METHODS.includes(this.method)
    this.isAmbiguous = (mayChange || this.hasBody || length !== '') && hasAmbiguousBody(req)
    this.origin = mayChange ? req.getHeader('origin') : ''
    const isOfMetrics = this.path === METRICS_PATH
    this.host = this.origin !== '' || isOfMetrics ? req.getHeader('host') : ''
    this.isForwarded = isOfMetrics && FORWARDING_HEADERS.some((name) => req.getHeader(name) !== '')
    // A client with an API key needs no cookie; the pages of log-ins are for people.
    const mayHaveSession = this.authorization === '' || isPeoplesPath(this.path)
    this.cookie = mayHaveSession ? req.getHeader('cookie') : ''
    const hasCookie = this.cookie !== ''
    this.fetchSite = mayChange || hasCookie ? req.getHeader('sec-fetch-site') : ''
    this.csrfToken = mayChange && hasCookie ? req.getHeader('x-csrftoken') : ''
    this.isForwardedSecurely = mayHaveSession && isProxyTrusted && isForwardedSecurely(req)
    this.contentType = this.hasBody ? req.getHeader('content-type') : ''
    // Only the proxy appends the last address; the ones before are the client's claim.
    this.#res = res
    this.forwardedAddress = isProxyTrusted ? forwardedAddress(req) : ''
  }

  /** The client's network address; looked up on demand, before the answer. */
  get address(): string {
    if (this.forwardedAddress !== '') return this.forwardedAddress
    return this.peerAddress
  }

  /** The address of the socket's other end. */
  get peerAddress(): string {
    return this.#isAborted ? '' : peerAddressOf(this.#res)
  }

  /** Aborts when the client disconnects. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#isAborted) this.#controller.abort()
    return this.#controller.signal
  }

  /** Called when the client disconnects. */
  abort(): void {
    this.#isAborted = true
    this.#controller?.abort()
  }
}

/** Whether no page can be at a path: then nothing is asked that only pages need. */
function isOfApi(path: string): boolean {
  return path.startsWith('/api/') || path.startsWith('/json/')
}

/** The body is too large. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError'
  readonly bytesMax: number

  constructor(bytesMax: number) {
    super(`the body has more than ${bytesMax} bytes`)
    this.bytesMax = bytesMax
  }
}

/** Whether an unread body is too long to skip, so that its connection must be closed. */
export function isBeyondPassing({ bodyBytes }: WireRequest): boolean {
  return bodyBytes > SKIPPED_BYTES_MAX
}

/**
 * The whole body, up to a limit and within its share of the memory. Rejects at once with a `BodyTooLargeError`, or with
 * the error of the share; the rest is skipped. Never settles if the client disconnects.
 */
export function readBody(
  res: HttpResponse,
  { bodyBytes }: WireRequest,
  bytesMax: number,
  share: BodyShare,
): Promise<Buffer> {
  if (bodyBytes > bytesMax) return Promise.reject(new BodyTooLargeError(bytesMax))
  return new Promise((resolve, reject) => {
    let buffer = Buffer.alloc(0)
    let length = 0
    let isOver = false
    const refuse = (error: Error) => {
      isOver = true
      buffer = Buffer.alloc(0)
      reject(error)
    }
    res.onData((chunk, isLast) => {
      if (isOver) return res.onRest?.(chunk.byteLength, isLast)
      const end = length + chunk.byteLength
      if (end > bytesMax) return refuse(new BodyTooLargeError(bytesMax))
      if (end > buffer.length) {
        // Doubles the buffer, since a body may arrive in chunks of one byte.
        const size = isLast ? end : Math.min(bytesMax, Math.max(end, 2 * length))
        const refusal = share.grow(size)
        if (refusal) return refuse(refusal)
        const grown = Buffer.allocUnsafe(size)
        buffer.copy(grown, 0, 0, length)
        buffer = grown
      }
      buffer.set(bytesOf(chunk), length) // The chunk's memory is only lent for this call.
      length = end
      if (isLast) resolve(buffer.subarray(0, length))
    })
  })
}

/** Whether headers declare the body's length twice, or in a way that servers read differently. */
function hasAmbiguousBody(req: HttpRequest): boolean {
  let lengths = 0
  let isAmbiguous = false
  req.forEach((name, value) => {
    if (name === 'content-length') lengths++
    // The library refuses both together.
    else if (name === 'transfer-encoding') isAmbiguous ||= value.toLowerCase() !== 'chunked' || lengths++ > 0
  })
  return isAmbiguous || lengths > 1
}

/** The last address in the header: the proxy appends it to the line, or adds a line. */
function forwardedAddress(req: HttpRequest): string {
  let forwarded = ''
  req.forEach((name, value) => {
    if (name === 'x-forwarded-for') forwarded = value
  })
  return forwarded.slice(forwarded.lastIndexOf(',') + 1).trim()
}

/** The headers of a webhook that integrations read. */
function readWebhookHeaders(req: HttpRequest): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const name of WEBHOOK_HEADERS) {
    const value = req.getHeader(name)
    if (value !== '') headers.set(name, value)
  }
  return headers
}

function readAgentHead(req: HttpRequest): AgentHead {
  return {
    version: req.getHeader('mcp-protocol-version'),
    method: req.getHeader('mcp-method'),
    name: req.getHeader('mcp-name'),
  }
}

/** The address of a connection's other end. */
export function peerAddressOf(res: HttpResponse): string {
  return Buffer.from(res.getRemoteAddressAsText()).toString('latin1')
}

/** Whether `Accept-Encoding` names gzip; a quality of 0 refuses it. */
function takesCoding(header: string, coding: 'gzip' | 'br'): boolean {
  if (!header.includes(coding)) return false
  return header.split(',').some((item) => {
    const [name, quality] = item.split(';')
    return name?.trim() === coding && Number(quality?.trim().slice('q='.length) ?? 1) !== 0
  })
}
