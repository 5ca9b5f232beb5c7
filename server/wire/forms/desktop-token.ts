/** The page that shows the token for the desktop app. Its script reads the token, which the server does not get again. */

import { DESKTOP_TOKEN_PATH } from '../../api/log-in-app.ts'
import { DESKTOP_TOKEN_SCRIPT_PATH, html, htmlPage } from '../html.ts'
import { fail } from '../../errors/api-error.ts'
import { button, field, hint, lead } from './parts.ts'
import type { ServeForm } from './serve-form.ts'

/** Characters of a token, encrypted, in hex. */
const TOKEN_LENGTH_MAX = 500

/** Whether a path is this page. */
export function isDesktopTokenPath(path: string): boolean {
  return path === DESKTOP_TOKEN_PATH || path === `${DESKTOP_TOKEN_PATH}/`
}

export const serveDesktopToken: ServeForm = ({ method, texts: { t } }) => {
  if (method === 'POST') throw fail('METHOD_NOT_ALLOWED', { allowed: ['GET', 'HEAD'] })
  const content = html`${lead(t('Copy this token and return to the app.'))}
<div data-desktop-token hidden>
${field({ name: 'token', label: t('Token'), autocomplete: 'off', lengthMax: TOKEN_LENGTH_MAX, isReadOnly: true })}
${button(t('Copy token'))}
<p class="done" role="status" hidden>${t('Token copied. You can close this page.')}</p>
</div>
${hint(t('Works once, for five minutes, only in the app that asked for it.'))}`
  return htmlPage(200, t('Almost done'), content, { script: DESKTOP_TOKEN_SCRIPT_PATH })
}
