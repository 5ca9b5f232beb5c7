/** The pages that say why a log-in by a provider did not work. None repeats a text of the provider. */

import type { FoundAccount } from '../../changes/sign-on/found-account.ts'
import { html, htmlPage, type PeoplesPage } from '../html.ts'
import type { PageTexts } from '../page-texts.ts'
import { explainError } from './explain-error.ts'
import { linkButton, problem } from './parts.ts'
import { LOG_IN_PATH } from './paths.ts'

/** A provider of log-ins, of any kind. */
export interface NamedProvider {
  readonly settings: { readonly displayName: string }
}

/** Problems before the provider has identified the person. */
type ProviderProblem = 'expired' | 'malformed' | 'refused' | 'failed'

/** The status of the page, and what it says. */
type Problem = readonly [status: number, text: string]

/** A page with a problem, and the way back. */
export function problemPage(provider: NamedProvider, texts: PageTexts, which: ProviderProblem): PeoplesPage {
  return pageOf(provider, texts, wordProblem(texts, which))
}

function wordProblem({ t }: PageTexts, which: ProviderProblem): Problem {
  switch (which) {
    case 'expired':
      return [400, t('This log-in has expired or began in another browser. Start again.')]
    case 'malformed':
      return [400, t('The app sent a wrong request. Please update it.')]
    case 'refused':
      return [403, t('The provider did not log you in.')]
    case 'failed':
      return [502, t('The provider does not respond as expected. Try again later.')]
  }
}

function pageOf(
  { settings: { displayName: provider } }: NamedProvider,
  { t }: PageTexts,
  [status, text]: Problem,
): PeoplesPage {
  return htmlPage(
    status,
    t('Log in with {provider}', { provider }),
    html`${problem({ text })}
${linkButton(t('Back to log-in'), LOG_IN_PATH)}`,
  )
}

/** The page for a person without an account that they may use. */
export function noAccountPage(
  provider: NamedProvider,
  texts: PageTexts,
  account: Exclude<FoundAccount, { kind: 'found' }>,
): PeoplesPage {
  return pageOf(provider, texts, [403, reasonOf(provider, texts, account)])
}

function reasonOf(
  { settings: { displayName: provider } }: NamedProvider,
  texts: PageTexts,
  account: Exclude<FoundAccount, { kind: 'found' }>,
): string {
  const { t } = texts
  switch (account.kind) {
    case 'deactivated':
      return t('Account is deactivated')
    case 'unverified':
      return t('{provider} has not confirmed your email address, so we cannot tell which account is yours.', {
        provider,
      })
    case 'taken':
      return t('Your address is linked to another account at {provider}. Ask an administrator.', { provider })
    case 'other_address':
      return t(
        'Your account at {provider} has another address than your invitation. Log in there with the invited address, or open the invitation again and choose a password.',
        { provider },
      )
    case 'absent':
      return t('You have no account here yet. Ask for an invitation, and open its link first.')
    case 'refused':
      return explainError(account.error, texts)
  }
}
