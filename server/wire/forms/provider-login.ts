/** The pages of a log-in by a provider: its start, which leads there, and the return. */

import { StaleProofError } from '../../../db/accounts/login-proofs.ts'
import { findCredentials } from '../../../db/accounts/second-factors.ts'
import { type CheckedLogin, proofOf } from '../../api/check-password.ts'
import { noteBrowser } from '../../api/note-device.ts'
import { noteLogin } from '../../api/note-login.ts'
import { noteRefusal, noteRefusedLogin } from '../../api/door/note-refusal.ts'
import { readWaitingApp } from '../../domain/accounts/waiting-apps.ts'
import { logInApp } from '../../api/log-in-app.ts'
import { openSession } from '../../api/log-in-session.ts'
import { isApiKey } from '../../changes/passwords.ts'
import { beginLogin, endLogin, type PendingLogin } from '../../api/pending-login.ts'
import { providerReturnPath, readProviderPath } from '../../api/provider-paths.ts'
import { beginSecondStep } from '../../api/second-step.ts'
import type { Services } from '../../api/services.ts'
import { applyIdentity, type Identity } from '../../changes/sign-on/apply-identity.ts'
import {
  type LoginProvider,
  LoginProviderError,
  LoginRefusedError,
} from '../../changes/sign-on/login-provider.ts'
import { readLocalPath } from '../../domain/text/local-path.ts'
import { ApiError, fail } from '../../errors/api-error.ts'
import { redirectPage } from '../html.ts'
import { logInCodePath } from './log-in-code.ts'
import { FRONT_PATH } from './paths.ts'
import { noAccountPage, problemPage } from './provider-problems.ts'
import type { FormRequest, PageForPeople, ServeForm } from './serve-form.ts'

/** Serves both pages. Only links and redirects lead here, so they take no other method. */
export const serveProviderLogin: ServeForm = async (request, services) => {
  if (request.method !== 'GET') throw fail('METHOD_NOT_ALLOWED', { allowed: ['GET'] })
  const path = readProviderPath(request.path)
  const provider = services.loginProviders.find(({ settings }) => settings.name === path?.name)
  if (!path || !provider) throw fail('ENDPOINT_UNKNOWN')
  const work = path.isReturn ? finish(request, services, provider) : begin(request, services, provider)
  return work.catch((error: unknown) => {
    if (error instanceof LoginRefusedError) {
      noteRefusedLogin(services, request.exchange, request)
      return problemPage(provider, request.texts, 'refused')
    }
    if (error instanceof ApiError) noteRefusal(services, request.exchange, error.errorName, request)
    if (!(error instanceof LoginProviderError)) throw error
    services.onError(error)
    return problemPage(provider, request.texts, 'failed')
  })
}

async function begin(
  { fields, exchange, texts }: FormRequest,
  services: Services,
  provider: LoginProvider,
): Promise<PageForPeople> {
  const { name } = provider.settings
  const invitation = fields.get('invitation') ?? ''
  const app = readWaitingApp(fields)
  if (app === 'malformed') return problemPage(provider, texts, 'malformed')
  const secrets = await beginLogin(services, exchange, {
    provider: name,
    next: readLocalPath(fields.get('next') ?? ''),
    app,
    invitationKey: isApiKey(invitation) ? invitation : undefined,
  })
  return redirectPage(await provider.authorizationUrl(secrets, returnUrl(services, name)))
}

async function finish(
  request: FormRequest,
  services: Services,
  provider: LoginProvider,
): Promise<PageForPeople> {
  const { fields, exchange, texts } = request
  const { name, accounts, groupRules } = provider.settings
  const pending = await endLogin(services, exchange, name, fields.get('state') ?? '')
  if (!pending) return problemPage(provider, texts, 'expired')
  const identity = await identify(request, services, provider, pending)
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

async function identify(
  { fields }: FormRequest,
  services: Services,
  provider: LoginProvider,
  { secrets }: PendingLogin,
): Promise<Identity> {
  const returned = new URL(returnUrl(services, provider.settings.name))
  returned.search = new URLSearchParams([...fields]).toString()
  return provider.identify(secrets, returned)
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

function returnUrl({ publicUrl }: Services, name: string): string {
  return publicUrl + providerReturnPath(name)
}
