/** Logs a browser in after its person has chosen a password, by the link of a mail. */

import { openCheckedSession } from '../../api/log-in-session.ts'
import type { Services } from '../../api/services.ts'
import type { User } from '../../domain/entities.ts'
import { ApiError, fail } from '../../errors/api-error.ts'
import { redirectPage } from '../html.ts'
import type { Page } from '../reply.ts'
import { FRONT_PATH, LOG_IN_PATH } from './paths.ts'
import type { FormRequest } from './serve-form.ts'

/** A user with the password that was stored a moment ago. */
export interface NewPasswordUser {
  readonly user: User
  /** Undefined if the account has no password. */
  readonly passwordHash: string | undefined
}

/**
 * Begins a session and leads to the front page. The password is the proof: if it has changed since, or if an app protects
 * the account by now, no session begins, and the log-in page follows.
 */
export async function enterByNewPassword(
  { exchange, userAgent }: Pick<FormRequest, 'exchange' | 'userAgent'>,
  services: Services,
  { user, passwordHash }: NewPasswordUser,
): Promise<Page> {
  const credentials = { passwordHash, totp: undefined }
  try {
    await openCheckedSession(services, exchange, { user, credentials, userAgent }, fail)
    return redirectPage(FRONT_PATH)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return redirectPage(LOG_IN_PATH)
  }
}
