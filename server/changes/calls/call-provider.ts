/**
 * The provider of video calls: OAuth 2.0 by authorization codes (RFC 6749), and one call of its API. The server reads
 * answers up to a limit of bytes and of time, and follows no redirect.
 */

import type { CallProviderSettings } from '../../domain/organization/call-provider.ts'

/** Milliseconds for one answer: the user waits with a button on the screen. */
const ANSWER_MS_MAX = 10_000
/** Bytes of an answer: answers have some KiB. */
const ANSWER_BYTES_MAX = 64 * 1024
/** Characters of a token or an address: some providers use long ones. */
const TOKEN_LENGTH_MAX = 8 * 1024
const URL_LENGTH_MAX = 2_048
/** The longest lifetime of a token: the server renews it then, even if the provider allows more. */
const TOKEN_SECONDS_MAX = 366 * 24 * 3600

/** The tokens of a grant. */
export interface Grant {
  readonly accessToken: string
  readonly refreshToken: string | null
  /** Null if the provider does not state it. */
  readonly secondsLeft: number | null
}

/** Thrown if the provider rejects a code or a refresh token as invalid. */
export class GrantRefusedError extends Error {
  override readonly name = 'GrantRefusedError'
}

/** Thrown if the provider cannot be reached, or its answer is wrong. Contains no secret. */
export class ProviderFailureError extends Error {
  override readonly name = 'ProviderFailureError'
}

/** The provider's answer to a request for a call. */
export type MadeCall =
  | { readonly kind: 'made'; readonly url: string }
  | { readonly kind: 'unauthorized' }
  | { readonly kind: 'unknown_user' }

/** Errors of this server's own credentials, not of a user's grant. */
const OWN_FAULTS: ReadonlySet<unknown> = new Set([
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
])

type Json = Readonly<Record<string, unknown>>

/** The address at which a user allows calls in their name; the provider sends them back with the state. */
export function authorizationUrl(
  { url, clientId }: CallProviderSettings,
  state: string,
  redirectUrl: string,
): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUrl,
    state,
  })
  return `${url}/oauth/authorize?${query.toString()}`
}

/** Exchanges a code for a grant. */
export async function exchangeCode(
  settings: CallProviderSettings,
  code: string,
  redirectUrl: string,
): Promise<Grant> {
  return requestGrant(settings, { grant_type: 'authorization_code', code, redirect_uri: redirectUrl })
}

/** Exchanges a refresh token for a new grant; providers may make the old refresh token invalid. */
export async function refreshGrant(settings: CallProviderSettings, refreshToken: string): Promise<Grant> {
  const grant = await requestGrant(settings, { grant_type: 'refresh_token', refresh_token: refreshToken })
  return { ...grant, refreshToken: grant.refreshToken ?? refreshToken }
}

/** Makes a call; answers the address with which anybody can join it. */
export async function makeCall(
  { apiUrl }: CallProviderSettings,
  accessToken: string,
  isVideo: boolean,
): Promise<MadeCall> {
  const { status, body } = await post(`${apiUrl}/v2/users/me/meetings`, {
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      settings: { host_video: isVideo, participant_video: isVideo },
      // The address holds the password, so people need only the address.
      default_password: true,
    }),
  })
  if (status === 401) return { kind: 'unauthorized' }
  if (status === 404) return { kind: 'unknown_user' }
  if (status < 200 || status > 299) throw new ProviderFailureError(`the call was answered with ${status}`)
  const { join_url: url } = body
  if (typeof url !== 'string' || url.length > URL_LENGTH_MAX || !isWebAddress(url))
    throw new ProviderFailureError('the answer has no address of the call')
  return { kind: 'made', url }
}

async function requestGrant(
  { url, clientId, clientSecret }: CallProviderSettings,
  fields: Readonly<Record<string, string>>,
): Promise<Grant> {
  const credentials = [clientId, clientSecret].map(encodeURIComponent).join(':')
  const { status, body } = await post(`${url}/oauth/token`, {
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(fields).toString(),
  })
  if (body.error === 'invalid_grant' || (status === 400 && !OWN_FAULTS.has(body.error)))
    throw new GrantRefusedError(`refused with ${status}`)
  if (status !== 200) throw new ProviderFailureError(`a token was answered with ${status}`)
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = body
  if (!isToken(accessToken)) throw new ProviderFailureError('the answer has no token')
  return {
    accessToken,
    refreshToken: isToken(refreshToken) ? refreshToken : null,
    secondsLeft:
      typeof seconds === 'number' && seconds >= 0 ? Math.min(Math.floor(seconds), TOKEN_SECONDS_MAX) : null,
  }
}

async function post(
  url: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Promise<{ readonly status: number; readonly body: Json }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, accept: 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    })
    return { status: response.status, body: readJson(await readBounded(response)) }
  } catch (error) {
    if (error instanceof ProviderFailureError) throw error
    throw new ProviderFailureError(`no answer of ${new URL(url).host}`, { cause: error })
  }
}

/** The text of a provider's answer. Rejects if it is too long. */
export async function readBounded(response: Response, bytesMax = ANSWER_BYTES_MAX): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength
    if (length > bytesMax) throw new ProviderFailureError('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Reads an answer that is no object as one without fields. */
function readJson(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
  } catch {
    return {} // The status is enough for the caller.
  }
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= TOKEN_LENGTH_MAX
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}
