/** The address under which a client reached the server, for answers that must name it whole. */

import type { HttpRequest } from './uws.ts'

/** A host's name or address with a port. Anything else a client might write there is not repeated. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9._-]{0,252}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::[0-9]{1,5})?$/i

/** By the request's own `Host`, and the protocol that a trusted proxy saw; `fallback` where there is none that is right. */
export function originOf(req: HttpRequest, isProxyTrusted: boolean, fallback: string): string {
  const host = req.getHeader('host')
  if (!HOST.test(host)) return fallback
  const isSecure = isProxyTrusted && /^https$/i.test(req.getHeader('x-forwarded-proto').trim())
  return `${isSecure ? 'https' : 'http'}://${host}`
}
