/** Paths as the log shows them: without the secrets of invitations and files. */

/**
 * Segments before a secret: keys of invitations, and tokens of temporary addresses, new passwords or addresses, set-ups, and
 * of links that stop mails.
 */
const SECRET_FOLDERS: readonly string[] = ['join', 'temporary', 'reset', 'setup', 'address', 'unsubscribe']
/** How often a path is decoded: a proxy or a mail program may have encoded it once more. */
const DECODINGS_MAX = 4
/** Characters of a path in the log. */
const LENGTH_MAX = 500

/**
 * A path up to the first segment before a secret, even if the link was mistyped or encoded: with extra slashes,
 * capitals, escapes, or text around it.
 */
export function loggedPath(path: string): string {
  const decoded = decode(path.slice(0, LENGTH_MAX))
  if (decoded === undefined) return '(unreadable)'
  const segments = decoded.split(/[/\\]/)
  const secret = segments.findIndex((segment) => SECRET_FOLDERS.includes(segment.trim().toLowerCase()))
  if (secret >= 0) return `${segments.slice(0, secret + 1).join('/')}/`
  return path.slice(0, LENGTH_MAX)
}

function decode(path: string): string | undefined {
  let decoded = path
  for (let count = 0; decoded.includes('%'); count++) {
    if (count === DECODINGS_MAX) return undefined
    try {
      decoded = decodeURIComponent(decoded)
    } catch {
      return undefined
    }
  }
  return decoded
}
