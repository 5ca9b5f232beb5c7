/** Addresses to which a browser is sent after a log-in: within this server only. */

/** Characters of such an address. */
const LENGTH_MAX = 2_000
/** A host that no server has, to resolve paths against. */
const NOWHERE = 'http://nowhere.invalid'

/**
 * An address within this server, or undefined. Browsers read two slashes, or a backslash, as the start of a host, and
 * they drop control characters before they read; so text with any of these is refused, also after it is resolved.
 */
export function readLocalPath(text: string): string | undefined {
  if (text.length > LENGTH_MAX || !isPlain(text) || !URL.canParse(text, NOWHERE)) return undefined
  const url = new URL(text, NOWHERE)
  const path = url.pathname + url.search + url.hash
  return url.origin === NOWHERE && isPlain(path) ? path : undefined
}

function isPlain(text: string): boolean {
  return text.startsWith('/') && !text.startsWith('//') && !/[\\\p{Cc}\p{Cf}\p{Z}]/u.test(text)
}
