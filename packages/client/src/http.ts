/** Requests to the API: typed values in, typed values out. */

import { ApiError, ConnectionError } from './errors.ts'

/** The address of the API, and the credentials. */
export interface Connection {
  /** Without a trailing slash. */
  readonly url: string
  /** The credentials of a request in addition to cookies. */
  readonly credentials: (method: string) => Readonly<Record<string, string>>
  readonly fetch: typeof fetch
}

export type Fields = Readonly<Record<string, unknown>>

/** Sends one request. */
export async function sendRequest(
  connection: Connection,
  operation: string,
  given: Fields,
  signal: AbortSignal | undefined,
): Promise<Fields> {
  const { path, init } = encodeRequest(operation, given)
  return readReply(await fetchSafely(connection, path, signal ? { ...init, signal } : init))
}

/** The request of a call: path parameters go into the path, others into the query or the form. */
export function encodeRequest(
  operation: string,
  given: Fields,
): { readonly path: string; readonly init: RequestInit } {
  const [method = 'GET', template = '/'] = operation.split(' ')
  const { path, rest } = fillPath(template, given)
  const fields = encodeFields(rest)
  if (method !== 'GET') return { path, init: { method, body: fields } }
  return { path: fields.size > 0 ? `${path}?${fields.toString()}` : path, init: { method } }
}

/** Sends a file in a form, with other parameters in the path and the form. */
export async function sendForm(
  connection: Connection,
  operation: string,
  given: Fields,
  file: Blob,
): Promise<Fields> {
  const [method = 'POST', template = '/'] = operation.split(' ')
  const { path, rest } = fillPath(template, given)
  const body = new FormData()
  for (const [name, value] of encodeFields(rest)) body.set(name, value)
  body.set('file', file)
  return readReply(await fetchSafely(connection, path, { method, body }))
}

/** Sends a request with the connection's credentials; throws a `ConnectionError` if no answer arrives. */
export async function fetchSafely(
  { url, credentials, fetch }: Connection,
  path: string,
  init: RequestInit,
): Promise<Response> {
  const headers = new Headers(init.headers)
  for (const [name, value] of Object.entries(credentials(init.method ?? 'GET'))) headers.set(name, value)
  try {
    return await fetch(`${url}/api/v1${path}`, { ...init, headers })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new ConnectionError(`${url} does not answer`, { cause: error })
  }
}

/** The body of a success; throws the `ApiError` of a failure. */
export async function readReply(response: Response): Promise<Fields> {
  let body: unknown
  try {
    body = await response.json()
  } catch (error) {
    throw new ConnectionError(`an answer with status ${response.status} is not of the API`, { cause: error })
  }
  if (typeof body !== 'object' || body === null) throw new ConnectionError('an answer is not of the API')
  const fields = body as Fields
  if (fields.result === 'success') return fields
  throw new ApiError(response.status, fields)
}

function fillPath(template: string, given: Fields): { path: string; rest: Fields } {
  const rest: Record<string, unknown> = { ...given }
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name])
    delete rest[name]
    return value.split('/').map(encodeURIComponent).join('/') // Fragments of navigation views contain slashes.
  })
  return { path, rest }
}

/** Strings are sent unchanged, everything else as JSON. */
function encodeFields(fields: Fields): URLSearchParams {
  const encoded = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) encoded.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return encoded
}
