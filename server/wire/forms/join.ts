/**
 * The page of an invitation: it confirms an address by a mail, or makes the account if the link was in one or an owner
 * wants no confirmation.
 */

import { askToJoin } from '../../../db/accounts/joinings.ts'
import { decodeParams, required, text } from '../../api/params.ts'
import { findInvitation, JOIN_ERRORS } from '../../changes/invitations/join-by-invitation.ts'
import { hashApiKey } from '../../changes/passwords.ts'
import { canJoinByWord } from '../../decisions/users/new-account.ts'
import { checkEmailDomain } from '../../decisions/users/check-email-domain.ts'
import { isEmailAddress, readStandInAddress } from '../../domain/users/email-addresses.ts'
import { EMAIL_LENGTH_MAX } from '../../domain/limits.ts'
import { ApiError, fail } from '../../errors/api-error.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { html, htmlPage } from '../html.ts'
import { emailField } from './account-fields.ts'
import { problemOf } from './explain-error.ts'
import { invitationOver, joinTitle, serveAccountForm } from './make-account.ts'
import { bold, done, type Field, form, lead, links, type Problem } from './parts.ts'
import { LOG_IN_PATH } from './paths.ts'
import { providerLinks } from './provider-links.ts'
import type { ServeForm } from './serve-form.ts'

const PATH = /^\/join\/([A-Za-z0-9]{1,100})\/?$/

const PARAMS = {
  email: required(text({ lengthMax: EMAIL_LENGTH_MAX, trim: true }), 'The email address.'),
}

/** Whether a path is an invitation's link. */
export function isJoinPath(path: string): boolean {
  return PATH.test(path)
}

/** Shows the form and handles its submission. */
export const serveJoin: ServeForm = async (request, services) => {
  const { method, path, fields: given, texts } = request
  const { t, markup } = texts
  const [, key = ''] = PATH.exec(path) ?? []
  const invitation = await findInvitation(services, key)
  if (!invitation) return invitationOver(texts)
  const way = invitation.form
  if (way.kind === 'mail') {
    const proof = { kind: 'mail', email: way.email, tokenHash: hashApiKey(key) } as const
    const providers = providerLinks(services, texts, { invitation: key })
    return serveAccountForm(request, services, { invitation, proof, providers })
  }
  const providers = providerLinks(services, texts, { invitation: key })
  if (canJoinByWord(services.state)) return serveAccountForm(request, services, { invitation, providers })
  const title = joinTitle(services, texts)
  const fields: readonly Field[] = [emailField(texts)]
  const page = (status: number, wrong?: Problem) => {
    const asking = lead(t('Get a link by email to choose your name and password.'))
    const asked = form(fields, t('Send link'), { given, wrong })
    return htmlPage(status, title, html`${asking}${asked}${providers}`)
  }
  if (method !== 'POST') return page(200)
  try {
    const { email } = decodeParams(PARAMS, given)
    checkJoiningAddress(services.state, email)
    await askToJoin(services.sql, invitation.id, email)
    return htmlPage(
      200,
      title,
      html`${done(markup('We sent a link to <0>{email}</0>.', { email }, [bold]))}
<p>${t('It can take a few minutes. Check your spam folder, too. The link works for a day.')}</p>
${links([t('Use another address'), path], [t('Log in'), LOG_IN_PATH])}`,
    )
  } catch (error) {
    if (!(error instanceof ApiError) || !JOIN_ERRORS.includes(error.errorName)) throw error
    return page(error.status, problemOf(error, fields, texts))
  }
}

/** Throws for an address that can have no account; this must not depend on the accounts that there are. */
function checkJoiningAddress(state: OrganizationState, email: string): void {
  if (!isEmailAddress(email) || readStandInAddress(email, state.emailHost) !== undefined)
    throw fail('EMAIL_INVALID')
  checkEmailDomain({ state, fail }, email)
}
