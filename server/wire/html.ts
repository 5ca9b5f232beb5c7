/** HTML pages for people without a client; plain text cannot become markup. */

import { escapeHtml } from '../domain/escape-html.ts'
import type { Page } from './reply.ts'

/** Text that is already markup. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Markup with values in it: text is escaped, for content and quoted attributes alike. */
export function html(
  strings: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(encode)))
}

function encode(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return escapeHtml(value)
  return value instanceof Html ? value.text : value.map(({ text }) => text).join('')
}

/** The stylesheet of these pages. */
export const STYLESHEET_PATH = '/static/page.css'

/** No script, nothing from other servers, and forms that submit to this server only. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * A whole page. Its address may hold a secret, so it is neither cached nor sent as a referrer, even to this server's own
 * log. The origin is sent: with `no-referrer`, browsers also hide the origin of a form, which then looks like another
 * site's.
 */
export function htmlPage(status: number, title: string, content: Html): Page {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${STYLESHEET_PATH}">
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`
  return {
    status,
    contentType: 'text/html; charset=utf-8',
    body: text,
    headers: {
      'Cache-Control': 'no-store',
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Referrer-Policy': 'strict-origin',
    },
  }
}

/** Sends a browser to an address of this server; it must be checked, since it is a header. */
export function redirectPage(path: string): Page {
  return {
    status: 303,
    contentType: 'text/plain; charset=utf-8',
    body: '',
    headers: { Location: path, 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' },
  }
}
