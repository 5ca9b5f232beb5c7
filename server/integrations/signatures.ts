/** How senders prove that a webhook is theirs. Each check compares in constant time. */

import { createHmac, timingSafeEqual } from 'node:crypto'

/** The part of a webhook that signatures cover. */
export interface SignedPart {
  /** The body as it was sent. */
  readonly body: Uint8Array
  /** The value of a header that the integration declares, by its name in lower case; empty if it is absent. */
  readonly header: (name: string) => string
}

/** The webhook of a bot that has a secret. */
export interface Signed extends SignedPart {
  readonly secret: string
  /** UNIX seconds. */
  readonly now: number
}

/** A check, and its headers in lower case. */
export interface SignatureCheck {
  readonly headers: readonly string[]
  isRight(signed: Signed): boolean
}

/** Seconds between a signature and now: what Stripe and Slack advise against replays. */
const AGE_SECONDS_MAX = 300

/** `Authorization: Bearer SECRET`, for senders that sign nothing and can send a header. */
export const BEARER: SignatureCheck = {
  headers: ['authorization'],
  isRight({ header, secret }) {
    const [, token] = /^bearer +(.*)$/i.exec(header('authorization')) ?? []
    return token !== undefined && isSame(token, secret)
  },
}

/** The secret itself in a header. */
export function tokenHeader(name: string): SignatureCheck {
  return { headers: [name], isRight: ({ header, secret }) => isSame(header(name), secret) }
}

/** An HMAC of the body by SHA-256 in hexadecimal, behind a prefix such as `sha256=`. */
export function hmacHeader(name: string, prefix = ''): SignatureCheck {
  return {
    headers: [name],
    isRight({ body, header, secret }) {
      const wanted = prefix + hmac(secret, body)
      // Some senders put several in one header while a secret is replaced.
      return header(name)
        .split(',')
        .some((given) => isSame(given.trim(), wanted))
    },
  }
}

/** `Stripe-Signature: t=TIME,v1=HMAC`, over the time, a dot and the body. */
export const STRIPE: SignatureCheck = {
  headers: ['stripe-signature'],
  isRight({ body, header, secret, now }) {
    const parts = header('stripe-signature')
      .split(',')
      .map((part) => part.trim().split('=', 2) as [string, string?])
    const at = parts.find(([name]) => name === 't')?.[1] ?? ''
    if (!isRecent(at, now)) return false
    const wanted = hmac(secret, `${at}.`, body)
    return parts.some(([name, given = '']) => name === 'v1' && isSame(given, wanted))
  },
}

/** Slack's own: `X-Slack-Signature: v0=HMAC`, over `v0`, the time and the body; or a bearer, which more programs can send. */
export const SLACK: SignatureCheck = {
  headers: ['x-slack-signature', 'x-slack-request-timestamp', ...BEARER.headers],
  isRight(signed) {
    const { body, header, secret, now } = signed
    const at = header('x-slack-request-timestamp')
    if (at === '') return BEARER.isRight(signed)
    return isRecent(at, now) && isSame(header('x-slack-signature'), `v0=${hmac(secret, `v0:${at}:`, body)}`)
  },
}

function hmac(secret: string, ...parts: readonly (string | Uint8Array)[]): string {
  const sum = createHmac('sha256', secret)
  for (const part of parts) sum.update(part)
  return sum.digest('hex')
}

function isRecent(at: string, now: number): boolean {
  return /^\d{1,12}$/.test(at) && Math.abs(now - Number(at)) <= AGE_SECONDS_MAX
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}
