/** The right to read the metrics: for programs on the same machine, and for holders of the token. */

import { hash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIP } from 'node:net'

/** The path of the metrics, in every process that serves them. */
export const METRICS_PATH = '/metrics'

/** The parts of a request that decide. */
export interface MetricsRequest {
  /** The address of the socket's other end, whatever headers say. */
  readonly peerAddress: string
  /** Whether a header says that a proxy passed it on. */
  readonly isForwarded: boolean
  /** The `Host` header; empty if absent. */
  readonly host: string
  /** The `Authorization` header; empty if absent. */
  readonly authorization: string
}

/** The headers by which proxies say that a request is another's. */
export const FORWARDING_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
] as const

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

const SCHEME = 'bearer '

/** The ways of a process to its metrics. */
export interface MetricsAccess {
  readonly token: string | undefined
  /** Whether others reach the same port, perhaps by a proxy on this machine. */
  readonly isPublic: boolean
}

/** Whether a request may read the metrics; without a token only a direct one from the same machine. */
export function mayReadMetrics(request: MetricsRequest, { token, isPublic }: MetricsAccess): boolean {
  if (token !== undefined && hasToken(request.authorization, token)) return true
  return !isPublic && isLocal(request)
}

/** Whether an address leads to this machine alone. */
export function isLocalUrl(url: string): boolean {
  return isLoopbackName(new URL(url).host)
}

/**
 * A proxy on the same machine is local, too, but its clients are not. Proxies without settings of their own send nothing
 * that shows it, so this counts only where no proxy is expected. A `Host` that is not local shows a page in the operator's
 * browser that points its own name at this machine.
 */
function isLocal({ peerAddress, isForwarded, host }: MetricsRequest): boolean {
  return !isForwarded && isLoopback(peerAddress) && isLoopbackName(host)
}

function isLoopback(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && LOOPBACK.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

function isLoopbackName(host: string): boolean {
  const url = `http://${host}`
  if (host === '' || !URL.canParse(url)) return false
  const { hostname } = new URL(url)
  return hostname === 'localhost' || isLoopback(hostname.replaceAll(/^\[|\]$/g, ''))
}

/** Compares hashes, which have one length and tell nothing by the time that it takes. */
function hasToken(authorization: string, token: string): boolean {
  const isBearer = authorization.slice(0, SCHEME.length).toLowerCase() === SCHEME
  const given = isBearer ? authorization.slice(SCHEME.length).trim() : ''
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer')) && isBearer
}
