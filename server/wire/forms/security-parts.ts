/** The parts of the page on the security of an account. */

import { renderSVG } from 'uqr'
import type { PasskeyRow } from '../../../db/accounts/passkeys.ts'
import type { SessionRow } from '../../../db/accounts/login-sessions.ts'
import { totpUrl } from '../../changes/users/totp.ts'
import { describeClient } from '../../../packages/rules/describe-client.ts'
import { PASSKEY_NAME_LENGTH_MAX } from '../../domain/accounts/passkeys.ts'
import { CODE_LENGTH_MAX, type Totp } from '../../domain/accounts/second-factors.ts'
import { Html, html, NOTHING } from '../html.ts'
import { PASSWORD_FIELD } from './account-fields.ts'
import {
  button,
  type ButtonLook,
  type Field,
  field,
  form,
  hidden,
  hint,
  linkButton,
  type Problem,
} from './parts.ts'
import { CSRF_FIELD, SECURITY_PATH } from './paths.ts'

/** A code of an app, or a recovery code. */
const CODE_FIELD: Field = {
  name: 'code',
  label: 'Code',
  hint: 'The six digits that your authenticator app shows.',
  autocomplete: 'one-time-code',
  lengthMax: CODE_LENGTH_MAX,
}

/** A form of one button. */
function act(
  token: string,
  action: string,
  label: string,
  { look = 'quiet', id }: { readonly look?: ButtonLook; readonly id?: string } = {},
): Html {
  return html`<form method="post" action="${SECURITY_PATH}">
${hidden(CSRF_FIELD, token)}${hidden('action', action)}${hidden('id', id)}
${button(label, { look })}
</form>`
}

/** Asks for the password, before anything changes. */
export function confirmForm(token: string, hasTotp: boolean, wrong: Problem | undefined): Html {
  const code = {
    ...CODE_FIELD,
    hint: 'The six digits that your authenticator app shows, or a recovery code.',
  }
  return html`<h2>Is it you?</h2>
${hint('Enter your password to change how you log in. That lasts for ten minutes.')}
${form([PASSWORD_FIELD, ...(hasTotp ? [code] : [])], 'Continue', {
  action: SECURITY_PATH,
  unseen: { [CSRF_FIELD]: token, action: 'confirm' },
  wrong,
})}`
}

/** The authenticator app, with its buttons if the session has just begun. */
export function totpPart(
  token: string,
  { hasTotp, codesLeft }: { readonly hasTotp: boolean; readonly codesLeft: number },
  isFresh: boolean,
): Html {
  const buttons = hasTotp
    ? html`${act(token, 'codes-renew', 'New recovery codes')}
${act(token, 'totp-end', 'Turn off', { look: 'danger' })}`
    : act(token, 'totp-start', 'Set up')
  return html`<h2>Authenticator app</h2>
<p>${hasTotp ? `On. ${codesLeft} recovery codes are left.` : 'Off. With an app, a log-in needs a code besides the password.'}</p>
${isFresh ? buttons : NOTHING}`
}

/** The secret of an app that is set up, as a picture and as text. */
export function secretPart(
  token: string,
  totp: Totp,
  { organization, email }: { readonly organization: string; readonly email: string },
  wrong?: Problem,
): Html {
  const picture = renderSVG(totpUrl(totp, organization, email), { border: 2, ecc: 'M' })
  return html`<p>Scan this with your authenticator app.</p>
${new Html(picture.replace('<svg ', '<svg class="qr" role="img" aria-label="QR code of the secret" '))}
<p>Or enter the secret: <code>${totp.secret.match(/.{1,4}/g)?.join(' ') ?? ''}</code></p>
${form([{ ...CODE_FIELD, hasFocus: true }], 'Turn on', {
  action: SECURITY_PATH,
  unseen: { [CSRF_FIELD]: token, action: 'totp-confirm' },
  wrong,
})}`
}

/** New recovery codes, which are shown once. */
export function codesPart(codes: readonly string[]): Html {
  return html`<p>Each of these codes replaces a code of your app once. Write them down: they are not shown again.</p>
<ul class="codes">
${codes.map((code) => html`<li>${code}</li>`)}
</ul>
${linkButton('I have them', SECURITY_PATH)}`
}

/** The passkeys; the script adds one. */
export function passkeysPart(token: string, passkeys: readonly PasskeyRow[], isFresh: boolean): Html {
  const adding = html`<div data-passkey="add" data-csrf="${token}" data-next="${SECURITY_PATH}" hidden>
<p class="problem" role="alert" hidden></p>
<button type="button" class="quiet">Add a passkey</button>
</div>`
  return html`<h2>Passkeys</h2>
${hint('Your device logs you in by its screen lock, without a password and code.')}
${passkeys.map((one) => passkeyPart(token, one, isFresh))}
${isFresh ? adding : NOTHING}`
}

function passkeyPart(token: string, { id, name, createdAt, usedAt }: PasskeyRow, isFresh: boolean): Html {
  const used = usedAt === null ? 'never used' : `last used on ${day(usedAt)}`
  return html`<p><b><bdi>${name}</bdi></b>, added on ${day(createdAt)}, ${used}</p>
<form method="post" action="${SECURITY_PATH}">
${hidden(CSRF_FIELD, token)}${hidden('action', 'passkey-rename')}${hidden('id', id)}
${field({ name: 'name', id: `name-${id}`, label: 'Name', autocomplete: 'off', lengthMax: PASSKEY_NAME_LENGTH_MAX, value: name })}
${button('Rename', { look: 'quiet' })}
</form>
${isFresh ? act(token, 'passkey-remove', 'Remove', { look: 'danger', id }) : NOTHING}`
}

/** The sessions, each with a button that ends it. */
export function sessionsPart(token: string, sessions: readonly SessionRow[], currentId: string): Html {
  const rows = sessions.map(
    ({ id, client, address, seenAt }) => html`<tr>
<td>${describeClient(client)}${id === currentId ? ' (this one)' : ''}</td><td>${address}</td><td>${day(seenAt)}</td>
<td>${act(token, 'session-end', 'Log out', { id })}</td>
</tr>
`,
  )
  return html`<h2>Where you are logged in</h2>
<table>
<thead><tr><th>Browser</th><th>Address</th><th>Last used</th><td></td></tr></thead>
<tbody>
${rows}
</tbody>
</table>
${sessions.length > 1 ? act(token, 'sessions-end', 'Log out everywhere else', { look: 'danger' }) : NOTHING}`
}

function day(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}
