/** The one layout of mails: the same content as plain text and as HTML, in both themes and on a phone. */

import { escapeHtml } from '../../../server/domain/text/escape-html.ts'

/** The content of a mail, without any markup. */
export interface MailContent {
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** The link that the mail is for. */
  readonly action: { readonly label: string; readonly url: string }
  /** Smaller, below the link. */
  readonly notes: readonly string[]
  /** The page on which the reader stops mails of this kind; undefined for mails that nobody can do without. */
  readonly stopUrl?: string
}

/** A mail in both forms. */
export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly stopUrl: string | undefined
}

const STOP_LABEL = 'Stop these mails'

/** Mail programs support few styles: one column, system fonts, and colors that each theme can change. */
const STYLE = `:root { color-scheme: light dark; supported-color-schemes: light dark }
body { margin: 0; padding: 1.5rem 1rem; background: #fff; color: #222; font: 1rem/1.5 system-ui, sans-serif }
main { display: block; max-width: 32rem; margin: 0 auto }
h1 { font-size: 1.25rem }
.action { display: inline-block; padding: .6rem 1rem; border-radius: .3rem; background: #1f5fb8; color: #fff;
  text-decoration: none }
.address { overflow-wrap: anywhere }
.note { color: #555; font-size: .875rem }
@media (prefers-color-scheme: dark) {
  body { background: #1b1b1b; color: #eee }
  .note { color: #bbb }
  a.plain { color: #8ab8ff }
}`

/** Renders a mail; texts cannot become markup. */
export function renderMail({ subject, paragraphs, action, notes, stopUrl }: MailContent): RenderedMail {
  const stop = stopUrl === undefined ? [] : [`${STOP_LABEL}:\n${stopUrl}`]
  const text = [...paragraphs, `${action.label}:\n${action.url}`, ...notes, ...stop].join('\n\n')
  const url = escapeHtml(action.url)
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(subject)}</h1>
${paragraphs.map((one) => `<p>${escapeHtml(one)}</p>`).join('\n')}
<p><a class="action" href="${url}">${escapeHtml(action.label)}</a></p>
<p class="note address">Or open this address: <a class="plain" href="${url}">${url}</a></p>
${notes.map((one) => `<p class="note">${escapeHtml(one)}</p>`).join('\n')}
${stopUrl === undefined ? '' : `<p class="note"><a class="plain" href="${escapeHtml(stopUrl)}">${STOP_LABEL}</a></p>\n`}</main>
</body>
</html>
`
  return { subject, text: `${text}\n`, html, stopUrl }
}
