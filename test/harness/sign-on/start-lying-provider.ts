/** A provider of log-ins that lies: an HTTP server that signs whatever tokens a test wants, or answers anything else. */

import { createPublicKey, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestContext } from '../databases/create-database.ts'
import { listenLocally } from '../servers/listen-locally.ts'

export const NAME = 'lying'
const CLIENT = { client_id: 'the client', client_secret: 'a secret of the client' }

type Claims = Record<string, unknown>

/** Changes of the next tokens. */
export interface Lie {
  /** The claims instead of the right ones. */
  readonly claims?: (right: Claims) => Claims
  /** The header of the token. */
  readonly header?: Claims
  /** The key that signs. */
  readonly key?: KeyObject
  /** The whole token, made from the right one; undefined for none. */
  readonly token?: (right: string) => string | undefined
}

/** A running provider. */
export interface LyingProvider {
  readonly url: string
  readonly settings: Readonly<Record<string, string>>
  /** The lie of the next tokens; an empty one for true ones. */
  lie: Lie
  /** The claims that it gives on request. */
  person: Claims
  /** Changes of its description. */
  described: Claims
  /** Answers instead of the right ones, by path. */
  readonly odd: Map<string, (response: ServerResponse) => void>
  /** The paths of the requests that it received. */
  readonly requests: string[]
  /** Tokens and codes that it gave out. */
  readonly secrets: string[]
  readonly publicKey: KeyObject
  /** Agrees like a person; returns the address of the return. */
  agree(authorizationUrl: string): URL
}

/** Starts a provider that ends with the test. */
export async function startLyingProvider(t: TestContext): Promise<LyingProvider> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const publicKey = createPublicKey(privateKey)
  const codes = new Map<string, string>()
  const provider: LyingProvider = {
    url: '',
    settings: {},
    lie: {},
    person: {},
    described: {},
    odd: new Map(),
    requests: [],
    secrets: [],
    publicKey,
    agree(authorizationUrl) {
      const { searchParams } = new URL(authorizationUrl)
      const code = `code-${crypto.randomUUID()}`
      codes.set(code, searchParams.get('nonce') ?? '')
      provider.secrets.push(code)
      const back = new URL(searchParams.get('redirect_uri') ?? '')
      back.search = new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString()
      return back
    },
  }

  const answers: Readonly<Record<string, (body: string) => Claims>> = {
    '/.well-known/openid-configuration': () => ({
      issuer: provider.url,
      authorization_endpoint: `${provider.url}/authorize`,
      token_endpoint: `${provider.url}/token`,
      userinfo_endpoint: `${provider.url}/me`,
      jwks_uri: `${provider.url}/keys`,
      response_types_supported: ['code'],
      ...provider.described,
    }),
    '/keys': () => ({
      keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }],
    }),
    '/me': () => provider.person,
    '/token': (body) => {
      const token = makeToken(codes.get(new URLSearchParams(body).get('code') ?? '') ?? '')
      const access = `access-${crypto.randomUUID()}`
      provider.secrets.push(access, ...(token === undefined ? [] : [token]))
      return { access_token: access, token_type: 'Bearer', expires_in: 300, id_token: token }
    },
  }

  function makeToken(nonce: string): string | undefined {
    const {
      claims = (right) => right,
      header = {},
      key = privateKey,
      token = (right) => right,
    } = provider.lie
    const now = Math.floor(Date.now() / 1000)
    const right = {
      iss: provider.url,
      aud: CLIENT.client_id,
      sub: 'a person',
      iat: now,
      exp: now + 300,
      nonce,
      email: 'member@example.com',
      email_verified: true,
    }
    const parts = [{ alg: 'RS256', kid: 'one', typ: 'JWT', ...header }, claims(right)]
    const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    return token(`${signed}.${createSign('sha256').update(signed).sign(key).toString('base64url')}`)
  }

  const server = createServer((request, response) => {
    const path = request.url ?? ''
    provider.requests.push(path)
    void text(request).then((body) => {
      const odd = provider.odd.get(path)
      if (odd) return odd(response)
      const answer = answers[path]?.(body)
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json', connection: 'close' })
      response.end(JSON.stringify(answer ?? {}))
    })
  })
  const url = await listenLocally(t, server)
  return Object.assign(provider, { url, settings: { name: NAME, issuer: url, ...CLIENT } })
}
