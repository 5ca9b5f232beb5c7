/** The page behind the link of a mail: a form for a new password, which logs in unless an app protects the account. */

import { findCredentials } from '../../../db/accounts/second-factors.ts'
import { decodeParams, required, text } from '../../api/params.ts'
import { findResetUser, RESET_ERRORS, resetPassword } from '../../changes/users/set-password.ts'
import type { User } from '../../domain/entities.ts'
import { PASSWORD_LENGTH_MAX } from '../../domain/limits.ts'
import { ApiError, type ErrorName, fail } from '../../errors/api-error.ts'
import { html, htmlPage } from '../html.ts'
import { EMAIL_FIELD, NEW_PASSWORD_FIELD } from './account-fields.ts'
import { enterByNewPassword } from './enter-by-new-password.ts'
import { problemOf } from './explain-error.ts'
import { done, type Field, form, linkButton, links, problem } from './parts.ts'
import { ASK_RESET_PATH, LOG_IN_PATH } from './paths.ts'
import type { ServeForm } from './serve-form.ts'

const PATH = /^\/accounts\/password\/reset\/([A-Za-z0-9]{1,100})\/?$/
const TITLE = 'Choose a new password'

const SUBMIT = 'Save password'

const PARAMS = { password: required(text({ lengthMax: PASSWORD_LENGTH_MAX }), 'The password.') }
/** The errors that people can correct in the form. */
const ERRORS: readonly ErrorName[] = [...RESET_ERRORS, 'PARAMETER_INVALID', 'PARAMETER_MISSING']

/** Whether a path is a link for a new password. */
export function isResetPath(path: string): boolean {
  return PATH.test(path)
}

/** Shows the form and handles its submission; only that uses the link, since programs open links of mails in advance. */
export const serveReset: ServeForm = async (request, services) => {
  const { method, path, fields: given } = request
  const [, token = ''] = PATH.exec(path) ?? []
  const user = await findResetUser(services, token)
  if (!user) return OVER
  const fields = fieldsOf(user)
  if (method !== 'POST') return htmlPage(200, TITLE, form(fields, SUBMIT))
  try {
    const { password } = decodeParams(PARAMS, given)
    const passwordHash = await resetPassword(services, user, { token, password }, fail)
    if (passwordHash === undefined) return OVER
    // The link replaces the password alone: a reader of the mailbox does not get past an app.
    const { totp } = await findCredentials(services.sql, user.id)
    if (!totp) return await enterByNewPassword(request, services, { user, passwordHash })
  } catch (error) {
    if (!(error instanceof ApiError) || !ERRORS.includes(error.errorName)) throw error
    return htmlPage(error.status, TITLE, form(fields, SUBMIT, { wrong: problemOf(error, fields) }))
  }
  return htmlPage(
    200,
    TITLE,
    html`${done('Password changed.')}
<p>You are logged out everywhere. Log in with <b>${user.email}</b>, the new password and a code from your app.</p>
${linkButton('Log in', LOG_IN_PATH)}`,
  )
}

/** The address is for programs that store passwords. */
function fieldsOf({ email }: User): readonly Field[] {
  return [
    { ...EMAIL_FIELD, label: 'Your account', value: email, isReadOnly: true },
    { ...NEW_PASSWORD_FIELD, label: 'New password', hasFocus: true },
  ]
}

const OVER = htmlPage(
  404,
  TITLE,
  html`${problem({ text: 'This link has expired or was replaced.' })}
${linkButton('Get a new link', ASK_RESET_PATH)}
${links(['Back to log-in', LOG_IN_PATH])}`,
)
