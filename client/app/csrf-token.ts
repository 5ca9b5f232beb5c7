/** The cookie with which a page proves that its requests are its own. */

/** The token of the browser's session, or an empty text; its cookie has a prefix over TLS. */
export function readCsrfToken(): string {
  for (const cookie of document.cookie.split('; ')) {
    const [name, value = ''] = cookie.split('=')
    if (name === 'csrftoken' || name === '__Host-csrftoken') return value
  }
  return ''
}
