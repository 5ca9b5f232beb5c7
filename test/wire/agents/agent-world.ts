/** The server, people and messages that the tests of agents share, and messages of the protocol. */

import { type Agent, postAgent } from '../../harness/client/agent.ts'
import type { Client, Fields } from '../../harness/client/client.ts'
import type { TestContext } from '../../harness/databases/create-database.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

/** Requests of one user in a minute. */
const LIMIT = 60

export type AgentWorld = Awaited<ReturnType<typeof startAgentWorld>>

export async function startAgentWorld(t: TestContext) {
  const clock = new ManualClock()
  const server = await startTestServer(t, { clock, env: { RATE_LIMIT_USER_PER_MINUTE: String(LIMIT) } })
  const { url } = server.node
  const owner = server.as('owner')
  const member = server.as('member')
  await owner.subscribe(['general', 'other'], { principals: [1, 4, 6, 7] })
  await owner.subscribe(['hidden'], { principals: [1], invite_only: true })
  const idOf = async (stream: string) => (await owner.must('GET', '/get_stream_id', { stream })).stream_id
  const [GENERAL, HIDDEN] = [await idOf('general'), await idOf('hidden')] as const
  const HELLO = await owner.send('general', 'greetings', 'Hello **world** from the owner')
  const ANSWER = await member.send('general', 'greetings', 'An answer about apples')
  await owner.send('general', 'fruit', 'Some pears')
  const SECRET = await owner.send('hidden', 'plans', 'The secret is apples')
  const DIRECT = await owner.sendDirect([member.userId], 'Between us: apples')
  return {
    clock,
    server,
    url,
    owner,
    member,
    guest: server.as('guest'),
    bot: server.as('bot'),
    GENERAL,
    HIDDEN,
    HELLO,
    ANSWER,
    SECRET,
    DIRECT,
    makeKey: async (holder: Client, scope: string, more: Fields = {}): Promise<string> =>
      (await holder.must('POST', '/users/me/keys', { name: 'Agent', scope, ...more })).api_key,
    /** A request with the key of the member. */
    post: (body: unknown, headers: Record<string, string> = {}) => postAgent(url, member.key, body, headers),
  }
}

export const namesOf = async (agent: Agent) => (await agent.listTools()).tools.map(({ name }) => name)
/** The tools that read. */
export const READING = ['search_messages', 'read_conversation', 'list_channels', 'list_topics', 'list_people']

/** The `_meta` of a request by the version of 2026-07-28. */
export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
export const modern = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { ...params, _meta: META },
})
/** The headers that such a request has, too. */
export const heads = (method: string, name?: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name === undefined ? {} : { 'mcp-name': name }),
})
/** A request by an earlier version. */
export const earlier = (method: string, params: object = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})
