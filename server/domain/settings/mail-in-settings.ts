/** The addresses at which the server takes mails, and its door for them, as the operator configures them. */

import { isEmailAddress } from '../users/email-addresses.ts'

/** An address with a place for a token, as `parley+%s@chat.example.com`. */
export interface MailInPattern {
  /** Around the token, in lower case. */
  readonly before: string
  readonly after: string
}

/** The door for mails. */
export interface MailInDoor {
  readonly host: string
  /** 0 picks any free port. */
  readonly port: number
  /** Files with a certificate and its key, in PEM; undefined for a door without TLS. */
  readonly tls: { readonly certificateFile: string; readonly keyFile: string } | undefined
}

/** Characters around the token before the `@`: with the longest token they must fit into 64. */
const OWN_PART_LENGTH_MAX = 14

/** Parses such an address; undefined for anything else. */
export function parseMailInPattern(text: string): MailInPattern | undefined {
  const [before = '', after, ...more] = text.trim().toLowerCase().split('%s')
  if (after === undefined || more.length > 0) return undefined
  const ownLength = before.length + after.indexOf('@')
  const isRight = !before.includes('@') && ownLength <= OWN_PART_LENGTH_MAX
  return isRight && isEmailAddress(`${before}0${after}`) ? { before, after } : undefined
}

/** The address with a token. */
export function fillMailInPattern({ before, after }: MailInPattern, token: string): string {
  return `${before}${token}${after}`
}

/** The token in an address, in lower case; undefined for another address. */
export function readMailInToken({ before, after }: MailInPattern, address: string): string | undefined {
  const given = address.toLowerCase() // Some mail servers change the case.
  const isOurs =
    given.length > before.length + after.length && given.startsWith(before) && given.endsWith(after)
  return isOurs ? given.slice(before.length, given.length - after.length) : undefined
}
