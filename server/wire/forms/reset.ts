/** The page behind the link of a mail: a form for a new password, which logs in unless an app protects the account. */

import { findCredentials } from '../../../db/accounts/second-factors.ts'
import { decodeParams, required, text } from '../../api/params.ts'
import { findResetUser, RESET_ERRORS, resetPassword } from '../../changes/users/set-password.ts'
import type { User } from '../../domain/entities.ts'
import { PASSWORD_LENGTH_MAX } from '../../domain/limits.ts'
import { ApiError, type ErrorName, fail } from '../../errors/api-error.ts'
import { html, htmlPage, type PeoplesPage } from '../html.ts'
import type { PageTexts } from '../page-texts.ts'
import { emailField, newPasswordField } from './account-fields.ts'
import { enterByNewPassword } from './enter-by-new-password.ts'
import { problemOf } from './explain-error.ts'
import { bold, done, type Field, form, linkButton, links, type Problem, problem } from './parts.ts'
import { ASK_RESET_PATH, LOG_IN_PATH } from './paths.ts'
import type { ServeForm } from './serve-form.ts'

const PATH = /^\/accounts\/password\/reset\/([A-Za-z0-9]{1,100})\/?$/

const PARAMS = { password: required(text({ lengthMax: PASSWORD_LENGTH_MAX }), 'The password.') }
/** The errors that people can correct in the form. */
const ERRORS: readonly ErrorName[] = [...RESET_ERRORS, 'PARAMETER_INVALID', 'PARAMETER_MISSING']

/** Whether a path is a link for a new password. */
export function isResetPath(path: string): boolean {
  return PATH.test(path)
}

/** Shows the form and handles its submission; only that uses the link, since programs open links of mails in advance. */
export const serveReset: ServeForm = async (request, services) => {
  const { method, path, fields: given, texts } = request
  const { t, markup } = texts
  const [, token = ''] = PATH.exec(path) ?? []
  const user = await findResetUser(services, token)
  if (!user) return overPage(texts)
  const fields = fieldsOf(user, texts)
  const title = t('Choose a new password')
  const page = (status: number, wrong?: Problem) =>
    htmlPage(status, title, form(fields, t('Save password'), { wrong }))
  if (method !== 'POST') return page(200)
  try {
    const { password } = decodeParams(PARAMS, given)
    const passwordHash = await resetPassword(services, user, { token, password }, fail)
    if (passwordHash === undefined) return overPage(texts)
    // The link replaces the password alone: a reader of the mailbox does not get past an app.
    const { totp } = await findCredentials(services.sql, user.id)
    if (!totp) return await enterByNewPassword(request, services, { user, passwordHash })
  } catch (error) {
    if (!(error instanceof ApiError) || !ERRORS.includes(error.errorName)) throw error
    return page(error.status, problemOf(error, fields, texts))
  }
  const next = markup(
    'You are logged out everywhere. Log in with <0>{email}</0>, the new password and a code from your app.',
    { email: user.email },
    [bold],
  )
  return htmlPage(
    200,
    title,
    html`${done(t('Password changed.'))}
<p>${next}</p>
${linkButton(t('Log in'), LOG_IN_PATH)}`,
  )
}

/** The address is for programs that store passwords. */
function fieldsOf({ email }: User, texts: PageTexts): readonly Field[] {
  const { t } = texts
  return [
    { ...emailField(texts), label: t('Your account'), value: email, isReadOnly: true },
    { ...newPasswordField(texts), label: t('New password'), hasFocus: true },
  ]
}

function overPage({ t }: PageTexts): PeoplesPage {
  return htmlPage(
    404,
    t('Choose a new password'),
    html`${problem({ text: t('This link has expired or was replaced.') })}
${linkButton(t('Get a new link'), ASK_RESET_PATH)}
${links([t('Back to log-in'), LOG_IN_PATH])}`,
  )
}
