/** The parts of the page on the security of an account. */

import { renderSVG } from 'uqr'
import type { PasskeyRow } from '../../../db/accounts/passkeys.ts'
import { totpUrl } from '../../changes/users/totp.ts'
import { PASSKEY_NAME_LENGTH_MAX } from '../../domain/accounts/passkeys.ts'
import type { Totp } from '../../domain/accounts/second-factors.ts'
import { type Html, html, NOTHING } from '../html.ts'
import type { PageTexts } from '../page-texts.ts'
import { codeField, passwordField } from './account-fields.ts'
import {
  button,
  type ButtonLook,
  code,
  field,
  form,
  hidden,
  hint,
  linkButton,
  linkTo,
  type Problem,
  qrPicture,
} from './parts.ts'
import { passkeyWords } from './passkey-words.ts'
import { CSRF_FIELD, DEVICE_SETTINGS_PATH, LOG_OUT_PATH, SECURITY_PATH } from './paths.ts'

/** The forms of the page: their secret, and their language. */
interface Forms {
  readonly token: string
  readonly texts: PageTexts
}

/** A form of one button. */
function act(
  { token }: Forms,
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
export function confirmForm({ token, texts }: Forms, hasTotp: boolean, wrong: Problem | undefined): Html {
  const { t } = texts
  return html`<h2>${t('Confirm your password')}</h2>
${hint(t('Changes here need your password, once in ten minutes.'))}
${form([passwordField(texts), ...(hasTotp ? [codeField(texts)] : [])], t('Continue'), {
  action: SECURITY_PATH,
  unseen: { [CSRF_FIELD]: token, action: 'confirm' },
  wrong,
})}`
}

/** The authenticator app, with its buttons if the session has just begun. */
export function totpPart(
  forms: Forms,
  { hasTotp, codesLeft }: { readonly hasTotp: boolean; readonly codesLeft: number },
  isFresh: boolean,
): Html {
  const { t } = forms.texts
  const buttons = hasTotp
    ? html`${act(forms, 'codes-renew', t('New recovery codes'))}
${act(forms, 'totp-end', t('Turn off'), { look: 'danger' })}`
    : act(forms, 'totp-start', t('Set up'))
  const now = hasTotp
    ? t('On. {count, plural, one {# recovery code} other {# recovery codes}} left.', { count: codesLeft })
    : t('Off. With an app, logging in takes a code as well as your password.')
  return html`<h2>${t('Authenticator app')}</h2>
<p>${now}</p>
${isFresh ? html`<div class="ways">${buttons}</div>` : NOTHING}`
}

/** The secret of an app that is set up, as a picture and as text. */
export function secretPart(
  { token, texts }: Forms,
  totp: Totp,
  { organization, email }: { readonly organization: string; readonly email: string },
  wrong?: Problem,
): Html {
  const picture = renderSVG(totpUrl(totp, organization, email), { border: 2, ecc: 'M' })
  const { t, markup } = texts
  const key = totp.secret.match(/.{1,4}/g)?.join(' ') ?? ''
  const field = { ...codeField(texts), hint: t('Six digits from your authenticator app.'), hasFocus: true }
  return html`<p class="lead">${t('Scan this with your authenticator app.')}</p>
${qrPicture(picture, t('QR code of the key'))}
<p>${markup('Or enter this key: <0>{key}</0>', { key }, [code])}</p>
${form([field], t('Turn on'), {
  action: SECURITY_PATH,
  unseen: { [CSRF_FIELD]: token, action: 'totp-confirm' },
  wrong,
})}`
}

/** New recovery codes, which are shown once. */
export function codesPart({ t }: PageTexts, codes: readonly string[]): Html {
  return html`<p>${t('Each of these works once in place of a code from your app. Save them now: they are not shown again.')}</p>
<ul class="codes">
${codes.map((one) => html`<li>${one}</li>`)}
</ul>
${linkButton(t('Done'), SECURITY_PATH)}`
}

/** The passkeys; the script adds one. */
export function passkeysPart(forms: Forms, passkeys: readonly PasskeyRow[], isFresh: boolean): Html {
  const { token, texts } = forms
  const { t } = texts
  const adding = html`<div class="ways" data-passkey="add" data-csrf="${token}" data-next="${SECURITY_PATH}"${passkeyWords(texts)} hidden>
<p class="problem" role="alert" hidden></p>
<button type="button" class="quiet">${t('Add a passkey')}</button>
</div>`
  return html`<h2>${t('Passkeys')}</h2>
${hint(t('Log in with your fingerprint, face or screen lock, without a password or code.'))}
${passkeys.map((one) => passkeyPart(forms, one, isFresh))}
${isFresh ? adding : NOTHING}`
}

function passkeyPart(forms: Forms, { id, name, createdAt, usedAt }: PasskeyRow, isFresh: boolean): Html {
  const { token, texts } = forms
  const { t } = texts
  const added = dayIn(texts, createdAt)
  const used =
    usedAt === null
      ? t('added {added}, never used', { added })
      : t('added {added}, last used {used}', { added, used: dayIn(texts, usedAt) })
  return html`<p><b><bdi>${name}</bdi></b> · ${used}</p>
<div class="inline">
<form class="inline" method="post" action="${SECURITY_PATH}">
${hidden(CSRF_FIELD, token)}${hidden('action', 'passkey-rename')}${hidden('id', id)}
${field({ name: 'name', id: `name-${id}`, label: t('Name'), autocomplete: 'off', lengthMax: PASSKEY_NAME_LENGTH_MAX, value: name })}
${button(t('Rename'), { look: 'quiet' })}
</form>
${isFresh ? act(forms, 'passkey-remove', t('Remove'), { look: 'danger', id }) : NOTHING}
</div>`
}

/** The ways to log out, also without script. The client lists the sessions one by one. */
export function devicesPart(forms: Forms, sessionCount: number): Html {
  const { token, texts } = forms
  const { t, markup } = texts
  const devices = markup(
    'You are logged in on {count, plural, one {this device} other {# devices}}. <0>Show devices</0>',
    { count: sessionCount },
    [linkTo(DEVICE_SETTINGS_PATH)],
  )
  return html`<h2>${t('Devices')}</h2>
<p>${devices}</p>
<div class="ways">
<form method="post" action="${LOG_OUT_PATH}">
${hidden(CSRF_FIELD, token)}
${button(t('Log out'), { look: 'quiet' })}
</form>
${sessionCount > 1 ? act(forms, 'sessions-end', t('Log out other devices'), { look: 'danger' }) : NOTHING}
</div>`
}

/** A day in words, from UNIX seconds. */
export function dayIn({ locale }: PageTexts, seconds: number): string {
  return new Date(seconds * 1000).toLocaleDateString(locale, { dateStyle: 'medium', timeZone: 'UTC' })
}
