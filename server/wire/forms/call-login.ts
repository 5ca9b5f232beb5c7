/** The page to which the provider of video calls sends a user back. */

import { completeCallLogin, findCallLogin } from '../../api/operations/calls.ts'
import { html, htmlPage, type PeoplesPage } from '../html.ts'
import type { PageTexts } from '../page-texts.ts'
import { button, done, hidden, hint, problem } from './parts.ts'
import type { ServeForm } from './serve-form.ts'

/** Characters of the provider's code. */
const CODE_LENGTH_MAX = 4_096

/**
 * Asks for the account before it exchanges the code: otherwise a user who follows another user's link would let that
 * account make calls in their name. It also keeps prefetching browsers from using up the code.
 */
export const serveCallLogin: ServeForm = async ({ method, fields, texts }, services) => {
  const { t } = texts
  const title = t('Video calls')
  const state = fields.get('state') ?? ''
  const code = fields.get('code') ?? ''
  const user = await findCallLogin(services, state)
  if (!user || !services.calls) return overPage(texts)
  if (fields.has('error') || code === '' || code.length > CODE_LENGTH_MAX) return refusedPage(texts)
  if (method !== 'POST') {
    return htmlPage(
      200,
      title,
      html`<p>${t('Connect your account at {provider} to {name} ({email})?', {
        provider: services.calls.name,
        name: user.fullName,
        email: user.email,
      })}</p>
<form method="post">
${hidden('state', state)}
${hidden('code', code)}
${button(t('Connect'))}
</form>
${hint(t('Only do this if it is your account. Otherwise close this page.'))}`,
    )
  }
  switch (await completeCallLogin(services, state, code)) {
    case 'connected':
      return htmlPage(
        200,
        title,
        html`${done(t('Connected. You can start calls now.'))}<p>${t('You can close this page.')}</p>`,
      )
    case 'expired':
      return overPage(texts)
    case 'refused':
      return refusedPage(texts)
    case 'failed':
      return htmlPage(502, title, problem({ text: t('The provider does not respond. Try again later.') }))
  }
}

function overPage({ t }: PageTexts): PeoplesPage {
  return htmlPage(400, t('Video calls'), problem({ text: t('This link has expired. Start the call again.') }))
}

function refusedPage({ t }: PageTexts): PeoplesPage {
  return htmlPage(400, t('Video calls'), problem({ text: t('The provider refused. Start the call again.') }))
}
