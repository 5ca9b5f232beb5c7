/** The page to which the provider of video calls sends a user back. */

import { completeCallLogin, findCallLogin } from '../../api/operations/calls/complete-call-login.ts'
import { html, htmlPage } from '../html.ts'
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
  const user = findCallLogin(services, state)
  if (!user || !services.calls) return OVER
  if (fields.has('error') || code === '' || code.length > CODE_LENGTH_MAX) return REFUSED
  if (method !== 'POST') {
    return htmlPage(
      200,
      TITLE,
      html`<p>Let ${user.fullName} (${user.email}) start calls with your account at ${services.calls.name}?</p>
<p>Do so only if that is you.</p>
<form method="post">
<input type="hidden" name="state" value="${state}">
<input type="hidden" name="code" value="${code}">
<button>Yes, that is me</button>
</form>`,
    )
  }
  switch (await completeCallLogin(services, state, code)) {
    case 'connected':
      return htmlPage(200, TITLE, html`<p>You can start calls now. This page is done and may be closed.</p>`)
    case 'expired':
      return OVER
    case 'refused':
      return REFUSED
    case 'failed':
      return htmlPage(
        502,
        TITLE,
        html`<p class="problem">The provider cannot be reached. Try again later.</p>`,
      )
  }
}

const OVER = htmlPage(
  400,
  TITLE,
  html`<p class="problem">This link is used or too old. Start again where you want the call.</p>`,
)
const REFUSED = htmlPage(
  400,
  TITLE,
  html`<p class="problem">The provider did not allow it. Start again where you want the call.</p>`,
)
