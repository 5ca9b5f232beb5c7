/** The end of a mobile app's log-in by a provider: an API key, on the way that leads from the browser back to the app. */

import { logIn } from '../changes/users/log-in.ts'
import { hideKey } from '../domain/one-time-pad.ts'
import type { Fail } from '../errors/api-error.ts'
import { APP_LOGIN_URL } from '../views/names.ts'
import { type CheckedLogin, proofOf } from './check-password.ts'
import type { LoginVisit } from './log-in-session.ts'
import { noteBrowser } from './note-device.ts'
import { noteLogin } from './note-login.ts'
import type { Services } from './services.ts'

/** A log-in whose credentials were all checked, and the one-time pad of its app. */
export interface AppLogin extends CheckedLogin {
  readonly pad: string
  readonly userAgent: string
}

/**
 * The address that leads back to the app, with a new API key that the pad hides. The browser is not logged in. Rejects
 * with a `StaleProofError` if the credentials have changed since they were checked.
 */
export async function logInApp(
  services: Services,
  visit: LoginVisit,
  { user, credentials, pad, userAgent }: AppLogin,
  fail: Fail<'ACCOUNT_DEACTIVATED'>,
): Promise<string> {
  const { publicUrl } = services
  const { id, email } = user
  const key = await logIn(services, id, proofOf(credentials))
  if (key === undefined) throw fail('ACCOUNT_DEACTIVATED')
  await noteLogin(services, visit, id)
  await noteBrowser(services, visit, { user, userAgent })
  const fields = {
    realm: publicUrl,
    email,
    user_id: String(id),
    otp_encrypted_api_key: hideKey(key, pad),
  }
  return `${APP_LOGIN_URL}?${new URLSearchParams(fields).toString()}`
}
