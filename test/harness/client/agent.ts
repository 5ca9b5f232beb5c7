/** Agents in tests: the official client of the Model Context Protocol, and single requests. */

import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { TestContext } from '../databases/create-database.ts'

/** `modern` asks by the version of 2026-07-28 alone; `earlier` begins with `initialize`; `auto` tries one, then the other. */
export type Mode = 'modern' | 'auto' | 'earlier'
const NEGOTIATIONS = {
  modern: { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  auto: { versionNegotiation: { mode: 'auto' } },
  earlier: {},
} as const

/** Milliseconds that a request may take: the library's minute may be short on a machine that is busy with other tests. */
const TIMEOUT = { timeout: 600_000 }

/** A connected client; closed with the test. */
export async function connectAgent(t: TestContext, url: string, key: string, mode: Mode = 'auto') {
  const agent = new McpClient({ name: 'test-agent', version: '1.0' }, NEGOTIATIONS[mode])
  const headers = { authorization: `Bearer ${key}` }
  await agent.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }),
    TIMEOUT,
  )
  t.teardown(() => agent.close())
  return agent
}
export type Agent = Awaited<ReturnType<typeof connectAgent>>

/** The result of a tool: its text, and the JSON in it if it succeeded. */
export async function callTool(agent: Agent, name: string, args: Record<string, unknown> = {}) {
  const { content, isError = false } = await agent.callTool({ name, arguments: args }, TIMEOUT)
  const [first] = content as readonly { readonly type: string; readonly text: string }[]
  const text = first?.text ?? ''
  return { isError, text, value: (isError ? {} : JSON.parse(text.slice(text.indexOf('{"')))) as object }
}

/** Sends a body as it is. */
export async function postAgent(
  url: string,
  key: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await fetch(new URL('/mcp', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : (JSON.parse(text) as object),
  }
}
