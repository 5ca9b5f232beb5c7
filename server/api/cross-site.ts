/** Requests that a browser makes for a page of another site. */

/** What a browser says of the page that a request comes from; other clients say nothing. */
export interface Source {
  readonly method: string
  /** Whether it opens a stream, which a page of another site may do by GET. */
  readonly opensStream: boolean
  /** The `Sec-Fetch-Site` header; empty where there is none. */
  readonly fetchSite: string
  /** The `Origin` header, for browsers that do not know the other, and for those that come without TLS. */
  readonly origin: string
  readonly host: string
}

/** Methods that change nothing: a page of another site may have a browser send them, and reads no answer. */
export const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/**
 * Whether a page of another site has its visitor's browser change something here. Browsers add Basic credentials of
 * their own accord once they have them, so credentials are no proof that the page may.
 */
export function isCrossSite(
  { method, opensStream, fetchSite, origin, host }: Source,
  publicUrl: string,
): boolean {
  if (SAFE_METHODS.includes(method) && !opensStream) return false
  if (fetchSite === 'same-origin' || fetchSite === 'none') return false
  if (fetchSite === 'cross-site') return true
  if (origin === '') return false
  // `same-site` is another host of the same domain: it is not ours either.
  return !isOriginOf(origin, host) && origin !== originOf(publicUrl)
}

/** Whether an origin is that of a host, whatever its scheme: the proxy in front may speak TLS. */
function isOriginOf(origin: string, host: string): boolean {
  const authority = origin.slice(origin.indexOf('://') + '://'.length)
  return origin.includes('://') && host !== '' && authority.toLowerCase() === host.toLowerCase()
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : ''
}
