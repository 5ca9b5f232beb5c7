/** Link addresses: which are allowed, how they are completed, and which lead into this organization. */

import type { MarkdownIt } from 'markdown-it'

/** Allowed schemes of links; all others, such as `javascript:`, do not become links. */
const ALLOWED_SCHEMES: ReadonlySet<string> = new Set([
  'http',
  'https',
  'ftp',
  'mailto',
  'news',
  'tel',
  'sms',
  'xmpp',
  'bitcoin',
])

// Letters, then a colon: a browser would read it as a scheme. Bounded, as no scheme is longer.
const SCHEME = /^([a-z][a-z0-9+.-]{0,30}):/i

/** Whether a link may have an address: an allowed scheme, or a path or fragment of this server. */
export function isAllowedUrl(url: string): boolean {
  // Browsers drop control characters, so `java\nscript:` would run, and they read a backslash as a slash.
  if (/[\s\p{Cc}\\]/u.test(url)) return false
  const scheme = SCHEME.exec(url)?.[1]
  if (scheme !== undefined) return ALLOWED_SCHEMES.has(scheme.toLowerCase())
  return /^(?:\/(?!\/)|#)/.test(url)
}

/** Completes email and web addresses without a scheme, but not paths and fragments. */
function complete(url: string): string {
  if (url === '' || /^(?:#|\/(?!\/))|[\s\p{Cc}]/u.test(url)) return url
  if (url.startsWith('//')) return `http:${url}`
  const scheme = SCHEME.exec(url)
  // `host:80/path` has no scheme, `javascript:…` has one.
  if (scheme && !/^\d{1,5}(?:[/?#]|$)/.test(url.slice(scheme[0].length))) return url
  return /^[^/?#\s@]+@[^/?#\s@]+$/.test(url) ? `mailto:${url}` : `http://${url}`
}

/** A link within the organization that clients follow themselves, in the form that they expect. */
export function relativeUrl(url: string, realmUrl: string): string {
  if (realmUrl === '' || !url.startsWith(`${realmUrl}/`)) return url
  const rest = url.slice(realmUrl.length + 1)
  if (rest.startsWith('#')) return rest
  return rest.startsWith('user_uploads/') ? `/${rest}` : url
}

/** Replaces the parser's own rules for addresses. */
export function linkUrls(markdown: MarkdownIt): void {
  const encode = markdown.normalizeLink.bind(markdown)
  markdown.normalizeLink = (url) => encode(complete(url.trim()))
  markdown.validateLink = (url) => isAllowedUrl(url)
  markdown.normalizeLinkText = (url) => url // A link shows its text as written.
}
