/** The pages of a log-in by a provider: its start, which leads there, and the return. */

import { noteRefusal, noteRefusedLogin } from '../../api/door/note-refusal.ts'
import { readWaitingApp } from '../../domain/accounts/waiting-apps.ts'
import { isApiKey } from '../../changes/passwords.ts'
import { beginLogin, endLogin, type PendingLogin } from '../../api/pending-login.ts'
import { providerReturnPath, readProviderPath } from '../../api/provider-paths.ts'
import type { Services } from '../../api/services.ts'
import { type Identity } from '../../changes/sign-on/apply-identity.ts'
import {
  type LoginProvider,
  LoginProviderError,
  LoginRefusedError,
} from '../../changes/sign-on/login-provider.ts'
import { readLocalPath } from '../../domain/text/local-path.ts'
import { ApiError, fail } from '../../errors/api-error.ts'
import { redirectPage } from '../html.ts'
import { enterByProvider } from './enter-by-provider.ts'
import { problemPage } from './provider-problems.ts'
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
  const pending = await endLogin(services, exchange, provider.settings.name, fields.get('state') ?? '')
  if (!pending) return problemPage(provider, texts, 'expired')
  const identity = await identify(request, services, provider, pending)
  return enterByProvider(request, services, provider, { identity, pending })
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

function returnUrl({ publicUrl }: Services, name: string): string {
  return publicUrl + providerReturnPath(name)
}
