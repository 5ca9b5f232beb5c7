/** Runs operations for an agent: each enters by the door, as a request of its own would. */

import { type AgentMark, PROGRAM_LENGTH_MAX } from '../../domain/accounts/agent-mark.ts'
import type { FoundNamedKey } from '../../domain/accounts/named-keys.ts'
import type { User } from '../../domain/entities.ts'
import { type ApiError, fail } from '../../errors/api-error.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { PiecedText, joinPieces } from '../../views/json-pieces.ts'
import { admit, type AdmitContext, answer, type ApiRequest, clientName, findOperation } from '../admit.ts'
import type { Exchange } from '../door/exchange.ts'
import { opens } from '../door/key-scopes.ts'
import type { Method } from '../operation.ts'
import { toApiError } from '../to-api-error.ts'
import { isObject, type JsonObject } from './versions.ts'

/** The `client` of messages that agents send. */
export const AGENT_CLIENT = 'MCP'

/** An operation as the table has it: the method, and the path with the names of its variables. */
export type OperationName = `${Method} /${string}`

/** An operation that did not succeed, in words for the agent. */
export class RefusedCall extends Error {
  override readonly name = 'RefusedCall'
}

/** An agent with a person's or a bot's key. */
export class AgentCaller {
  readonly user: User
  readonly key: FoundNamedKey | undefined
  #program: string
  readonly #request: ApiRequest
  readonly #exchange: Exchange
  readonly #context: AdmitContext

  /** The exchange has been entered. */
  constructor(request: ApiRequest, exchange: Exchange, context: AdmitContext) {
    if (!exchange.user) throw new Error('nobody has entered')
    this.user = exchange.user
    this.key = exchange.key
    this.#program = clientName(request.userAgent)
    this.#request = { ...plain(request), userAgent: AGENT_CLIENT }
    this.#exchange = exchange
    this.#context = context
  }

  /** The organization, for tools that choose entries before they ask an operation for them. */
  get state(): OrganizationState {
    return this.#context.services.state
  }

  /** Notes the name that a program gives itself; without one its User-Agent has one. */
  nameProgram(info: unknown): void {
    if (!isObject(info) || typeof info.name !== 'string') return
    const name = info.name.slice(0, PROGRAM_LENGTH_MAX).toWellFormed().replaceAll(/\p{C}/gu, '').trim()
    if (name !== '') this.#program = name
  }

  /**
   * Whether the key opens an operation. The API key of a person says nothing of writing, and is what people paste
   * everywhere: agents only read with it. A bot is a program, and so is all that has its key.
   */
  opens(name: OperationName, isWrite: boolean): boolean {
    const [method = '', path = ''] = name.split(' ')
    if (this.key) return opens(this.key, { method, path, access: 'user' })
    return !isWrite || this.user.botType !== null
  }

  /**
   * The reply of an operation at a path; fields that are not text travel as JSON. Throws a `RefusedCall` with the
   * operation's message.
   */
  call(method: Method, path: string, given: Readonly<Record<string, unknown>> = {}): Promise<JsonObject> {
    return this.#run(method, path, given, undefined)
  }

  /** The same for an operation that writes: what it writes is marked as that of an agent. */
  write(method: Method, path: string, given: Readonly<Record<string, unknown>>): Promise<JsonObject> {
    return this.#run(method, path, given, { keyId: this.key?.id ?? null, program: this.#program })
  }

  async #run(
    method: Method,
    path: string,
    given: Readonly<Record<string, unknown>>,
    agent: AgentMark | undefined,
  ): Promise<JsonObject> {
    const fields = new Map<string, string>()
    for (const [name, value] of Object.entries(given))
      if (value !== undefined) fields.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    const { status, body } = await this.#answer({ ...this.#request, method, agent }, path, fields)
    const reply = JSON.parse(body) as JsonObject
    if (status !== 200) throw new RefusedCall(String(reply.msg))
    return reply
  }

  async #answer(request: ApiRequest, path: string, fields: ReadonlyMap<string, string>) {
    const context = this.#context
    try {
      const admission = findOperation(request, path, this.#exchange, context)
      admit(admission, context)
      const response = await answer(request, admission, { fields }, context)
      if ('held' in response) throw new Error(`${path} waits`)
      return { status: response.status, body: textOf(response.body) }
    } catch (error) {
      const { status, body } = this.#toError(error)
      return { status, body: JSON.stringify(body) }
    }
  }

  #toError(error: unknown): ApiError {
    return toApiError(error, this.#context, this.#request.requestId)
  }
}

/** The refusal of a key that does not open a tool. */
export function refuseKey({ key, user }: AgentCaller): RefusedCall {
  if (key || user.botType !== null) return new RefusedCall(fail('KEY_SCOPE_EXCEEDED').message)
  return new RefusedCall(
    'With the API key of a person an agent only reads. A key for a program that may send messages opens this tool: ' +
      'its person makes one in the settings, under "Keys for programs".',
  )
}

/** The parts of a request that operations read: a request of the wire has more, as getters. */
function plain({ method, authorization, requestId, userAgent, signal }: ApiRequest): ApiRequest {
  return { method, authorization, requestId, userAgent, signal }
}

function textOf(body: string | Uint8Array | PiecedText): string {
  if (typeof body === 'string') return body
  const whole = body instanceof PiecedText ? joinPieces(body.pieces) : body
  return typeof whole === 'string' ? whole : Buffer.from(whole).toString()
}
