/** A log-in by a passkey; loaded with the first press of its button. */

import { ApiError, type ParleyClient } from '../../../packages/client/src/index.ts'

/** Logs in; answers a problem for people, or nothing. */
export async function logInByPasskey(api: ParleyClient): Promise<string | undefined> {
  try {
    const { options } = await api.call('POST /login/passkey/options')
    // The types do not know that the server's options have a challenge.
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({ challenge: '', ...options })
    const made = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
    const { id, rawId, response } = made.toJSON() as AuthenticationResponseJSON
    const { clientDataJSON, authenticatorData, signature, userHandle = '' } = response
    await api.call('POST /login/passkey', {
      credential: {
        id,
        rawId,
        type: 'public-key',
        response: { clientDataJSON, authenticatorData, signature, userHandle },
      },
    })
    return undefined
  } catch (error) {
    // The browser has explained these itself: its user went back, or has no passkey here.
    const isExplained =
      error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')
    if (isExplained) return 'No passkey was used.'
    return error instanceof ApiError ? error.message : 'Can’t reach the server. Please try again.'
  }
}
