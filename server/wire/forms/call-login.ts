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
      html`<p>Connect your account at ${services.calls.name} to ${user.fullName} (${user.email})?</p>
<form method="post">
${hidden('state', state)}
${hidden('code', code)}
${button('Connect')}
</form>
${hint('Only do this if it is your account. Otherwise close this page.')}`,
    )
  }
  switch (await completeCallLogin(services, state, code)) {
    case 'connected':
      return htmlPage(
        200,
        TITLE,
        html`${done('Connected. You can start calls now.')}<p>You can close this page.</p>`,
      )
    case 'expired':
      return OVER
    case 'refused':
      return REFUSED
    case 'failed':
      return htmlPage(502, TITLE, problem({ text: 'The provider does not respond. Try again later.' }))
  }
}

const OVER = htmlPage(400, TITLE, problem({ text: 'This link has expired. Start the call again.' }))
const REFUSED = htmlPage(400, TITLE, problem({ text: 'The provider refused. Start the call again.' }))
