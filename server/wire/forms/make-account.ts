/** The form with which an invited person makes an account, once a mail has confirmed the address if it has to be. */

import { decodeParams, required, text } from '../../api/params.ts'
import { FULL_NAME_MEANING, fullNameType } from '../../api/operations/users/account-params.ts'
import type { Services } from '../../api/services.ts'
import { JOIN_ERRORS, join } from '../../changes/invitations/join-by-invitation.ts'
import type { AddressProof } from '../../domain/events/invites.ts'
import type { Invitation } from '../../domain/accounts/invitations.ts'
import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX } from '../../domain/limits.ts'
import { ApiError } from '../../errors/api-error.ts'
import { type Html, html, htmlPage, NOTHING, type PeoplesPage } from '../html.ts'
import type { PageTexts } from '../page-texts.ts'
import { emailField, fullNameField, newPasswordField } from './account-fields.ts'
import { enterByNewPassword } from './enter-by-new-password.ts'
import { problemOf } from './explain-error.ts'
import { bold, type Field, form, hint, type Problem, problem } from './parts.ts'
import type { FormRequest, PageForPeople } from './serve-form.ts'

const PARAMS = {
  full_name: required(fullNameType, FULL_NAME_MEANING),
  password: required(text({ lengthMax: PASSWORD_LENGTH_MAX }), 'The password.'),
}

const ADDRESS_PARAM = {
  email: required(text({ lengthMax: EMAIL_LENGTH_MAX, trim: true }), 'The email address.'),
}

/** The title of the pages of an invitation. */
export function joinTitle({ state }: Services, { t }: PageTexts): string {
  return t('Join {organization}', { organization: state.organization?.name ?? '' })
}

/** The account that somebody may make. */
interface InvitedAccount {
  readonly invitation: Invitation
  /** Undefined for a link that needs none: then the form asks for the address. */
  readonly proof?: AddressProof
  /** Buttons to the providers that may make it, too. */
  readonly providers?: readonly Html[]
}

/** Shows the form and handles its submission, which logs in; where there is a proof, the form's address does not count. */
export async function serveAccountForm(
  request: FormRequest,
  services: Services,
  { invitation, proof, providers = [] }: InvitedAccount,
): Promise<PageForPeople> {
  const { method, fields: given, texts } = request
  const title = joinTitle(services, texts)
  const fields = fieldsFor(proof?.email, texts)
  const ways = providers.length === 0 ? NOTHING : providerWays(proof?.email, providers, texts)
  const { t } = texts
  const page = (status: number, wrong?: Problem) =>
    htmlPage(status, title, html`${form(fields, t('Create account'), { given, wrong })}${ways}`)
  if (method !== 'POST') return page(200)
  try {
    const { full_name: fullName, password } = decodeParams(PARAMS, given)
    const why = proof ?? ({ kind: 'word', ...decodeParams(ADDRESS_PARAM, given) } as const)
    const joined = await join(services, invitation, { fullName, password }, why)
    return joined ? await enterByNewPassword(request, services, joined) : invitationOver(texts)
  } catch (error) {
    if (!(error instanceof ApiError) || !JOIN_ERRORS.includes(error.errorName)) throw error
    return page(error.status, problemOf(error, fields, texts))
  }
}

/** An invitation by mail is for its address alone, at a provider, too. */
function providerWays(email: string | undefined, providers: readonly Html[], { markup }: PageTexts): Html {
  if (email === undefined) return html`${providers}`
  return html`${hint(markup('Or use another account with the address <0>{email}</0>.', { email }, [bold]))}
${providers}`
}

function fieldsFor(email: string | undefined, texts: PageTexts): readonly Field[] {
  const address = emailField(texts)
  const shown = email === undefined ? address : { ...address, value: email, isReadOnly: true }
  return [fullNameField(texts), shown, newPasswordField(texts)]
}

/** The page of an invitation that is not valid any more. */
export function invitationOver({ t }: PageTexts): PeoplesPage {
  const text = t('This invitation is not valid any more. Ask for a new one.')
  return htmlPage(404, t('Invitation'), problem({ text }))
}
