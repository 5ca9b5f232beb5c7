/** The log-in of an agent in tests: the official client with what it stores, and the steps of a person and of a program. */

import { hash, randomBytes } from 'node:crypto'
import {
  Client as McpClient,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import type { Browser } from '../browser/browser.ts'

export const REDIRECT_URL = 'http://127.0.0.1:7777/callback'

type Discovered = Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0]

/** The store of the official client, and the address to which it sends its person. */
export class StoredLogin implements OAuthClientProvider {
  readonly redirectUrl: string
  readonly clientMetadata: OAuthClientProvider['clientMetadata']
  readonly clientMetadataUrl?: string
  asked: URL | undefined
  client: Awaited<ReturnType<OAuthClientProvider['clientInformation']>>
  stored: Awaited<ReturnType<OAuthClientProvider['tokens']>>
  #verifier = ''
  #discovered: Discovered | undefined

  constructor(redirectUrl = REDIRECT_URL, clientMetadataUrl?: string) {
    this.redirectUrl = redirectUrl
    this.clientMetadata = {
      client_name: 'Test agent',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl
  }

  state = () => 'a state'
  clientInformation = () => this.client
  saveClientInformation = (client: NonNullable<StoredLogin['client']>) => {
    this.client = client
  }
  tokens = () => this.stored
  saveTokens = (tokens: NonNullable<StoredLogin['stored']>) => {
    this.stored = tokens
  }
  redirectToAuthorization = (url: URL) => {
    this.asked = url
  }
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier
  }
  codeVerifier = () => this.#verifier
  saveDiscoveryState = (state: Discovered) => {
    this.#discovered = state
  }
  discoveryState = () => this.#discovered
}

/** The official client, which logs in by what is stored there. */
export function agentWith(login: StoredLogin, url: string) {
  const agent = new McpClient({ name: 'test-agent', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), { authProvider: login })
  return { agent, transport, connect: () => agent.connect(transport, { timeout: 600_000 }) }
}

/** A verifier of PKCE, and its challenge. */
export function newVerifier() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: hash('sha256', verifier, 'base64url') }
}

/** The query to which the page leads a browser back. */
export async function allow(
  browser: Browser,
  path: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<URLSearchParams> {
  const answer = await press(browser, path, { decision: 'allow', ...fields })
  if (answer.status !== 303) throw new Error(`the page answered ${answer.status}: ${answer.text}`)
  return new URL(answer.headers.get('location') ?? '').searchParams
}

/** Presses a button of the page, with its token against cross-site requests. */
export async function press(browser: Browser, path: string, fields: Readonly<Record<string, string>>) {
  const page = await browser.send('GET', path)
  const [, token = ''] = /name="csrfmiddlewaretoken" value="([^"]*)"/.exec(page.text) ?? []
  return browser.send('POST', path, { fields: { csrfmiddlewaretoken: token, ...fields } })
}
