/** The API, called with the session of this browser. */

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { ConnectionError, ParleyClient } from '../../packages/client/src/index.ts'
import { readReply } from '../../packages/client/src/http.ts'
import { readCsrfToken } from './csrf-token.ts'
import { takeEarly } from './early-requests.ts'

const Api = createContext<ParleyClient | undefined>(undefined)

export const ApiProvider = Api.Provider

/** The client that the page made. */
export function useApi(): ParleyClient {
  const api = useContext(Api)
  if (!api) throw new Error('a view is outside of the page')
  return api
}

/**
 * The client of the server that served this page, with the token of the browser's session or of a certain one. Each request
 * waits for what `prepare` answers.
 */
export function openApi(
  token: () => string = readCsrfToken,
  prepare?: () => Promise<void> | undefined,
): ParleyClient {
  return new ParleyClient({
    url: location.origin,
    fetch(input, init) {
      const send = () => fetchWithToken(token(), input, init)
      return prepare?.()?.then(send) ?? send()
    },
    // Uploads do not go through `fetch`.
    csrfToken: token,
  })
}

/** Adds the token that proves that a request is of this page. */
function fetchWithToken(token: string, input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('X-CSRFToken', token)
  const send = () => fetch(input, { ...init, headers })
  return takeEarly(token, input, init)?.then((early) => early ?? send()) ?? send()
}

/** Uploads a picture as the own avatar; throws as calls do. */
export async function uploadOwnPicture(file: File): Promise<void> {
  const body = new FormData()
  body.append('file', file)
  let response: Response
  try {
    response = await fetchWithToken(readCsrfToken(), '/api/v1/users/me/avatar', { method: 'POST', body })
  } catch (error) {
    throw new ConnectionError('no connection to the server', { cause: error })
  }
  await readReply(response)
}
