/** Hands mails to the mail server or, without one, writes them as files. */

import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform, type TransformCallback } from 'node:stream'
import type { SendMailOptions, Transporter } from 'nodemailer'
import type { MailSender, MailServer } from '../../../server/domain/settings/mail-settings.ts'
import type { ComposedMail } from './composed-mail.ts'
import { MAIL_LOGO, type MailThread } from './mail-layout.ts'

/** Milliseconds until the mail server is connected and greets, and of silence afterwards. */
const CONNECT_MS_MAX = 10_000
const SILENCE_MS_MAX = 20_000
/** Files of mails; the oldest are removed, since nobody reads them any more. */
const FILES_MAX = 1_000
const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', '::1', 'localhost']

/** The result of sending. A refused mail would be refused again. */
export type MailResult =
  | { readonly kind: 'sent'; readonly file?: string }
  | { readonly kind: 'refused' | 'failed'; readonly code: string; readonly status: number | undefined }

/**
 * Sends a mail; `id` names it for all servers that carry it, and a repeated mail has the same. `beforeEnd` is called once,
 * before the last byte: if it rejects, the mail is not sent. Never rejects: a failure is a result.
 */
export type SendMail = (mail: ComposedMail, id: string, beforeEnd: () => Promise<void>) => Promise<MailResult>

/** Creates the way out of mails, and loads the library with the first mail. */
export function createMailTransport(
  server: MailServer | undefined,
  sender: MailSender,
  folder: string,
): SendMail {
  const host = sender.address.slice(sender.address.lastIndexOf('@') + 1)
  const optionsOf = (
    { to, replyTo, subject, text, html, stopUrl, thread }: ComposedMail,
    id: string,
  ): SendMailOptions => ({
    from: { ...sender },
    to: { name: '', address: to },
    ...(replyTo === undefined ? {} : { replyTo: { name: sender.name, address: replyTo } }),
    envelope: { from: sender.address, to },
    subject,
    text,
    html,
    attachments: [{ ...MAIL_LOGO, filename: 'logo.png', contentDisposition: 'inline' }],
    messageId: `<${id}@${host}>`,
    date: new Date(),
    headers: { 'Auto-Submitted': 'auto-generated', ...(stopUrl === undefined ? {} : stopHeaders(stopUrl)) },
    ...(thread ? threadOptions(thread, host) : {}),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return server
    ? (mail, id, beforeEnd) => sendBySmtp(server, optionsOf(mail, id), beforeEnd)
    : (mail, id, beforeEnd) =>
        writeMailFile(folder, id, optionsOf(mail, id), beforeEnd).catch(
          ({ code = 'UNKNOWN' }: NodeJS.ErrnoException) => ({
            kind: 'failed',
            code,
            status: undefined,
          }),
        )
}

async function sendBySmtp(
  server: MailServer,
  options: SendMailOptions,
  beforeEnd: () => Promise<void>,
): Promise<MailResult> {
  return withSmtp(server, async (transport) => {
    transport.use('stream', ({ message }, done) => {
      message.transform(
        new Transform({ transform: passOn, flush: (end) => void beforeEnd().then(() => end(), end) }),
      )
      done()
    })
    await transport.sendMail(options)
  })
}

/** Connects and logs in as for a mail, and sends none. Never rejects: a failure is a result. */
export async function checkMailServer(server: MailServer): Promise<MailResult> {
  return withSmtp(server, (transport) => transport.verify())
}

async function withSmtp(
  { host, port, isTls, credentials }: MailServer,
  use: (transport: Transporter) => Promise<unknown>,
): Promise<MailResult> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    host,
    port,
    secure: isTls,
    // Credentials go over the network only encrypted.
    requireTLS: credentials !== undefined && !LOOPBACK_HOSTS.includes(host),
    ...(credentials ? { auth: { user: credentials.user, pass: credentials.password } } : {}),
    connectionTimeout: CONNECT_MS_MAX,
    greetingTimeout: CONNECT_MS_MAX,
    socketTimeout: SILENCE_MS_MAX,
  })
  try {
    await use(transport)
    return { kind: 'sent' }
  } catch (error) {
    const { code = 'UNKNOWN', responseCode: status } = error as { code?: string; responseCode?: number }
    // Wrong credentials are the operator's to correct. The text of the answer is not logged: it may quote the mail.
    const isFinal = code !== 'EAUTH' && status !== undefined && status >= 500
    return { kind: isFinal ? 'refused' : 'failed', code, status }
  } finally {
    transport.close()
  }
}

/** Every mail of a conversation answers the same one, which was never sent: so programs put them together. */
function threadOptions({ key, list }: MailThread, host: string): SendMailOptions {
  const root = `<conversation-${key}@${host}>`
  return {
    inReplyTo: root,
    references: root,
    list: { id: { url: `${list.id}.${host}`, comment: list.name } },
  }
}

/** Mail programs show a button of their own then (RFC 8058). */
function stopHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

function passOn(chunk: unknown, _encoding: BufferEncoding, done: TransformCallback): void {
  done(null, chunk)
}

async function writeMailFile(
  folder: string,
  id: string,
  options: SendMailOptions,
  beforeEnd: () => Promise<void>,
): Promise<MailResult> {
  const { createTransport } = await import('nodemailer')
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(options)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // The names are in the order of time.
  const file = join(folder, `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${id}.eml`)
  await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 })
  await beforeEnd()
  await rename(`${file}.part`, file)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort()
  for (const name of names.slice(0, -FILES_MAX)) await rm(join(folder, name), { force: true })
  return { kind: 'sent', file }
}
