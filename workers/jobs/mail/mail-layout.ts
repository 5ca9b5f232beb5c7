/** The one layout of mails: the same content as plain text and as HTML, in both themes and on a phone. */

import { readFileSync } from 'node:fs'
import { type ColorName, colorOf, MEASURES } from '../../../packages/look/tokens.ts'
import { escapeHtml } from '../../../server/domain/text/escape-html.ts'
import type { ServerTexts } from '../../../server/texts/texts.ts'
import type { MailMarkup } from './mail-markup.ts'

/** The content of a mail, without any markup. */
export interface MailContent {
  /** In the language of the mail. */
  readonly texts: ServerTexts
  /** Its name stands above the rest. */
  readonly organization: string
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** Values with their labels. */
  readonly details?: readonly (readonly [label: string, value: string])[]
  /** The link that the mail is for. */
  readonly action: { readonly label: string; readonly url: string }
  /** Messages, oldest first. */
  readonly messages?: readonly MailedMessage[]
  /** Smaller, below the link. */
  readonly notes: readonly string[]
  /** The page on which the reader stops mails of this kind; undefined for mails that nobody can do without. */
  readonly stopUrl?: string
}

/** A message in a mail. */
export interface MailedMessage {
  readonly sender: string
  readonly time: string
  readonly content: MailMarkup
  /** Whether it is there only to explain the others. */
  readonly isContext: boolean
}

/** A mail in both forms. */
export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly stopUrl: string | undefined
  /** The conversation that a mail belongs to; undefined for mails by themselves. */
  readonly thread?: MailThread
}

/** By what mail programs put mails together, and by what people sort them. */
export interface MailThread {
  /** Equal for all mails of a conversation to the same user; letters and digits. */
  readonly key: string
  /** Letters, digits, hyphens and dots; with a name that people read. */
  readonly list: { readonly id: string; readonly name: string }
}

/** The logo travels with each mail: programs fetch no pictures from servers, and show no drawn ones. */
export const MAIL_LOGO = {
  cid: 'logo@parley',
  content: readFileSync(new URL('../../../packages/look/logo.png', import.meta.url)),
} as const

/** Mail programs read styles of elements, and few know custom properties. */
const light = (name: ColorName) => colorOf(name, 'light')
const FONT = `font-family:${MEASURES.font.replaceAll('"', "'")}`
const STYLES = {
  ground: `margin:0;padding:24px 12px;background:${light('ground')};${FONT}`,
  column: 'width:100%;max-width:480px;margin:0 auto',
  owner: `padding:0 4px 14px;color:${light('ink')};${FONT};font-size:15px;font-weight:600;line-height:28px`,
  logo: 'display:inline-block;margin-right:10px;border:0;vertical-align:middle',
  card: `padding:24px;border:1px solid ${light('line')};border-radius:${MEASURES['radius-large']};background:${light('paper')};color:${light('ink')};${FONT};font-size:15px;line-height:22px;overflow-wrap:anywhere;word-break:break-word`,
  title: 'margin:0 0 14px;font-size:20px;font-weight:600;line-height:26px',
  paragraph: 'margin:0 0 14px',
  label: `padding:0 16px 2px 0;color:${light('ink-3')};vertical-align:top;white-space:nowrap`,
  button: `display:inline-block;padding:10px 18px;border-radius:${MEASURES.radius};background:${light('accent')};color:${light('accent-ink')};font-weight:600;text-decoration:none`,
  small: `margin:0 0 10px;color:${light('ink-3')};font-size:13px;line-height:18px`,
  message: `margin:0 0 14px;padding:12px 0 0;border-top:1px solid ${light('line')}`,
  sender: 'margin:0 0 4px',
  time: `color:${light('ink-3')};font-size:13px`,
  link: `color:${light('accent')}`,
}

const dark = (name: ColorName) => `${colorOf(name, 'dark')} !important`
/** The dark theme, for programs that have one and read styles of a page. */
const DARK_STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media(prefers-color-scheme:dark){
.ground{background:${dark('ground')}}
.owner{color:${dark('ink')}}
.card{background:${dark('paper')};border-color:${dark('line')};color:${dark('ink')}}
.button{background:${dark('accent')};color:${dark('accent-ink')}}
.soft{color:${dark('ink-3')}}
.link{color:${dark('accent')}}
.block{background:${dark('ground')}}
.quote,.message{border-color:${dark('line')}}
}`

/** Renders a mail; texts cannot become markup. */
export function renderMail(content: MailContent): RenderedMail {
  const { subject, stopUrl } = content
  return { subject, text: renderText(content), html: renderHtml(content), stopUrl }
}

function renderText({
  texts: { t },
  paragraphs,
  details = [],
  messages = [],
  action,
  notes,
  stopUrl,
}: MailContent): string {
  const listed = details.map(([label, value]) => `${label}: ${value}`).join('\n')
  const stop = stopUrl === undefined ? [] : [`${t('Stop these emails')}:\n${stopUrl}`]
  const said = messages.map(({ sender, time, content }) => `${sender}, ${time}\n${content.text}`)
  const parts = [...paragraphs, listed, ...said, `${action.label}:\n${action.url}`, ...notes, ...stop]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function renderHtml({
  texts: { t, language, direction },
  organization,
  subject,
  paragraphs,
  details = [],
  messages = [],
  action,
  notes,
  stopUrl,
}: MailContent): string {
  const url = escapeHtml(action.url)
  const link = (href: string, label: string) =>
    `<a class="link" style="${STYLES.link}" href="${href}">${label}</a>`
  const small = (text: string) => `<p class="soft" style="${STYLES.small}">${text}</p>`
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${DARK_STYLE}</style>
</head>
<body class="ground" style="${STYLES.ground}">
<main>
<table role="presentation" align="center" cellpadding="0" cellspacing="0" style="${STYLES.column}">
<tr><td class="owner" style="${STYLES.owner}"><img src="cid:${MAIL_LOGO.cid}" alt="" width="28" height="28" style="${STYLES.logo}">${escapeHtml(organization)}</td></tr>
<tr><td class="card" style="${STYLES.card}">
<h1 style="${STYLES.title}">${escapeHtml(subject)}</h1>
${paragraphs.map((one) => `<p style="${STYLES.paragraph}">${escapeHtml(one)}</p>`).join('\n')}
${details.length === 0 ? '' : renderDetails(details)}
${messages.map(renderMessage).join('\n')}
<p style="${STYLES.paragraph}"><a class="button" style="${STYLES.button}" href="${url}">${escapeHtml(action.label)}</a></p>
${small(`${escapeHtml(t('Or copy this link:'))}<br>${link(url, `<span dir="ltr">${url}</span>`)}`)}
${notes.map((one) => small(escapeHtml(one))).join('\n')}
${stopUrl === undefined ? '' : small(link(escapeHtml(stopUrl), escapeHtml(t('Stop these emails'))))}
</td></tr>
</table>
</main>
</body>
</html>
`
}

function renderMessage({ sender, time, content, isContext }: MailedMessage): string {
  const soft = isContext
    ? ` class="message soft" style="${STYLES.message};color:${light('ink-3')}"`
    : ` class="message" style="${STYLES.message}"`
  return `<div${soft}><p style="${STYLES.sender}"><strong>${escapeHtml(sender)}</strong> <span class="soft" style="${STYLES.time}">${escapeHtml(time)}</span></p>
${content.html}</div>`
}

function renderDetails(details: readonly (readonly [label: string, value: string])[]): string {
  const rows = details.map(
    ([label, value]) =>
      `<tr><td class="soft" style="${STYLES.label}">${escapeHtml(label)}</td><td>${escapeHtml(value)}</td></tr>`,
  )
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="${STYLES.paragraph}">
${rows.join('\n')}
</table>`
}
