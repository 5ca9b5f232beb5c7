/** The address under which a client reached the server, for answers with absolute addresses. */

import type { HttpRequest } from './transport/transport.ts'

/** A host's name or address with a port. Any other text in the header is not repeated. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?$/i

/** Whether the proxy in front says that its client uses TLS. */
export function isForwardedSecurely(req: HttpRequest): boolean {
  return req.getHeader('x-forwarded-proto').trim().toLowerCase() === 'https'
}

/** From the request's `Host` and the protocol that a trusted proxy saw; `fallback` if the header is invalid. */
export function originOf(req: HttpRequest, isProxyTrusted: boolean, fallback: string): string {
  const host = req.getHeader('host')
  if (!HOST.test(host)) return fallback
  const isSecure = isProxyTrusted && isForwardedSecurely(req)
  return `${isSecure ? 'https' : 'http'}://${host}`
}
