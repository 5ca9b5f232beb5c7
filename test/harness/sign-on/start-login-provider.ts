/** A provider of log-ins: the real OpenID Connect server of the package `oidc-provider`, with people who log in there. */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Provider, { type Configuration } from 'oidc-provider'
import type { TestContext } from '../databases/create-database.ts'
import { findFreePort, listenLocally } from '../servers/listen-locally.ts'
import { BrowserAtProvider } from '../browser/browser-at-provider.ts'

/** The address under which the server of the test is known to providers. */
export const PUBLIC_URL = 'http://chat.example.com'

/** The provider's data about a person. */
export interface Person {
  readonly email?: string
  readonly email_verified?: unknown
  /** The claim of Microsoft Entra in its place. */
  readonly xms_edov?: unknown
  readonly name?: string
}

/** A running provider. */
export interface LoginProviderServer {
  readonly url: string
  /** Its entry of `OIDC_PROVIDERS`. */
  readonly settings: Readonly<Record<string, string>>
  /** By subject; tests change them. */
  readonly people: Map<string, Person>
  /** The requests that it received, as `METHOD path`. */
  readonly requests: string[]
  /** Logs a person in at an address of it; returns the address to which it sends their browser back. */
  agree(authorizationUrl: string, subject: string): Promise<URL>
  /** The person refuses. */
  refuse(authorizationUrl: string): Promise<URL>
}

/** Options of a provider. */
export interface LoginProviderOptions {
  readonly name?: string
  /** Whether its tokens have the claims about people, which it otherwise gives on request. */
  readonly hasClaimsInTokens?: boolean
  readonly tokenAuthentication?: 'client_secret_basic' | 'client_secret_post'
}

/** Starts a provider that ends with the test. */
export async function startLoginProvider(
  t: TestContext,
  {
    name = 'example',
    hasClaimsInTokens = false,
    tokenAuthentication = 'client_secret_basic',
  }: LoginProviderOptions = {},
): Promise<LoginProviderServer> {
  const people = new Map<string, Person>()
  const requests: string[] = []
  const client = { client_id: `client of ${name}`, client_secret: `a long secret of ${name}: & = %` }
  const configuration: Configuration = {
    clients: [
      {
        ...client,
        redirect_uris: [`${PUBLIC_URL}/accounts/login/oidc/${name}/callback`],
        token_endpoint_auth_method: tokenAuthentication,
      },
    ],
    clientAuthMethods: [tokenAuthentication],
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'xms_edov'], profile: ['name'] },
    conformIdTokenClaims: !hasClaimsInTokens,
    cookies: { keys: ['a key of the provider'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
    ttl: { Interaction: 600, Session: 600, Grant: 600, IdToken: 600, AccessToken: 600 },
  }
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const provider = new Provider(url, configuration)
  const serve = provider.callback()

  /** Answers the page on which a person would log in, by the header of the test's browser. */
  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const accountId = request.headers['x-subject']
    if (typeof accountId !== 'string') {
      const error = { error: 'access_denied', error_description: 'The person refused <b>it</b>' }
      return provider.interactionFinished(request, response, error)
    }
    const grant = new provider.Grant({ accountId, clientId: client.client_id })
    grant.addOIDCScope('openid email profile')
    const consent = { grantId: await grant.save() }
    return provider.interactionFinished(request, response, { login: { accountId }, consent })
  }

  const server = createServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    requests.push(`${request.method} ${path}`)
    if (path.startsWith('/interaction/')) void interact(request, response)
    else void serve(request, response)
  })
  await listenLocally(t, server, port)
  const send = (authorizationUrl: string, headers: Readonly<Record<string, string>>) =>
    new BrowserAtProvider(url, headers).followTo(authorizationUrl, PUBLIC_URL)
  return {
    url,
    settings: { name, issuer: url, ...client },
    people,
    requests,
    agree: (authorizationUrl, subject) => send(authorizationUrl, { 'x-subject': subject }),
    refuse: (authorizationUrl) => send(authorizationUrl, {}),
  }
}
