/** The end of a log-in by a provider: the account of the person, their second factor, and the session. */

import { StaleProofError } from '../../../db/accounts/login-proofs.ts'
import { findCredentials } from '../../../db/accounts/second-factors.ts'
import { type CheckedLogin, proofOf } from '../../api/check-password.ts'
import { noteRefusedLogin } from '../../api/door/note-refusal.ts'
import { logInApp } from '../../api/log-in-app.ts'
import { openSession } from '../../api/log-in-session.ts'
import { noteBrowser } from '../../api/note-device.ts'
import { noteLogin } from '../../api/note-login.ts'
import type { PendingLogin } from '../../api/pending-login.ts'
import { beginSecondStep } from '../../api/second-step.ts'
import type { Services } from '../../api/services.ts'
import { applyIdentity, type Identity } from '../../changes/sign-on/apply-identity.ts'
import type { GroupRules } from '../../domain/accounts/group-rules.ts'
import type { AccountPolicy } from '../../domain/accounts/parse-providers.ts'
import { fail } from '../../errors/api-error.ts'
import { redirectPage } from '../html.ts'
import { logInCodePath } from './log-in-code.ts'
import { FRONT_PATH } from './paths.ts'
import { type NamedProvider, noAccountPage, problemPage } from './provider-problems.ts'
import type { FormRequest, PageForPeople } from './serve-form.ts'

/** A provider with its rules for accounts. */
interface EnteringProvider extends NamedProvider {
  readonly settings: NamedProvider['settings'] & {
    readonly accounts: AccountPolicy
    readonly groupRules: GroupRules
  }
}

/** A person whom a provider has identified, and the log-in that they had begun. */
interface Returned {
  readonly identity: Identity
  readonly pending: PendingLogin
}

/** Answers with a session, a step for the code, or a page that says why not. */
export async function enterByProvider(
  request: FormRequest,
  services: Services,
  provider: EnteringProvider,
  { identity, pending }: Returned,
): Promise<PageForPeople> {
  const { exchange, texts } = request
  const { accounts, groupRules } = provider.settings
  const { invitationKey } = pending
  const account = await applyIdentity(services, identity, { accounts, invitationKey, groupRules })
  if (account.kind !== 'found') {
    const { email } = identity
    const byAddress = email === undefined ? undefined : services.state.findUserByEmail(email)
    exchange.claimed = (account.kind === 'deactivated' ? account.user : byAddress)?.id
    noteRefusedLogin(services, request.exchange, request)
    return noAccountPage(provider, texts, account)
  }
  const credentials = await findCredentials(services.sql, account.user.id)
  if (credentials.totp) {
    await beginSecondStep(services, exchange, { user: account.user, credentials }, pending.app)
    return redirectPage(logInCodePath(pending.next))
  }
  try {
    return await enter(request, services, { user: account.user, credentials }, pending)
  } catch (error) {
    if (error instanceof StaleProofError) return problemPage(provider, texts, 'expired')
    throw error
  }
}

async function enter(
  { exchange, userAgent }: FormRequest,
  services: Services,
  checked: CheckedLogin,
  { next, app }: PendingLogin,
): Promise<PageForPeople> {
  const { user, credentials } = checked
  const proof = proofOf(credentials)
  if (app) return redirectPage(await logInApp(services, exchange, { user, proof, app, userAgent }, fail))
  if (!(await openSession(services, exchange, user, { userAgent, proof }))) throw fail('ACCOUNT_DEACTIVATED')
  await noteLogin(services, exchange, user.id)
  await noteBrowser(services, exchange, { user, userAgent })
  return redirectPage(next ?? FRONT_PATH)
}
