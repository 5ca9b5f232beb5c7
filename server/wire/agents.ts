/** `POST /mcp`: agents, by the Model Context Protocol. Loaded with the first request of one. */

import { isUtf8 } from 'node:buffer'
import type { AdmitContext, ApiResponse } from '../api/admit.ts'
import { AgentCaller } from '../api/agents/agent-caller.ts'
import { serveAgent } from '../api/agents/agent-server.ts'
import { type AgentAnswer, answerAgent, answerUnreadable } from '../api/agents/answer-agent.ts'
import { CODES, MessageError } from '../api/agents/versions.ts'
import type { Exchange } from '../api/door/exchange.ts'
import { parseJson } from '../api/parse-json.ts'
import type { WireRequest } from './request.ts'

const JSON_TYPE = /^application\/json\s*(?:;|$)/i

/** Answers the body of a request that has entered. */
export async function answerAgentRequest(
  body: Buffer,
  request: WireRequest,
  exchange: Exchange,
  context: AdmitContext,
): Promise<ApiResponse> {
  const answer = await answerBody(body, request, exchange, context)
  exchange.countLater() // Messages that ran no operation.
  return {
    status: answer.status,
    body: answer.body === undefined ? '' : JSON.stringify(answer.body),
    rate: exchange.limits.rate,
  }
}

async function answerBody(
  body: Buffer,
  request: WireRequest,
  exchange: Exchange,
  context: AdmitContext,
): Promise<AgentAnswer> {
  // A page of another site could send other types without asking first.
  if (body.length > 0 && !JSON_TYPE.test(request.contentType))
    return answerUnreadable(
      new MessageError(CODES.request, 'Content-Type must be application/json', { status: 415 }),
    )
  let message: unknown
  try {
    if (!isUtf8(body)) throw new SyntaxError('not UTF-8')
    message = parseJson(body.toString())
  } catch {
    return answerUnreadable(new MessageError(CODES.parse, 'The body is not valid JSON'))
  }
  const caller = new AgentCaller(request, exchange, context)
  return answerAgent(message, request.agentHead, serveAgent(caller, context.services.state, context))
}
