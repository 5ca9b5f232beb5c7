/** Proves to push services that requests come from this server (RFC 8292). */

import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { ServerKey } from '../../../../db/personal/web-push.ts'

/** Seconds for which a token is valid; services refuse more than a day. */
const TOKEN_SECONDS = 12 * 3600
/** Seconds for which it is used again. */
const REUSE_SECONDS = 6 * 3600
/** Push services whose tokens stay in memory: the browsers have some, and apps a few more. */
const ORIGINS_MAX = 100

/** Signs by one key of the server. */
export class Vapid {
  readonly #publicKey: string
  readonly #privateKey: KeyObject
  readonly #subject: string
  readonly #tokens = new LRUCache<string, { readonly token: string; readonly until: number }>({
    max: ORIGINS_MAX,
  })

  /** @param subject where services reach the operator: a `mailto:` or `https:` address. */
  constructor({ privateKey, publicKey }: ServerKey, subject: string) {
    this.#publicKey = publicKey.toString('base64url')
    this.#subject = subject
    const [x, y] = [publicKey.subarray(1, 33), publicKey.subarray(33)]
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      d: privateKey.toString('base64url'),
      x: x.toString('base64url'),
      y: y.toString('base64url'),
    }
    this.#privateKey = createPrivateKey({ key: jwk, format: 'jwk' })
  }

  /** The header `Authorization` for an endpoint. */
  authorize(endpoint: string, nowSeconds: number): string {
    const { origin } = new URL(endpoint)
    const known = this.#tokens.get(origin)
    if (known && nowSeconds < known.until) return this.#header(known.token)
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = { aud: origin, exp: nowSeconds + TOKEN_SECONDS, sub: this.#subject }
    const input = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`
    const signature = sign('sha256', Buffer.from(input), { key: this.#privateKey, dsaEncoding: 'ieee-p1363' })
    const token = `${input}.${signature.toString('base64url')}`
    this.#tokens.set(origin, { token, until: nowSeconds + REUSE_SECONDS })
    return this.#header(token)
  }

  #header(token: string): string {
    return `vapid t=${token}, k=${this.#publicKey}`
  }
}
