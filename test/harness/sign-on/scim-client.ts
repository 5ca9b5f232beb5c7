/** A provider of identities that writes accounts and groups by SCIM. */

import { pollUntil } from '../../services/poll-until.ts'
import { runHere } from '../../admin/run-here.ts'
import type { TestServer } from '../servers/start-server.ts'

/** The body of an answer: a resource, a list or an error. */
export interface ScimBody {
  readonly id: string
  readonly detail?: string
  readonly scimType?: string
  readonly totalResults?: number
  readonly Resources?: readonly ScimBody[]
  readonly meta: { readonly location: string; readonly version: string; readonly [name: string]: unknown }
  readonly [name: string]: unknown
}

/** An answer; the body is empty without one. */
export interface ScimAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: ScimBody
}

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** A provider with a token; its paths begin with a slash. */
export class ScimClient {
  readonly base: string
  token: string

  constructor(base: string, token: string) {
    this.base = base
    this.token = token
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ScimAnswer> {
    const answer = await fetch(`${this.base}${path}`, {
      method,
      headers: {
        ...(this.token === '' ? {} : { authorization: `Bearer ${this.token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text === '' ? {} : JSON.parse(text) }
  }

  /** A list by a filter. */
  list(path: string, filter: string, more: Readonly<Record<string, string>> = {}): Promise<ScimAnswer> {
    return this.send('GET', `${path}?${new URLSearchParams({ filter, ...more }).toString()}`)
  }

  patch(path: string, ...operations: readonly object[]): Promise<ScimAnswer> {
    return this.send('PATCH', path, { schemas: [PATCH_SCHEMA], Operations: operations })
  }
}

/** Makes a token, as an operator does. */
export async function startScim({ databaseUrl, node }: TestServer): Promise<ScimClient> {
  const { stdout, stderr } = await runHere({ DATABASE_URL: databaseUrl }, ['scim', 'token'])
  if (stdout === '') throw new Error(stderr)
  const { token } = JSON.parse(stdout) as { readonly token: string }
  const client = new ScimClient(`${node.url}/scim/v2`, token)
  // The node hears of it a moment later.
  await pollUntil(
    'the node does not hear of the token',
    async () => (await client.send('GET', '/Users?count=0')).status === 200,
  )
  return client
}
