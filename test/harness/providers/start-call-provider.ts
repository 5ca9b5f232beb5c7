/** A provider of video calls: OAuth 2.0 with single-use refresh tokens, and an API that creates calls. */

import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestContext } from '../databases/create-database.ts'
import { listenLocally } from '../servers/listen-locally.ts'

export const CLIENT_ID = 'the client'
export const CLIENT_SECRET = 'secret of the client'

/** An answer instead of the default. */
export interface OddAnswer {
  readonly status: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A received request. */
export interface ProviderRequest {
  readonly path: string
  readonly authorization: string | undefined
  readonly fields: Record<string, unknown>
}

/** A running provider. */
export interface CallProvider {
  readonly url: string
  readonly env: Readonly<Record<string, string>>
  readonly requests: ProviderRequest[]
  /** The lifetime in seconds of new tokens; undefined omits it. */
  secondsLeft: number | undefined
  /** The answers to the next requests of a path. */
  readonly odd: Map<string, OddAnswer[]>
  /** Consents, like a person on its page; returns the query of the redirect. */
  agree(authorizationUrl: string): URLSearchParams
  /** Revokes all tokens. */
  forget(): void
}

export async function startCallProvider(t: TestContext): Promise<CallProvider> {
  const codes = new Map<string, string>()
  const accessTokens = new Set<string>()
  const refreshTokens = new Set<string>()
  let count = 0
  const requests: ProviderRequest[] = []
  const odd = new Map<string, OddAnswer[]>()
  const provider: Partial<CallProvider> = { secondsLeft: 3600 }

  const grant = (): OddAnswer => {
    count++
    const [access, refresh] = [`access-${count}`, `refresh-${count}`]
    accessTokens.add(access)
    refreshTokens.add(refresh)
    const body = { access_token: access, refresh_token: refresh, expires_in: provider.secondsLeft }
    return { status: 200, body: JSON.stringify(body) }
  }
  const refuse = { status: 400, body: '{"error":"invalid_grant"}' }
  const answer = ({ path, authorization, fields }: ProviderRequest): OddAnswer => {
    const other = odd.get(path)?.shift()
    if (other) return other
    if (path === '/oauth/token') {
      const credentials = `${encodeURIComponent(CLIENT_ID)}:${encodeURIComponent(CLIENT_SECRET)}`
      if (authorization !== `Basic ${Buffer.from(credentials).toString('base64')}`) return { status: 401 }
      if (fields.grant_type === 'refresh_token')
        return refreshTokens.delete(String(fields.refresh_token)) ? grant() : refuse
      const redirectUrl = codes.get(String(fields.code))
      codes.delete(String(fields.code))
      return redirectUrl !== undefined && redirectUrl === fields.redirect_uri ? grant() : refuse
    }
    if (path !== '/v2/users/me/meetings') return { status: 404 }
    if (!accessTokens.has(authorization?.slice('Bearer '.length) ?? '')) return { status: 401, body: '{}' }
    return { status: 201, body: `{"join_url":"https://calls.example.com/j/${++count}"}` }
  }
  const read = async (request: IncomingMessage): Promise<ProviderRequest> => {
    const body = await text(request)
    const isJson = request.headers['content-type'] === 'application/json'
    return {
      path: request.url ?? '',
      authorization: request.headers.authorization,
      fields: isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body)),
    }
  }
  const server = createServer((request, response) => {
    void read(request).then((seen) => {
      requests.push(seen)
      const { status, body = '', headers = {} } = answer(seen)
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers })
      response.end(body)
    })
  })
  const url = await listenLocally(t, server)
  return Object.assign(provider, {
    url,
    env: {
      VIDEO_PROVIDER_CLIENT_ID: CLIENT_ID,
      VIDEO_PROVIDER_CLIENT_SECRET: CLIENT_SECRET,
      VIDEO_PROVIDER_URL: url,
      VIDEO_PROVIDER_API_URL: `${url}/`,
    },
    requests,
    odd,
    agree(authorizationUrl: string) {
      const { origin, pathname, searchParams } = new URL(authorizationUrl)
      if (origin !== url || pathname !== '/oauth/authorize' || searchParams.get('client_id') !== CLIENT_ID)
        throw new Error(`the provider does not know ${authorizationUrl}`)
      const code = `code-${++count}`
      codes.set(code, searchParams.get('redirect_uri') ?? '')
      return new URLSearchParams({ code, state: searchParams.get('state') ?? '' })
    },
    forget() {
      accessTokens.clear()
      refreshTokens.clear()
    },
  }) as CallProvider
}
