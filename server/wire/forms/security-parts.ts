/** The parts of the page on the security of an account. */

import { renderSVG } from 'uqr'
import type { PasskeyRow } from '../../../db/accounts/passkeys.ts'
import { totpUrl } from '../../changes/users/totp.ts'
import { PASSKEY_NAME_LENGTH_MAX } from '../../domain/accounts/passkeys.ts'
import type { Totp } from '../../domain/accounts/second-factors.ts'
import { Html, html, NOTHING } from '../html.ts'
import { CODE_FIELD, PASSWORD_FIELD } from './account-fields.ts'
import { button, type ButtonLook, field, form, hidden, hint, linkButton, type Problem } from './parts.ts'
import { CSRF_FIELD, DEVICE_SETTINGS_PATH, LOG_OUT_PATH, SECURITY_PATH } from './paths.ts'

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
  return html`<h2>Confirm your password</h2>
${hint('Changes here need your password, once in ten minutes.')}
${form([PASSWORD_FIELD, ...(hasTotp ? [CODE_FIELD] : [])], 'Continue', {
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
<p>${hasTotp ? `On. ${codesLeft} recovery codes left.` : 'Off. With an app, logging in takes a code as well as your password.'}</p>
${isFresh ? html`<div class="ways">${buttons}</div>` : NOTHING}`
}

/** The secret of an app that is set up, as a picture and as text. */
export function secretPart(
  token: string,
  totp: Totp,
  { organization, email }: { readonly organization: string; readonly email: string },
  wrong?: Problem,
): Html {
  const picture = renderSVG(totpUrl(totp, organization, email), { border: 2, ecc: 'M' })
  return html`<p class="lead">Scan this with your authenticator app.</p>
${new Html(picture.replace('<svg ', '<svg class="qr" role="img" aria-label="QR code of the key" '))}
<p>Or enter this key: <code>${totp.secret.match(/.{1,4}/g)?.join(' ') ?? ''}</code></p>
${form([{ ...CODE_FIELD, hint: 'Six digits from your authenticator app.', hasFocus: true }], 'Turn on', {
  action: SECURITY_PATH,
  unseen: { [CSRF_FIELD]: token, action: 'totp-confirm' },
  wrong,
})}`
}

/** New recovery codes, which are shown once. */
export function codesPart(codes: readonly string[]): Html {
  return html`<p>Each of these works once in place of a code from your app. Save them now: they are not shown again.</p>
<ul class="codes">
${codes.map((code) => html`<li>${code}</li>`)}
</ul>
${linkButton('Done', SECURITY_PATH)}`
}

/** The passkeys; the script adds one. */
export function passkeysPart(token: string, passkeys: readonly PasskeyRow[], isFresh: boolean): Html {
  const adding = html`<div class="ways" data-passkey="add" data-csrf="${token}" data-next="${SECURITY_PATH}" hidden>
<p class="problem" role="alert" hidden></p>
<button type="button" class="quiet">Add a passkey</button>
</div>`
  return html`<h2>Passkeys</h2>
${hint('Log in with your fingerprint, face or screen lock, without a password or code.')}
${passkeys.map((one) => passkeyPart(token, one, isFresh))}
${isFresh ? adding : NOTHING}`
}

function passkeyPart(token: string, { id, name, createdAt, usedAt }: PasskeyRow, isFresh: boolean): Html {
  const used = usedAt === null ? 'never used' : `last used ${day(usedAt)}`
  return html`<p><b><bdi>${name}</bdi></b> · added ${day(createdAt)}, ${used}</p>
<div class="inline">
<form class="inline" method="post" action="${SECURITY_PATH}">
${hidden(CSRF_FIELD, token)}${hidden('action', 'passkey-rename')}${hidden('id', id)}
${field({ name: 'name', id: `name-${id}`, label: 'Name', autocomplete: 'off', lengthMax: PASSKEY_NAME_LENGTH_MAX, value: name })}
${button('Rename', { look: 'quiet' })}
</form>
${isFresh ? act(token, 'passkey-remove', 'Remove', { look: 'danger', id }) : NOTHING}
</div>`
}

/** The ways to log out, also without script. The client lists the sessions one by one. */
export function devicesPart(token: string, sessionCount: number): Html {
  const devices = sessionCount === 1 ? 'this device' : `${sessionCount} devices`
  return html`<h2>Devices</h2>
<p>You are logged in on ${devices}. <a href="${DEVICE_SETTINGS_PATH}">Show devices</a></p>
<div class="ways">
<form method="post" action="${LOG_OUT_PATH}">
${hidden(CSRF_FIELD, token)}
${button('Log out', { look: 'quiet' })}
</form>
${sessionCount > 1 ? act(token, 'sessions-end', 'Log out other devices', { look: 'danger' }) : NOTHING}
</div>`
}

function day(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}
