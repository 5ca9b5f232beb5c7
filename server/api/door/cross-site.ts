/** Detects requests that a browser makes for a page of another site. */

/** The headers with which a browser identifies the requesting page; other clients send none. */
export interface Source {
  readonly method: string
  /** Whether it opens a stream, which is refused to other sites although it is a GET. */
  readonly opensStream: boolean
  /** The `Sec-Fetch-Site` header; empty if absent. */
  readonly fetchSite: string
  /** The `Origin` header, for browsers without the other one, and for connections without TLS. */
  readonly origin: string
  readonly host: string
}

/** Methods that change nothing: other sites may make a browser send them, but cannot read the answer. */
export const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/**
 * Whether a page of another site makes its visitor's browser change something here. Browsers add cached Basic
 * credentials by themselves, so credentials do not prove that the page is ours.
 */
export function isCrossSite(
  { method, opensStream, fetchSite, origin, host }: Source,
  publicUrl: string,
): boolean {
  if (SAFE_METHODS.includes(method) && !opensStream) return false
  if (fetchSite === 'same-origin' || fetchSite === 'none') return false
  if (fetchSite === 'cross-site') return true
  if (origin === '') return false
  // `same-site` means another host of the same domain, which is not ours either.
  return !isOriginOf(origin, host) && origin !== originOf(publicUrl)
}

/**
 * Whether a page of any other origin sent a request. Unlike above, the host of the request proves nothing here: a name of
 * the attacker may lead to this server (DNS rebinding), and then origin and host are both theirs.
 */
export function isForeign({ origin }: Pick<Source, 'origin'>, publicUrl: string): boolean {
  return origin !== '' && origin !== originOf(publicUrl)
}

/** Whether a browser says that a page of another site made it send a request, by a link or otherwise. */
export function isFromElsewhere({ fetchSite }: Source): boolean {
  return fetchSite === 'cross-site' || fetchSite === 'same-site'
}

/** Whether an origin belongs to a host, for any scheme: the proxy in front may use TLS. */
function isOriginOf(origin: string, host: string): boolean {
  const authority = origin.slice(origin.indexOf('://') + '://'.length)
  return origin.includes('://') && host !== '' && authority.toLowerCase() === host.toLowerCase()
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}
