/** HTML pages for people without a client; plain text cannot become markup. */

import { escapeHtml } from '../domain/text/escape-html.ts'
import type { ServerTexts } from '../texts/texts.ts'
import { APP_LOGIN_URL } from '../views/names.ts'
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

/** No markup, for parts of a page that are left out. */
export const NOTHING = new Html('')

function encode(value: string | Html | readonly Html[]): string {
  if (typeof value === 'string') return escapeHtml(value)
  return value instanceof Html ? value.text : value.map(({ text }) => text).join('')
}

/** The stylesheet of these pages, and their icon in the browser's tab. */
export const STYLESHEET_PATH = '/static/page.css'
export const TAB_ICON_PATH = '/static/icon.svg'
/** The scripts: browsers give passkeys, fragments of addresses and the clipboard to scripts only. */
export const COPY_SCRIPT_PATH = '/static/copy.js'
export const PASSKEYS_SCRIPT_PATH = '/static/passkeys.js'
export const DESKTOP_TOKEN_SCRIPT_PATH = '/static/desktop-token.js'

/** Nothing from other servers, and forms that submit to this server only; a script only if the page names one. */
function securityPolicy({ script, leadsToApp, formTarget }: PageTraits): string {
  const target = leadsToApp ? new URL(APP_LOGIN_URL).protocol : formTarget
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    // Browsers check redirects after a form by this, too.
    target === undefined ? "form-action 'self'" : `form-action 'self' ${target}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(script === undefined ? [] : ["script-src 'self'", "connect-src 'self'"]),
  ].join('; ')
}

/** Traits of pages that allow more in browsers than others. */
interface PageTraits {
  /** The address of its script, which may ask this server. */
  readonly script?: string
  /** Whether the answer to its form leads to a mobile app. */
  readonly leadsToApp?: true
  /** The origin or the scheme to which the answer to its form leads. */
  readonly formTarget?: string
}

/** A page for people, before it gets the organization's name. */
export interface PeoplesPage extends PageTraits {
  readonly status: number
  readonly title: string
  readonly content: Html
}

/** A page for people; `forms/parts.ts` has the parts of its content. */
export function htmlPage(status: number, title: string, content: Html, traits: PageTraits = {}): PeoplesPage {
  return { status, title, content, ...traits }
}

/** The name and the picture at the top of each page. */
interface PageOwner {
  readonly name: string
  readonly icon: string
}

/** For a server without an organization. */
const SERVER: PageOwner = { name: 'Parley', icon: TAB_ICON_PATH }

/**
 * Draws the whole page. Its address may hold a secret, so it is neither cached nor sent as a referrer, even to this
 * server's own log. The origin is sent: with `no-referrer`, browsers also hide the origin of a form, which then looks
 * like another site's.
 */
export function drawPage(
  { status, title, content, ...traits }: PeoplesPage,
  { t, language, direction }: ServerTexts,
  owner: PageOwner = SERVER,
): Page {
  const { script } = traits
  const heading = status < 400 ? title : t('Problem: {title}', { title })
  const { text } = html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${heading} – ${owner.name}</title>
<link rel="icon" href="${TAB_ICON_PATH}" type="image/svg+xml">
<link rel="stylesheet" href="${STYLESHEET_PATH}">
${script === undefined ? NOTHING : html`<script type="module" src="${script}"></script>`}
</head>
<body>
<div class="card">
<header>
<img src="${owner.icon}" alt="" width="40" height="40">
<bdi>${owner.name}</bdi>
</header>
<main>
<h1>${title}</h1>
${content}
</main>
</div>
</body>
</html>
`
  return {
    status,
    contentType: 'text/html; charset=utf-8',
    body: text,
    headers: {
      'Cache-Control': 'no-store',
      'Content-Language': language,
      'Content-Security-Policy': securityPolicy(traits),
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
