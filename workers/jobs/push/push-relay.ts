/**
 * The push relay forwards notifications to the push services of phones. The server sends it JSON over HTTPS with its
 * own credentials. The time and size of an answer are bounded.
 */

import type { PhoneAnswer } from '../../../db/personal/phones.ts'
import type { PushRelaySettings } from '../../../server/domain/settings/push-relay.ts'
import { COMPATIBLE_VERSION } from '../../../server/views/names.ts'

/** Milliseconds for one answer: shorter than a request waits for a test. */
const ANSWER_MS_MAX = 8_000
/** Bytes of an answer: at most a list of token ids. */
const ANSWER_LENGTH_MAX = 65_536
/** The relay's codes for an unknown organization. */
const UNREGISTERED_CODES: readonly unknown[] = ['MISSING_REMOTE_REALM', 'REMOTE_REALM_SERVER_MISMATCH_ERROR']

/** The result of a call to the relay. */
export type RelayAnswer =
  | { readonly kind: 'done'; readonly body: Readonly<Record<string, unknown>> }
  /** It does not serve this server or organization: an administrator must fix that. */
  | { readonly kind: 'refused' }
  /** The request is invalid, and a retry would be, too. */
  | { readonly kind: 'invalid'; readonly code: string }
  | { readonly kind: 'unreachable' }
  /** It failed, or sent an invalid answer. */
  | { readonly kind: 'failed' }

/** The answer as people see it in the list of their phones: `200`, or a word. */
export function phoneAnswerOf(answer: RelayAnswer): PhoneAnswer {
  const words = { done: '200', refused: 'refused', unreachable: 'no answer', failed: 'failed' } as const
  return {
    isTaken: answer.kind === 'done',
    answer: answer.kind === 'invalid' ? answer.code : words[answer.kind],
  }
}

/** Calls the relay; `path` is below `/api/v1/remotes/push/`. Never throws: a failure is an answer. */
export function callRelay(
  relay: PushRelaySettings,
  path: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<RelayAnswer> {
  return post(relay, `push/${path}`, { type: 'application/json', body: JSON.stringify(fields) })
}

/** Tells the relay of an organization, without figures of its use. */
export function announceToRelay(
  relay: PushRelaySettings,
  organization: Readonly<Record<string, unknown>>,
): Promise<RelayAnswer> {
  return announce(relay, { realms: [organization] })
}

/**
 * Asks the relay whether it takes the credentials. An announcement without a list of organizations changes nothing there;
 * an empty list would say that they are gone.
 */
export function askRelay(relay: PushRelaySettings): Promise<RelayAnswer> {
  return announce(relay, {})
}

function announce(relay: PushRelaySettings, organizations: { readonly realms?: readonly object[] }) {
  // A form whose values are JSON.
  const fields = {
    realm_counts: [],
    installation_counts: [],
    ...organizations,
    version: COMPATIBLE_VERSION,
  }
  const form = Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)])
  const body = new URLSearchParams(form).toString()
  return post(relay, 'server/analytics', { type: 'application/x-www-form-urlencoded', body })
}

async function post(
  { url, id, key }: PushRelaySettings,
  path: string,
  { type, body: sent }: { readonly type: string; readonly body: string },
): Promise<RelayAnswer> {
  let status: number
  let text: string | undefined
  try {
    const response = await fetch(`${url}/api/v1/remotes/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${key}`).toString('base64')}`,
        'content-type': type,
      },
      body: sent,
      redirect: 'manual', // Credentials go only to the configured address.
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    })
    status = response.status
    text = await readText(response)
  } catch {
    return { kind: 'unreachable' }
  }
  if (status >= 500 || status === 429) return { kind: 'failed' }
  if ([401, 402, 403, 404, 405].includes(status) || (status >= 300 && status < 400))
    return { kind: 'refused' }
  const body = parseObject(text)
  if (status === 200) return body?.['result'] === 'success' ? { kind: 'done', body } : { kind: 'failed' }
  if (UNREGISTERED_CODES.includes(body?.['code'])) return { kind: 'refused' }
  return { kind: 'invalid', code: codeOf(body?.['code']) }
}

/** The text of an answer; undefined if it is too long. */
async function readText(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > ANSWER_LENGTH_MAX) return undefined // Leaving the loop ends the connection.
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parseObject(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** A code that clients may get: the relay's, if it is one. */
function codeOf(code: unknown): string {
  return typeof code === 'string' && /^[A-Z][A-Z_]{0,99}$/.test(code) ? code : 'BAD_REQUEST'
}
