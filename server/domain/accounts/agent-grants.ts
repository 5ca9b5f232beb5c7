/** Agents that log in (OAuth 2.1): the limits, and the addresses to which a browser is led back. */

import type { KeyScope } from './named-keys.ts'

/** The scopes that an agent may ask for. */
export const AGENT_SCOPES = ['read', 'messages'] as const satisfies readonly KeyScope[]
export type AgentScope = (typeof AGENT_SCOPES)[number]

/** Seconds for which a code is valid: the client is waiting for it. */
export const CODE_SECONDS = 60
/** Seconds for which a token opens the server; then the client renews it by itself. */
export const TOKEN_SECONDS = 3600
/** Seconds after which an agent that did not come back must be allowed anew. */
export const GRANT_SECONDS = 30 * 24 * 3600
/** Seconds in which a second request with the former token is a client that asked twice, and no thief. */
export const TWICE_SECONDS = 10

/** Addresses of one client, and characters of each. */
export const REDIRECT_URLS_MAX = 10
export const REDIRECT_URL_LENGTH_MAX = 500
/** Characters of a client's id, which holds its name and its addresses if it registered itself: it is part of links. */
export const CLIENT_ID_LENGTH_MAX = 1_000
const CLIENT_NAME_LENGTH_MAX = 60

/** A program that asks people to let it in. */
export interface AgentClient {
  readonly id: string
  /** As it calls itself. */
  readonly name: string
  /** The host that vouches for the client, since its description is there; undefined for one that registered itself. */
  readonly host: string | undefined
  readonly redirectUrls: readonly string[]
}

/** Programs on a person's computer that browsers open by a scheme of their own. */
const APP_SCHEMES: readonly string[] = ['cursor:', 'vscode:', 'vscode-insiders:']
const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']

/** Whether a client may have an address: with TLS, on the person's computer, or of a program that is known. */
export function isRedirectUrl(text: unknown): text is string {
  if (typeof text !== 'string' || text.length > REDIRECT_URL_LENGTH_MAX || !URL.canParse(text)) return false
  const { protocol, username, password, href } = new URL(text)
  if (username !== '' || password !== '' || text.includes('#') || href !== text) return false
  return protocol === 'https:' || isLoopback(text) || APP_SCHEMES.includes(protocol)
}

/** Whether an address is one of a server on the person's own computer, which browsers reach without TLS. */
export function isLoopback(text: string): boolean {
  const { protocol, hostname } = new URL(text)
  return protocol === 'http:' && LOOPBACK_HOSTS.includes(hostname)
}

/** Whether an address is one of a client's: the same text, but for the port on the person's computer (RFC 8252, 7.3). */
export function hasRedirectUrl({ redirectUrls }: Pick<AgentClient, 'redirectUrls'>, given: string): boolean {
  return (
    isRedirectUrl(given) &&
    redirectUrls.some(
      (known) => known === given || (isLoopback(given) && withoutPort(known) === withoutPort(given)),
    )
  )
}

function withoutPort(text: string): string {
  const url = new URL(text)
  url.port = ''
  return url.href
}

/** A client's name for itself in one line; undefined without one. */
export function readClientName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const line = value
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
  const name = Array.from(line).slice(0, CLIENT_NAME_LENGTH_MAX).join('').trim()
  return name === '' ? undefined : name
}
