/** The page of an invitation's link: a form that creates an account. */

import { ApiError } from '../../errors/api-error.ts'
import { findInvitation, JOIN_ERRORS, join } from '../../changes/invitations/join-by-invitation.ts'
import { decodeParams, required, text } from '../../api/params.ts'
import { FULL_NAME_MEANING, fullNameType } from '../../api/operations/users/full-name-param.ts'
import { EMAIL_LENGTH_MAX, FULL_NAME_LENGTH_MAX, PASSWORD_LENGTH_MAX } from '../../domain/limits.ts'
import { type Html, html, htmlPage } from '../html.ts'
import type { Page } from '../reply.ts'
import type { ServeForm } from './serve-form.ts'

const PATH = /^\/join\/([A-Za-z0-9]{1,100})\/?$/

const FIELDS = {
  full_name: required(fullNameType, FULL_NAME_MEANING),
  email: required(text({ lengthMax: EMAIL_LENGTH_MAX, trim: true }), 'The email address.'),
  password: required(text({ lengthMax: PASSWORD_LENGTH_MAX }), 'The password.'),
}

/** Whether a path is an invitation's link. */
export function isJoinPath(path: string): boolean {
  return PATH.test(path)
}

/** Shows the form and handles its submission. */
export const serveJoin: ServeForm = async ({ method, path, fields }, services) => {
  const [, key = ''] = PATH.exec(path) ?? []
  const invitation = await findInvitation(services, key)
  if (!invitation) return OVER
  const title = `Join ${services.state.organization?.name ?? ''}`
  if (method !== 'POST') return htmlPage(200, title, form(fields))
  try {
    const { full_name: fullName, email, password } = decodeParams(FIELDS, fields)
    const user = await join(services, invitation, { fullName, email, password })
    if (!user) return OVER
    return htmlPage(
      200,
      title,
      html`<p>Welcome, ${user.fullName}. Your account is made.</p>
<p>Log in with ${user.email} and your password in a client of your choice; the address of the server is
${services.publicUrl}.</p>`,
    )
  } catch (error) {
    if (!(error instanceof ApiError) || !JOIN_ERRORS.includes(error.errorName)) throw error
    return htmlPage(error.status, title, html`<p class="problem">${error.message}</p>${form(fields)}`)
  }
}

/** The form with the values that were entered; the password must be entered again. */
function form(given: ReadonlyMap<string, string>): Html {
  const value = (name: string, lengthMax: number) => (given.get(name) ?? '').slice(0, lengthMax)
  return html`<form method="post">
<label for="full_name">Your name</label>
<input id="full_name" name="full_name" required maxlength="${String(FULL_NAME_LENGTH_MAX)}" autocomplete="name"
 value="${value('full_name', FULL_NAME_LENGTH_MAX)}">
<label for="email">Your email address</label>
<input id="email" name="email" type="email" required maxlength="${String(EMAIL_LENGTH_MAX)}" autocomplete="username"
 value="${value('email', EMAIL_LENGTH_MAX)}">
<label for="password">A password, of 8 characters at least</label>
<input id="password" name="password" type="password" required minlength="8" maxlength="${String(PASSWORD_LENGTH_MAX)}"
 autocomplete="new-password">
<button>Make my account</button>
</form>`
}

const OVER: Page = htmlPage(
  404,
  'Invitation',
  html`<p class="problem">This invitation does not exist, or no longer. Ask its sender for another.</p>`,
)
