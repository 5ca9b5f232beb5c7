/**
 * The Model Context Protocol without sessions: any process answers any request. The version of 2026-07-28 has all that it
 * needs in each request (`_meta`, and headers that repeat it for proxies). Earlier clients `initialize` first; since
 * nothing follows from that, nothing is stored for it.
 */

import {
  BATCH_LENGTH_MAX,
  CODES,
  EARLIER_VERSIONS,
  hasBatches,
  isObject,
  type JsonObject,
  MessageError,
  META,
  MODERN_VERSION,
  NEWEST_EARLIER_VERSION,
} from './versions.ts'

/** The headers that repeat parts of a message; empty if absent. */
export interface AgentHead {
  readonly version: string
  readonly method: string
  readonly name: string
}

/** The server as an agent finds it. */
export interface AgentServer {
  readonly info: JsonObject
  readonly instructions: string
  /** The tools, in their form for clients. */
  listTools(): readonly object[]
  /** The result of a tool; undefined for an unknown one. `program` is what the client says of itself. */
  callTool(name: string, args: JsonObject, program: unknown): Promise<object | undefined>
}

/** A status, and a body if there is one. */
export interface AgentAnswer {
  readonly status: number
  readonly body?: object
}

interface Message {
  readonly id: string | number
  readonly method: string
  readonly params: JsonObject
}

/** For how long clients may use a list of tools: it changes with a release, and with the key. */
const CACHE = { ttlMs: 300_000, cacheScope: 'private' }
const CAPABILITIES = { tools: {} }
const ACCEPTED: AgentAnswer = { status: 202 }

/** Answers a body. Never throws or rejects, except for a fault of this server. */
export async function answerAgent(body: unknown, head: AgentHead, server: AgentServer): Promise<AgentAnswer> {
  try {
    if (Array.isArray(body)) return await answerBatch(body, head, server)
    const message = readMessage(body)
    return message ? await answerOne(message, head, server) : ACCEPTED
  } catch (error) {
    if (!(error instanceof MessageError)) throw error
    return { status: error.status, body: errorOf(idOf(body), error) }
  }
}

/** An error about a body that is no message. */
export function answerUnreadable(error: MessageError): AgentAnswer {
  return { status: error.status, body: errorOf(null, error) }
}

async function answerBatch(
  body: readonly unknown[],
  head: AgentHead,
  server: AgentServer,
): Promise<AgentAnswer> {
  if (!hasBatches(head.version))
    throw new MessageError(CODES.request, `Version ${head.version} has no batches`)
  if (body.length === 0) throw new MessageError(CODES.request, 'The batch is empty')
  if (body.length > BATCH_LENGTH_MAX)
    throw new MessageError(CODES.request, `The batch is too long (maximum ${BATCH_LENGTH_MAX} messages)`)
  const answers: object[] = []
  // One after the other: they cost others no more than separate requests.
  for (const one of body) {
    try {
      const message = readMessage(one)
      if (!message) continue
      if (message.method === 'initialize' || claimOf(message) !== undefined)
        throw new MessageError(CODES.request, 'This message cannot be part of a batch')
      answers.push((await answerOne(message, head, server)).body as object)
    } catch (error) {
      if (!(error instanceof MessageError)) throw error
      answers.push(errorOf(idOf(one), error))
    }
  }
  return answers.length === 0 ? ACCEPTED : { status: 200, body: answers }
}

/** A request; undefined for a notification, and for an answer, which nobody waits for here. */
function readMessage(body: unknown): Message | undefined {
  if (!isObject(body) || body.jsonrpc !== '2.0')
    throw new MessageError(CODES.request, 'The body is not a message of JSON-RPC 2.0')
  const { id, method, params = {} } = body
  if (method === undefined && (isObject(body.error) || 'result' in body)) return undefined
  if (typeof method !== 'string') throw new MessageError(CODES.request, 'The message has no method')
  if (!isObject(params)) throw new MessageError(CODES.request, 'params is not an object')
  if (id === undefined) return undefined
  if (!isId(id)) throw new MessageError(CODES.request, 'id is neither a string nor an integer')
  return { id, method, params }
}

function isId(id: unknown): id is string | number {
  return typeof id === 'string' || Number.isSafeInteger(id)
}

function idOf(body: unknown): string | number | null {
  return isObject(body) && isId(body.id) ? body.id : null
}

/** The `_meta` of a message that claims the version of 2026-07-28, or another that has it. */
function claimOf({ params: { _meta: meta } }: Message): JsonObject | undefined {
  return isObject(meta) && META.version in meta ? meta : undefined
}

async function answerOne(message: Message, head: AgentHead, server: AgentServer): Promise<AgentAnswer> {
  const claim = claimOf(message)
  if (!claim) return answerEarlier(message, head, server)
  checkClaim(message, claim, head)
  const result = await resultOf(message, server, { program: claim[META.client] })
  if (!result) throw new MessageError(CODES.method, `Method not found: ${message.method}`, { status: 404 })
  return succeed(message, {
    ...result,
    ...(message.method === 'tools/call' ? {} : CACHE),
    resultType: 'complete',
    _meta: { [META.server]: server.info },
  })
}

/** Refuses headers that differ from the message: proxies decide by the headers. */
function checkClaim({ method, params }: Message, claim: JsonObject, head: AgentHead): void {
  const version = claim[META.version]
  if (typeof version !== 'string' || !isObject(claim[META.capabilities]))
    throw new MessageError(CODES.params, `_meta needs ${META.version} and ${META.capabilities}`)
  if (head.version !== version) throw mismatch('MCP-Protocol-Version', version)
  if (version !== MODERN_VERSION)
    throw new MessageError(CODES.version, `Unsupported protocol version: ${version}`, {
      data: { supported: [MODERN_VERSION], requested: version },
    })
  if (head.method !== method) throw mismatch('Mcp-Method', method)
  const { name } = params
  if (method === 'tools/call' && typeof name === 'string' && decodeHeader(head.name) !== name)
    throw mismatch('Mcp-Name', name)
}

function mismatch(header: string, inBody: string): MessageError {
  return new MessageError(CODES.header, `The header ${header} is not what the body has: ${inBody}`)
}

/** A header may have its text in Base64, between marks. */
function decodeHeader(value: string): string {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value)?.[1]
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString()
}

async function answerEarlier(message: Message, head: AgentHead, server: AgentServer): Promise<AgentAnswer> {
  const { method, params } = message
  if (head.version === MODERN_VERSION)
    throw method === 'initialize'
      ? mismatch('MCP-Protocol-Version', method)
      : new MessageError(CODES.params, `Version ${MODERN_VERSION} needs ${META.version} in _meta`)
  if (head.version !== '' && !EARLIER_VERSIONS.includes(head.version))
    throw new MessageError(CODES.version, `Unsupported protocol version: ${head.version}`, {
      data: { supported: [MODERN_VERSION, ...EARLIER_VERSIONS], requested: head.version },
    })
  if (method === 'ping') return succeed(message, {})
  if (method === 'initialize') return succeed(message, begin(params, server))
  const result = method === 'server/discover' ? undefined : await resultOf(message, server, {})
  if (!result) throw new MessageError(CODES.method, `Method not found: ${method}`, { status: 200 })
  return succeed(message, result)
}

/** The version that the client asks for, if it is known. */
function begin({ protocolVersion: asked }: JsonObject, { info, instructions }: AgentServer): object {
  const isKnown = typeof asked === 'string' && EARLIER_VERSIONS.includes(asked)
  return {
    protocolVersion: isKnown ? asked : NEWEST_EARLIER_VERSION,
    capabilities: CAPABILITIES,
    serverInfo: info,
    instructions,
  }
}

/** The result of a method that all versions have, or the modern one; undefined for an unknown one. */
async function resultOf(
  { method, params }: Message,
  server: AgentServer,
  { program }: { readonly program?: unknown },
): Promise<object | undefined> {
  switch (method) {
    case 'server/discover':
      return {
        supportedVersions: [MODERN_VERSION],
        capabilities: CAPABILITIES,
        instructions: server.instructions,
      }
    case 'tools/list':
      if (params.cursor !== undefined) throw inBand('Invalid cursor')
      return { tools: server.listTools() }
    case 'tools/call': {
      const { name, arguments: args = {} } = params
      if (typeof name !== 'string') throw inBand('name is not a string')
      if (!isObject(args)) throw inBand('arguments is not an object')
      const result = await server.callTool(name, args, program)
      if (!result) throw inBand(`Unknown tool: ${name}`)
      return result
    }
    default:
      return undefined
  }
}

/** An error of a method that is known: the answer is a success of HTTP. */
function inBand(message: string): MessageError {
  return new MessageError(CODES.params, message, { status: 200 })
}

function succeed({ id }: Message, result: object): AgentAnswer {
  return { status: 200, body: { jsonrpc: '2.0', id, result } }
}

function errorOf(id: string | number | null, { code, message, data }: MessageError): object {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data ? { data } : {}) } }
}
