/**
 * The log-in of agents for their programs: OAuth 2.1 for public clients, as the Model Context Protocol of 2026-07-28 asks.
 * Metadata (RFC 8414, RFC 9728), registration (RFC 7591), tokens (RFC 6749 with PKCE, RFC 7636), revocation (RFC 7009). The
 * page for the person is in `forms/allow-agent.ts`. Loaded with the first request.
 */

import { isUtf8 } from 'node:buffer'
import { AGENT_POLICY } from '../api/door/policies.ts'
import { parseJson } from '../api/parse-json.ts'
import type { Services } from '../api/services.ts'
import type { AgentClients } from '../changes/agents/agent-clients.ts'
import {
  type AgentTokens,
  GrantInvalidError,
  redeemCode,
  refreshTokens,
  revokeToken,
} from '../changes/agents/agent-grants.ts'
import { AGENT_SCOPES, TOKEN_SECONDS } from '../domain/accounts/agent-grants.ts'
import { fail } from '../errors/api-error.ts'
import {
  AGENT_LOG_IN_PATHS,
  ALLOW_AGENT_PATH,
  REGISTER_PATH,
  REVOKE_PATH,
  SERVER_PATH,
  TOKEN_PATH,
} from './agent-paths.ts'
import { decodeForm } from './decode-form.ts'
import type { Page } from './reply.ts'

/** A request of a program. */
interface ProgramRequest {
  readonly method: string
  readonly path: string
  readonly body: Buffer
}

/** An error in the words of OAuth. */
class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: string

  constructor(code: string, description: string) {
    super(description)
    this.code = code
  }
}

type Fields = ReadonlyMap<string, string>

/** Answers a request at one of the paths. */
export async function answerProgram(request: ProgramRequest, services: Services): Promise<Page> {
  const { agentClients } = services
  const { method, path, body } = request
  if (!agentClients) throw fail('ENDPOINT_UNKNOWN')
  const allowed = AGENT_LOG_IN_PATHS.get(path) ?? []
  if (!allowed.includes(method)) throw fail('METHOD_NOT_ALLOWED', { allowed: [...allowed] })
  try {
    switch (path) {
      case SERVER_PATH:
        return json(200, describeServer(services), CACHED)
      case REGISTER_PATH:
        return json(201, await register(agentClients, body))
      case TOKEN_PATH:
        return json(200, viewTokens(await answerToken(services, readFields(body))))
      case REVOKE_PATH:
        await revoke(services, readFields(body))
        return json(200, {})
      default:
        return json(200, describeResource(services), CACHED)
    }
  } catch (error) {
    if (error instanceof OAuthError) return json(400, { error: error.code, error_description: error.message })
    if (error instanceof GrantInvalidError)
      return json(400, { error: 'invalid_grant', error_description: 'It is not valid, or no longer' })
    throw error
  }
}

/** The description of the address of agents. */
function describeResource({ publicUrl, state }: Services) {
  return {
    resource: publicUrl + AGENT_POLICY.path,
    authorization_servers: [publicUrl],
    scopes_supported: AGENT_SCOPES,
    bearer_methods_supported: ['header'],
    ...(state.organization ? { resource_name: state.organization.name } : {}),
  }
}

function describeServer({ publicUrl }: Services) {
  return {
    issuer: publicUrl,
    authorization_endpoint: publicUrl + ALLOW_AGENT_PATH,
    token_endpoint: publicUrl + TOKEN_PATH,
    registration_endpoint: publicUrl + REGISTER_PATH,
    revocation_endpoint: publicUrl + REVOKE_PATH,
    scopes_supported: AGENT_SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
  }
}

async function register(clients: AgentClients, body: Buffer) {
  const client = await clients.register(readJson(body))
  if (!client)
    throw new OAuthError(
      'invalid_redirect_uri',
      'redirect_uris must be some addresses with https, or with http on the own computer',
    )
  return {
    client_id: client.id,
    client_name: client.name,
    redirect_uris: client.redirectUrls,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}

function answerToken(services: Services, fields: Fields): Promise<AgentTokens> {
  checkResource(services, fields)
  const clientId = need(fields, 'client_id')
  switch (need(fields, 'grant_type')) {
    case 'authorization_code': {
      const verifier = need(fields, 'code_verifier')
      if (!/^[\w.~-]{43,128}$/.test(verifier))
        throw new OAuthError('invalid_request', 'code_verifier is wrong')
      const redirectUrl = need(fields, 'redirect_uri')
      return redeemCode(services, { code: need(fields, 'code'), clientId, redirectUrl, verifier })
    }
    case 'refresh_token':
      return refreshTokens(services, { refreshToken: need(fields, 'refresh_token'), clientId })
    default:
      throw new OAuthError('unsupported_grant_type', 'Only authorization_code and refresh_token are known')
  }
}

/** Tokens are for one address: a client that means another one was led astray (RFC 8707). */
function checkResource({ publicUrl }: Services, fields: Fields): void {
  const resource = fields.get('resource')
  if (resource !== undefined && resource !== publicUrl + AGENT_POLICY.path)
    throw new OAuthError('invalid_target', 'The tokens of this server are for its own address of agents')
}

function viewTokens({ accessToken, refreshToken, scope }: AgentTokens) {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: TOKEN_SECONDS,
    refresh_token: refreshToken,
    scope,
  }
}

/** Succeeds for unknown tokens, too: they open nothing, which is what the client wants. */
function revoke(services: Services, fields: Fields): Promise<void> {
  return revokeToken(services, { token: need(fields, 'token'), clientId: fields.get('client_id') ?? '' })
}

function need(fields: Fields, name: string): string {
  const value = fields.get(name) ?? ''
  if (value === '') throw new OAuthError('invalid_request', `${name} is missing`)
  return value
}

function readFields(body: Buffer): Fields {
  const fields = new Map<string, string>()
  decodeForm(body, fields)
  return fields
}

function readJson(body: Buffer): unknown {
  try {
    if (!isUtf8(body)) throw new SyntaxError('not UTF-8')
    return parseJson(body.toString())
  } catch {
    throw new OAuthError('invalid_client_metadata', 'The body is not valid JSON')
  }
}

/** The descriptions change with the server's address only. */
const CACHED = { 'Cache-Control': 'public, max-age=300' }

function json(
  status: number,
  value: object,
  headers: Page['headers'] = { 'Cache-Control': 'no-store' },
): Page {
  return { status, contentType: 'application/json', body: JSON.stringify(value), headers }
}
