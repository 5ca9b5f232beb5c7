/** The page on which a person allows an agent to read, or also to write, in their name: the first step of its log-in. */

import { findCredentials } from '../../../db/accounts/second-factors.ts'
import { findFactorDeadline } from '../../api/door/factor-deadline.ts'
import { AGENT_POLICY } from '../../api/door/policies.ts'
import { isFresh, proveForKey } from '../../api/prove-caller.ts'
import type { Services } from '../../api/services.ts'
import { noteRefusal } from '../../api/door/note-refusal.ts'
import { allowAgent } from '../../changes/agents/agent-grants.ts'
import {
  type AgentClient,
  type AgentScope,
  hasRedirectUrl,
  isLoopback,
} from '../../domain/accounts/agent-grants.ts'
import type { FoundSession } from '../../domain/accounts/login-sessions.ts'
import { CODE_LENGTH_MAX } from '../../domain/accounts/second-factors.ts'
import { nowSeconds } from '../../domain/clock.ts'
import type { User } from '../../domain/entities.ts'
import { ApiError, fail } from '../../errors/api-error.ts'
import { ALLOW_AGENT_PATH } from '../agent-paths.ts'
import { html, htmlPage, NOTHING, redirectPage } from '../html.ts'
import type { Page } from '../reply.ts'
import { codeField, passwordField } from './account-fields.ts'
import { explainError } from './explain-error.ts'
import { button, field, hidden, hint, lead, type Problem, problem, radio } from './parts.ts'
import { CSRF_FIELD, LOG_IN_PATH, SECURITY_PATH } from './paths.ts'
import type { FormRequest, PageForPeople, ServeForm } from './serve-form.ts'

/** The parameters of a request, which the page's own address keeps. */
const PARAMETERS: readonly string[] = [
  'response_type',
  'client_id',
  'redirect_uri',
  'code_challenge',
  'code_challenge_method',
  'state',
  'scope',
  'resource',
]
/** A SHA-256 hash in base64url: PKCE by `S256`. */
const CHALLENGE = /^[\w-]{43}$/

export function isAllowAgentPath(path: string): boolean {
  return path === ALLOW_AGENT_PATH
}

/** An agent that asks to be let in, with the person who is asked. */
interface Asked {
  readonly request: FormRequest
  readonly services: Services
  readonly client: AgentClient
  readonly redirectUrl: string
  readonly session: FoundSession
  readonly user: User
}

/**
 * Shows the page to a person who is logged in, and handles its buttons. A program or an address that is not known gets no
 * redirect, so that nobody is led elsewhere by this server's name.
 */
export const serveAllowAgent: ServeForm = async (request, services) => {
  const { fields, exchange, texts } = request
  const { t } = texts
  const { agentClients, state, clock } = services
  if (!agentClients) throw fail('ENDPOINT_UNKNOWN')
  const session = exchange.cookies.findSession()
  if (!session) return redirectPage(`${LOG_IN_PATH}?next=${encodeURIComponent(addressOf(fields))}`)
  const client = await agentClients.find(fields.get('client_id') ?? '')
  const redirectUrl = fields.get('redirect_uri') ?? ''
  if (!client || !hasRedirectUrl(client, redirectUrl))
    return htmlPage(
      400,
      t('Allow an agent'),
      problem({ text: t('This link is not of an agent that this server knows. Connect the agent again.') }),
    )
  const user = state.getUser(session.userId)
  const deadline = findFactorDeadline(state, user, session)
  if (deadline !== undefined && nowSeconds(clock) >= deadline) return redirectPage(SECURITY_PATH)
  const asked = { request, services, client, redirectUrl, session, user }
  const wrong = findMistake(services, fields)
  if (wrong !== undefined) return answerMistake(asked, wrong)
  return request.method === 'POST' ? press(asked) : drawPage(asked, 200)
}

/** The page's own address, to come back to after a log-in. */
function addressOf(fields: ReadonlyMap<string, string>): string {
  const query = PARAMETERS.flatMap((name) => {
    const value = fields.get(name)
    return value === undefined ? [] : [[name, value]]
  })
  return `${ALLOW_AGENT_PATH}?${new URLSearchParams(query).toString()}`
}

/** The mistake of a request, in the words of OAuth. */
function findMistake({ publicUrl }: Services, fields: ReadonlyMap<string, string>): string | undefined {
  if (fields.get('response_type') !== 'code') return 'unsupported_response_type'
  if (fields.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(fields.get('code_challenge') ?? ''))
    return 'invalid_request'
  // Clients of before 2025-06 do not name it; there is no other one here.
  const resource = fields.get('resource')
  if (resource !== undefined && resource !== publicUrl + AGENT_POLICY.path) return 'invalid_target'
  return undefined
}

/**
 * Tells the client of its mistake. Anybody can register an address elsewhere and send people a link with a mistake, so
 * nobody is led to another host unasked (RFC 9700, 4.11.2); a program on the own computer may be waiting.
 */
function answerMistake(asked: Asked, error: string): PageForPeople {
  const { t } = asked.request.texts
  if (isLoopback(asked.redirectUrl)) return leadBack(asked, { error })
  const { host, protocol } = new URL(asked.redirectUrl)
  const back = t('Back to {host}', { host: host === '' ? protocol : host })
  return htmlPage(
    400,
    t('Allow an agent'),
    html`${problem({ text: t('The request of the agent is not valid. Connect the agent again.') })}
<p><a href="${addressBack(asked, { error })}">${back}</a></p>`,
  )
}

/** Leads the browser back to the client. */
function leadBack(asked: Asked, answer: Readonly<Record<string, string>>): Page {
  return redirectPage(addressBack(asked, answer))
}

/** The client's address with an answer, and with the issuer, so that the client can tell servers apart (RFC 9207). */
function addressBack(
  { request, services, redirectUrl }: Asked,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUrl)
  const state = request.fields.get('state')
  for (const [name, value] of Object.entries({
    ...answer,
    ...(state === undefined ? {} : { state }),
    iss: services.publicUrl,
  }))
    url.searchParams.set(name, value)
  return url.href
}

async function press(asked: Asked) {
  const { request, services, client, redirectUrl, session, user } = asked
  const { fields, exchange, texts } = request
  if (!exchange.cookies.checkToken(fields.get(CSRF_FIELD) ?? '')) throw fail('CSRF_TOKEN_WRONG')
  if (fields.get('decision') !== 'allow') return leadBack(asked, { error: 'access_denied' })
  try {
    const params = {
      password: fields.get('password'),
      otp_token: fields.get('code')?.slice(0, CODE_LENGTH_MAX),
    }
    await proveForKey(services, { user, exchange: { session }, params }, fail)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    exchange.claimed = user.id
    noteRefusal(services, exchange, error.errorName)
    const fieldId = error.errorName === 'OWN_CODE_WRONG' ? 'code' : 'password'
    return drawPage(asked, 403, { text: explainError(error, texts), fieldId })
  }
  const scope: AgentScope = fields.get('allowed') === 'messages' ? 'messages' : 'read'
  const challenge = fields.get('code_challenge') ?? ''
  const code = await allowAgent(services, user.id, { client, redirectUrl, challenge, scope })
  return leadBack(asked, { code })
}

async function drawPage(
  { request, services, client, redirectUrl, session, user }: Asked,
  status: number,
  wrong?: Problem,
) {
  const { exchange, texts } = request
  const { t } = texts
  const organization = services.state.organization?.name ?? ''
  const proof = isFresh(services, session) ? [] : await proofFields(services, user, texts, wrong)
  const { host } = new URL(redirectUrl)
  const content = html`${lead(html`<bdi>${user.fullName}</bdi> · ${user.email}`)}
<p>${t('{agent} asks to use {organization} in your name.', { agent: client.name, organization })}</p>
${hint(
  client.host === undefined
    ? t('This is the name that it gives itself; nobody has checked it.')
    : t('It is described at {host}.', { host: client.host }),
)}
${hint(
  isLoopback(redirectUrl)
    ? t('If you allow it, a program on this computer gets access.')
    : t('If you allow it, {host} gets access.', { host: host === '' ? new URL(redirectUrl).protocol : host }),
)}
${wrong && proof.length === 0 ? problem({ text: wrong.text }) : NOTHING}
<form method="post">
${hidden(CSRF_FIELD, exchange.cookies.formToken)}
${radio({
  name: 'allowed',
  value: 'read',
  label: t('Read only'),
  hint: t('It sees the messages, channels and people that you see.'),
  isOn: true,
})}
${radio({
  name: 'allowed',
  value: 'messages',
  label: t('Read and write'),
  hint: t(
    'It also sends messages, reacts and saves drafts in your name. Others see that an agent wrote them.',
  ),
  isOn: false,
})}
${proof}
${button(t('Allow'), { name: 'decision', value: 'allow' })}
${button(t('Do not allow'), { look: 'quiet', name: 'decision', value: 'deny', isUnchecked: true })}
</form>
${hint(t('Only allow an agent that you just connected yourself. You can end its access in the settings, under “Keys for programs”.'))}`
  return htmlPage(status, t('Allow an agent'), content, { formTarget: targetOf(redirectUrl) })
}

/** The password, with a code if there is an app: a key outlives the browser, which somebody may have found. */
async function proofFields(services: Services, user: User, texts: FormRequest['texts'], wrong?: Problem) {
  const { totp } = await findCredentials(services.sql, user.id)
  const fields = [passwordField(texts), ...(totp ? [codeField(texts)] : [])]
  return fields.map((one) =>
    field({
      ...one,
      problem: (one.id ?? one.name) === wrong?.fieldId ? wrong.text : undefined,
      isAlert: true,
    }),
  )
}

/** Browsers check by the page's policy where the answer to its form leads. A policy cannot name an address of IPv6. */
function targetOf(redirectUrl: string): string {
  const { origin, protocol, hostname } = new URL(redirectUrl)
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin
}
