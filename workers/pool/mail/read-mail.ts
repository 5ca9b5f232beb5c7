/** Reads a mail: who sent it, what they wrote, and its files. */

import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { cutQuotes } from './cut-quotes.ts'
import { htmlToMarkdown } from './html-markdown.ts'

/** Files of one mail; a message with more is of no use. */
const FILES_MAX = 20
/** Levels of parts and bytes of headers; mails of people have some three levels and 20 KB. */
const NESTING_MAX = 50
const HEADERS_BYTES_MAX = 256 * 1024
/** Parts that only mail programs read. */
const UNSEEN_TYPES = new Set([
  'application/pgp-signature',
  'application/pkcs7-signature',
  'application/x-pkcs7-signature',
])

/** Whether a program sent a mail: as an answer to any mail, as news of its own, or to a list. */
export type Automation = 'none' | 'reply' | 'news' | 'list'

/** A mail as it was read. */
export interface ReadMail {
  /** The address of the `From` line, in lower case; empty without one. Anybody can write anything there. */
  readonly from: string
  readonly fromName: string
  readonly subject: string
  /** With angle brackets; empty without one. */
  readonly messageId: string
  readonly automation: Automation
  /** The written part, as Markdown. */
  readonly text: string
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[]
  /** Files beyond the limit. */
  readonly leftOutCount: number
}

/** Reads a mail. Rejects if it has too many levels or headers. */
export async function readMail(raw: Uint8Array): Promise<ReadMail> {
  const mail = await PostalMime.parse(raw, {
    maxNestingDepth: NESTING_MAX,
    maxHeadersSize: HEADERS_BYTES_MAX,
    rfc822Attachments: true,
    attachmentEncoding: 'arraybuffer',
  })
  const subject = mail.subject?.trim() ?? ''
  const isForwarded = /^(fwd?|wg|tr|rv|doorst)\s*:/i.test(subject)
  const files = mail.attachments.filter(({ mimeType }) => !UNSEEN_TYPES.has(mimeType))
  return {
    from: mail.from?.address?.trim().toLowerCase() ?? '',
    fromName: mail.from?.name ?? '',
    subject,
    messageId: mail.messageId ?? '',
    automation: automationOf(mail),
    text: textOf(mail, isForwarded).replaceAll('\0', '').toWellFormed(),
    files: files.slice(0, FILES_MAX).map((file) => ({ name: nameOf(file), bytes: bytesOf(file) })),
    leftOutCount: Math.max(0, files.length - FILES_MAX),
  }
}

function textOf({ text = '', html = '' }: Email, isForwarded: boolean): string {
  if (text.trim() !== '') return isForwarded ? text.trim() : cutQuotes(text)
  return htmlToMarkdown(html, isForwarded)
}

function automationOf({ headers }: Email): Automation {
  const valueOf = (name: string) =>
    headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase()
  const submitted = valueOf('auto-submitted') ?? 'no'
  const precedence = valueOf('precedence') ?? ''
  const isReply =
    submitted.startsWith('auto-replied') ||
    precedence === 'auto_reply' ||
    ['x-autoreply', 'x-autorespond', 'x-autoresponder'].some((name) => valueOf(name) !== undefined) ||
    valueOf('content-type')?.startsWith('multipart/report')
  if (isReply) return 'reply'
  if (valueOf('list-id') !== undefined || precedence === 'list') return 'list'
  const isNews = !submitted.startsWith('no') || precedence === 'bulk' || precedence === 'junk'
  return isNews ? 'news' : 'none'
}

function nameOf({ filename, mimeType }: Attachment): string {
  if (filename !== null && filename.trim() !== '') return filename
  if (mimeType === 'message/rfc822') return 'message.eml'
  const [kind, format = ''] = mimeType.split('/')
  return kind === 'image' && /^[a-z]{2,5}$/.test(format) ? `picture.${format}` : 'attachment'
}

function bytesOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
}
