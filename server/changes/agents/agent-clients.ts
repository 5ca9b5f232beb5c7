/**
 * The clients of agents that log in. A client that registers itself (RFC 7591) gets an id that holds its description,
 * signed, so that strangers fill no table. A client with an address as its id has its description there.
 */

import { LRUCache } from 'lru-cache'
import { readAddressSecret } from '../../../db/accounts/signing-secrets.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import {
  type AgentClient,
  CLIENT_ID_LENGTH_MAX,
  isRedirectUrl,
  readClientName,
  REDIRECT_URL_LENGTH_MAX,
  REDIRECT_URLS_MAX,
} from '../../domain/accounts/agent-grants.ts'
import type { OutboundSettings } from '../../domain/settings/outbound.ts'
import type { GuardedFetch } from '../../outbound/guarded-fetch.ts'
import { openLink, sealLink } from '../sealed-link.ts'

/** Milliseconds for a description: a person waits for the page. */
const TOTAL_MS_MAX = 5_000
/** Bytes of a description, which has some hundred. */
const BODY_BYTES_MAX = 16 * 1024
/** Descriptions that are cached, and for how long, so that the page and its button need one request. */
const CACHED_MAX = 100
const CACHED_MS_MAX = 600_000
const ID_USE = 'clients of agents'

/** The clients, as one process knows them. */
export class AgentClients {
  readonly #sql: Sql
  readonly #outbound: OutboundSettings
  #fetch: Promise<GuardedFetch> | undefined
  readonly #described = new LRUCache<string, AgentClient>({ max: CACHED_MAX, ttl: CACHED_MS_MAX })

  constructor(sql: Sql, outbound: OutboundSettings) {
    this.#sql = sql
    this.#outbound = outbound
  }

  /** Registers a client; undefined for a description that cannot be right. */
  async register(description: unknown): Promise<AgentClient | undefined> {
    const found = readDescription(description)
    if (!found) return undefined
    const secret = await readAddressSecret(this.#sql)
    const id = sealLink(secret, ID_USE, [found.name, ...found.redirectUrls])
    return id.length > CLIENT_ID_LENGTH_MAX ? undefined : { id, host: undefined, ...found }
  }

  /** The client of an id; undefined if there is none. Asks the host of an id that is an address. */
  async find(id: string): Promise<AgentClient | undefined> {
    if (id.length > CLIENT_ID_LENGTH_MAX) return undefined
    return /^https?:/.test(id) ? this.#findDescribed(id) : this.#findRegistered(id)
  }

  async #findRegistered(id: string): Promise<AgentClient | undefined> {
    const value = openLink(await readAddressSecret(this.#sql), ID_USE, id)
    if (value === undefined) return undefined
    const [name = '', ...redirectUrls] = value as string[]
    return { id, name, host: undefined, redirectUrls }
  }

  async #findDescribed(id: string): Promise<AgentClient | undefined> {
    const known = this.#described.get(id)
    if (known) return known
    if (id.length > REDIRECT_URL_LENGTH_MAX || !URL.canParse(id)) return undefined
    const { href, hash, pathname, hostname } = new URL(id)
    // Other spellings of an address would be other clients with the same description.
    if (href !== id || hash !== '' || pathname === '/') return undefined
    const description = await this.#ask(id)
    const found = readDescription(description)
    if (!found || (description as { readonly client_id?: unknown }).client_id !== id) return undefined
    const client = { id, host: hostname, ...found }
    this.#described.set(id, client)
    return client
  }

  /** Undefined for an address that may not be asked or does not answer; the reasons are as many as there are servers. */
  async #ask(url: string): Promise<unknown> {
    try {
      this.#fetch ??= openFetch(this.#outbound)
      const { status, body } = await (await this.#fetch).fetch(url, {
        headers: { accept: 'application/json' },
        isSecureOnly: true,
        totalMsMax: TOTAL_MS_MAX,
        firstByteMsMax: TOTAL_MS_MAX,
        bodyBytesMax: BODY_BYTES_MAX,
      })
      return status === 200 ? (JSON.parse(body.toString()) as unknown) : undefined
    } catch {
      return undefined
    }
  }
}

/** Loaded with the first description: most servers ask for none. */
async function openFetch(outbound: OutboundSettings): Promise<GuardedFetch> {
  const { GuardedFetch: Fetch } = await import('../../outbound/guarded-fetch.ts')
  return new Fetch(outbound)
}

/** Secrets of clients are nowhere: all are public, and prove by PKCE that a code is theirs. */
function readDescription(value: unknown): Pick<AgentClient, 'name' | 'redirectUrls'> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { client_name: name, redirect_uris: urls } = value as Readonly<Record<string, unknown>>
  if (!Array.isArray(urls) || urls.length === 0 || urls.length > REDIRECT_URLS_MAX) return undefined
  if (!urls.every(isRedirectUrl)) return undefined
  return { name: readClientName(name) ?? new URL(urls[0] as string).hostname, redirectUrls: urls }
}
