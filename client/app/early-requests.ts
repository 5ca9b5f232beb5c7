/**
 * The requests of the first view, begun before the page's code runs: the server answers while the browser compiles it.
 * A call of the page that would send the same request takes the answer instead, once.
 */

import { encodeRequest } from '../../packages/client/src/http.ts'
import { linkedNarrow, openingAnchor, openingRange, pageParams } from '../store/messages/page-params.ts'
import { splitNear } from '../store/narrows/narrow.ts'
import { readRoute } from '../store/narrows/route.ts'
import { REGISTRATION } from '../store/registration.ts'
import { readCsrfToken } from './csrf-token.ts'

/** Answers by request; undefined instead of a failure or a refusal, after which the page asks itself. */
const answers = new Map<string, Promise<Response | undefined>>()
let token = ''
/** Whether the page's code runs already: browsers run the first scripts in the order in which they arrive. */
let isLate = false

/** Without a session there is nothing to ask. */
export function beginEarly(): void {
  token = readCsrfToken()
  if (token === '' || isLate) return
  const registered = begin('POST /register', REGISTRATION)
  void begin('GET /users/me', {})
  const route = readRoute(location.hash)
  if (route?.view !== 'narrow') return
  const { narrow, nearId, linkedId } = splitNear(route.narrow)
  const range = openingRange(openingAnchor(narrow, nearId))
  // Events continue the state, so the messages must not be older than it.
  void registered.then((response) => {
    if (response && token !== '')
      void begin('GET /messages', pageParams(linkedNarrow(narrow, linkedId), range))
  })
}

/** The answer to a request of a session, if it was asked early. */
export function takeEarly(
  ownToken: string,
  input: RequestInfo | URL,
  init: RequestInit,
): Promise<Response | undefined> | undefined {
  isLate = true
  if (ownToken !== token) return undefined
  const key = keyOf(input, init)
  const answer = answers.get(key)
  answers.delete(key)
  // The messages are older than a registration that follows.
  if (!answer && key.startsWith(`POST ${location.origin}/api/v1/register `)) endEarly()
  return answer
}

/** Answers that were not taken by now are too old. */
export function endEarly(): void {
  token = ''
  answers.clear()
}

function begin(operation: string, params: Readonly<Record<string, unknown>>): Promise<Response | undefined> {
  const { path, init } = encodeRequest(operation, params)
  const address = `${location.origin}/api/v1${path}`
  const answer = fetch(address, { ...init, headers: { 'X-CSRFToken': token } }).then(
    (response) => (response.ok ? response : undefined),
    () => undefined,
  )
  answers.set(keyOf(address, init), answer)
  return answer
}

function keyOf(input: RequestInfo | URL, { method = 'GET', body }: RequestInit): string {
  return `${method} ${input instanceof Request ? input.url : input.toString()} ${body instanceof URLSearchParams ? body.toString() : ''}`
}
