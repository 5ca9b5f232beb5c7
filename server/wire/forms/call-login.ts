/** The page to which the provider of video calls sends a user back. */

import { completeCallLogin, findCallLogin } from '../../api/operations/calls.ts'
import { html, htmlPage } from '../html.ts'
import { button, done, hidden, hint, problem } from './parts.ts'
import type { ServeForm } from './serve-form.ts'

const TITLE = 'Video calls'
/** Characters of the provider's code. */
const CODE_LENGTH_MAX = 4_096

/**
 * Asks for the account before it exchanges the code: otherwise a user who follows another user's link would let that
 * account make calls in their name. It also keeps prefetching browsers from using up the code.
 */
export const serveCallLogin: ServeForm = async ({ method, fields }, services) => {
  const state = fields.get('state') ?? ''
  const code = fields.get('code') ?? ''
  const user = await findCallLogin(services, state)
  if (!user || !services.calls) return OVER
  if (fields.has('error') || code === '' || code.length > CODE_LENGTH_MAX) return REFUSED
  if (method !== 'POST') {
    return htmlPage(
      200,
      TITLE,
      html`<p>Let ${user.fullName} (${user.email}) start calls with your account at ${services.calls.name}?</p>
<form method="post">
${hidden('state', state)}
${hidden('code', code)}
${button('Yes, that is me')}
</form>
${hint('Do so only if that is you. Otherwise close this page.')}`,
    )
  }
  switch (await completeCallLogin(services, state, code)) {
    case 'connected':
      return htmlPage(200, TITLE, html`${done('You can start calls now.')}<p>You may close this page.</p>`)
    case 'expired':
      return OVER
    case 'refused':
      return REFUSED
    case 'failed':
      return htmlPage(502, TITLE, problem({ text: 'The provider cannot be reached. Try again later.' }))
  }
}

const OVER = htmlPage(
  400,
  TITLE,
  problem({ text: 'This link is used or too old. Start again where you want the call.' }),
)
const REFUSED = htmlPage(
  400,
  TITLE,
  problem({ text: 'The provider did not allow it. Start again where you want the call.' }),
)
