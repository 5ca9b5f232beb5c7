/** Texts for links of calls, and ids of agents' clients: each holds what it is for, signed, so that this server stores no row of it. */

import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** A link of one use is invalid for another. */
type LinkUse = 'links of meetings' | 'links of rooms' | 'clients of agents'

/** A value as a signed text for a link. @param secret the one of addresses, which all processes share. */
export function sealLink(secret: Uint8Array, use: LinkUse, value: unknown): string {
  const text = Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${text}.${sign(secret, use, text)}`
}

/** The value of a link; undefined if this server did not sign it. */
export function openLink(secret: Uint8Array, use: LinkUse, sealed: string): unknown {
  const end = sealed.lastIndexOf('.')
  const text = sealed.slice(0, Math.max(0, end))
  const expected = Buffer.from(sign(secret, use, text))
  const given = Buffer.from(sealed.slice(end + 1))
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown
}

function sign(secret: Uint8Array, use: LinkUse, text: string): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', use, 32))
  return createHmac('sha256', key).update(text).digest('base64url')
}
