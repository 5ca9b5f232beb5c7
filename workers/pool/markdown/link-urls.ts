/** Addresses of links: which are allowed, how they are completed, and which lead into this organization. */

import type { MarkdownIt } from 'markdown-it'

/** What a link may lead to; everything else, such as `javascript:`, is no link. */
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

// Letters, then a colon: what a browser would read as a scheme. Bounded, as no scheme is longer.
const SCHEME = /^([a-z][a-z0-9+.-]{0,30}):/i

/** Whether a link may lead there: to an allowed scheme, or to a path or fragment of this server. */
export function isAllowedUrl(url: string): boolean {
  // Browsers drop control characters, so `java\nscript:` would be one, and read a backslash as a slash.
  if (/[\s\p{Cc}\\]/u.test(url)) return false
  const scheme = SCHEME.exec(url)?.[1]
  if (scheme !== undefined) return ALLOWED_SCHEMES.has(scheme.toLowerCase())
  return /^(?:\/(?!\/)|#)/.test(url)
}

/** Completes what is written without a scheme: addresses of mail and of the web, but not paths and fragments. */
function complete(url: string): string {
  if (url === '' || /^(?:#|\/(?!\/))|[\s\p{Cc}]/u.test(url)) return url
  if (url.startsWith('//')) return `http:${url}`
  const scheme = SCHEME.exec(url)
  // `host:80/path` has no scheme, `javascript:…` has one.
  if (scheme && !/^\d{1,5}(?:[/?#]|$)/.test(url.slice(scheme[0].length))) return url
  return /^[^/?#\s@]+@[^/?#\s@]+$/.test(url) ? `mailto:${url}` : `http://${url}`
}

/** A link below the organization's own address that clients follow by themselves, as they want it written. */
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
  markdown.normalizeLinkText = (url) => url // A link shows what was written.
}
