/**
 * The pages of a log-in by SAML. A browser posts the provider's answer from the provider's page, so it sends no cookies with
 * it, and the session of nobody is at stake. The identity goes on to a page of ours, sealed, where the browser shows that
 * it began the log-in.
 */

import { noteRefusal, noteRefusedLogin } from '../../api/door/note-refusal.ts'
import { beginLogin, endLogin } from '../../api/pending-login.ts'
import { readSamlPath, samlPath } from '../../api/provider-paths.ts'
import { openIdentity, sealIdentity } from '../../api/saml-identity.ts'
import type { Services } from '../../api/services.ts'
import { isApiKey } from '../../changes/passwords.ts'
import { LoginRefusedError } from '../../changes/sign-on/login-provider.ts'
import { SAML_FIELDS, type SamlAddresses, type SamlProvider } from '../../changes/sign-on/saml-provider.ts'
import { readWaitingApp } from '../../domain/accounts/waiting-apps.ts'
import { readLocalPath } from '../../domain/text/local-path.ts'
import { ApiError, fail } from '../../errors/api-error.ts'
import { redirectPage } from '../html.ts'
import { enterByProvider } from './enter-by-provider.ts'
import { problemPage } from './provider-problems.ts'
import type { FormRequest, PageForPeople, ServeForm } from './serve-form.ts'

/** Characters of a state: tickets are shorter. */
const STATE_LENGTH_MAX = 200

/** Serves the start, the answer, the page after it, and the description of this server. */
export const serveSamlLogin: ServeForm = async (request, services) => {
  const path = readSamlPath(request.path)
  const provider = services.samlProviders.find(({ settings }) => settings.name === path?.name)
  if (!path || !provider) throw fail('ENDPOINT_UNKNOWN')
  const method = path.part === 'answer' ? 'POST' : 'GET'
  if (request.method !== method) throw fail('METHOD_NOT_ALLOWED', { allowed: [method] })
  try {
    switch (path.part) {
      case undefined:
        return await begin(request, services, provider)
      case 'answer':
        return await takeAnswer(request, services, provider)
      case 'done':
        return await finish(request, services, provider)
      case 'metadata':
        return await describe(services, provider)
    }
  } catch (error) {
    if (error instanceof LoginRefusedError) {
      noteRefusedLogin(services, request.exchange, request)
      return problemPage(provider, request.texts, 'refused')
    }
    if (error instanceof ApiError) noteRefusal(services, request.exchange, error.errorName, request)
    throw error
  }
}

async function begin(
  { fields, exchange, texts }: FormRequest,
  services: Services,
  provider: SamlProvider,
): Promise<PageForPeople> {
  const invitation = fields.get('invitation') ?? ''
  const app = readWaitingApp(fields)
  if (app === 'malformed') return problemPage(provider, texts, 'malformed')
  const { state } = await beginLogin(services, exchange, {
    provider: nameOf(provider),
    next: readLocalPath(fields.get('next') ?? ''),
    app,
    invitationKey: isApiKey(invitation) ? invitation : undefined,
  })
  return redirectPage(await provider.authorizationUrl(state, addressesOf(services, provider)))
}

/** An answer without the state of a request, as of a log-in that began at the provider, answers none of ours. */
async function takeAnswer(
  { fields, texts }: FormRequest,
  services: Services,
  provider: SamlProvider,
): Promise<PageForPeople> {
  const state = fields.get(SAML_FIELDS.state) ?? ''
  if (state === '' || state.length > STATE_LENGTH_MAX) return problemPage(provider, texts, 'expired')
  const answer = fields.get(SAML_FIELDS.answer) ?? ''
  const identity = await provider.identify(answer, state, addressesOf(services, provider))
  const sealed = await sealIdentity(services, { provider: nameOf(provider), state }, identity)
  const query = new URLSearchParams({ state, identity: sealed })
  return redirectPage(`${samlPath(provider.settings.name, 'done')}?${query.toString()}`)
}

async function finish(
  request: FormRequest,
  services: Services,
  provider: SamlProvider,
): Promise<PageForPeople> {
  const { fields, exchange, texts } = request
  const login = { provider: nameOf(provider), state: fields.get('state') ?? '' }
  const identity = await openIdentity(services, login, fields.get('identity') ?? '')
  const pending = identity && (await endLogin(services, exchange, login.provider, login.state))
  if (!pending) return problemPage(provider, texts, 'expired')
  return enterByProvider(request, services, provider, { identity, pending })
}

async function describe(services: Services, provider: SamlProvider): Promise<PageForPeople> {
  const body = await provider.describe(addressesOf(services, provider))
  return { status: 200, contentType: 'application/samlmetadata+xml; charset=utf-8', body, headers: {} }
}

/** Its name among all providers; those of OpenID Connect have no colon. */
function nameOf({ settings: { name } }: SamlProvider): string {
  return `saml:${name}`
}

function addressesOf({ publicUrl }: Services, { settings: { name } }: SamlProvider): SamlAddresses {
  return {
    entityId: publicUrl + samlPath(name, 'metadata'),
    answerUrl: publicUrl + samlPath(name, 'answer'),
  }
}
