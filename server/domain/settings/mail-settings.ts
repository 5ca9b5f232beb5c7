/** The mail server and the sender of mails, as the operator configures them. */

import { isEmailAddress } from '../users/email-addresses.ts'

/** A mail server. */
export interface MailServer {
  readonly host: string
  readonly port: number
  /** Whether the connection starts with TLS; otherwise it may begin later. */
  readonly isTls: boolean
  readonly credentials: { readonly user: string; readonly password: string } | undefined
}

/** The address that mails come from, with a name or an empty text. */
export interface MailSender {
  readonly name: string
  readonly address: string
}

/** The ports for mails from programs, by RFC 8314. */
const TLS_PORT = 465
const PLAIN_PORT = 587

/** Parses `smtp://` or `smtps://` with a host, and perhaps a port and credentials; undefined for anything else. */
export function parseMailUrl(text: string): MailServer | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  if (protocol !== 'smtp:' && protocol !== 'smtps:') return undefined
  if (hostname === '' || !['', '/'].includes(pathname) || search !== '' || hash !== '') return undefined
  const user = decode(username)
  const secret = decode(password)
  if (user === undefined || secret === undefined || (user === '') !== (secret === '')) return undefined
  const isTls = protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isTls ? TLS_PORT : PLAIN_PORT) : Number(port),
    isTls,
    credentials: user === '' ? undefined : { user, password: secret },
  }
}

/** Parses `name@example.com` or `Name <name@example.com>`; undefined for anything else. */
export function parseMailSender(text: string): MailSender | undefined {
  const [, name = '', bracketed] = /^([^<>\p{Cc}]*)<([^<>]*)>$/u.exec(text.trim()) ?? []
  const address = bracketed ?? text.trim()
  return isEmailAddress(address) ? { name: name.trim().replace(/^"(.*)"$/, '$1'), address } : undefined
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
