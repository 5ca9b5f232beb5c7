/** The mail that warns of a change of second factors. */

import type { FactorChange } from '../../../../server/domain/accounts/second-factors.ts'
import type { ServerTexts } from '../../../../server/texts/texts.ts'
import type { MailContent } from '../mail-layout.ts'

/** A change of an account, and its result. */
interface Words {
  readonly title: string
  readonly sentence: string
  readonly result: string
}

/** Sentences of their own, since other languages do not put them together from parts. */
function wordsOf(
  { t }: ServerTexts,
  change: FactorChange,
  values: { readonly organization: string; readonly email: string },
): Words {
  const { organization, email } = values
  switch (change) {
    case 'totp_on':
      return {
        title: t('An authenticator app was added to your account at {organization}', { organization }),
        sentence: t('An authenticator app was added to your account {email} at {organization}.', {
          email,
          organization,
        }),
        result: t('Logging in with the password now takes a code from that app.'),
      }
    case 'totp_off':
      return {
        title: t('The authenticator app was removed from your account at {organization}', { organization }),
        sentence: t('The authenticator app was removed from your account {email} at {organization}.', {
          email,
          organization,
        }),
        result: t('Logging in with the password no longer takes a code.'),
      }
    case 'codes_renewed':
      return {
        title: t('Recovery codes were replaced for your account at {organization}', { organization }),
        sentence: t('Recovery codes were replaced for your account {email} at {organization}.', {
          email,
          organization,
        }),
        result: t('The earlier recovery codes no longer work.'),
      }
    case 'passkey_added':
      return {
        title: t('A passkey was added to your account at {organization}', { organization }),
        sentence: t('A passkey was added to your account {email} at {organization}.', {
          email,
          organization,
        }),
        result: t('A device with it can log in without your password.'),
      }
    case 'passkey_removed':
      return {
        title: t('A passkey was removed from your account at {organization}', { organization }),
        sentence: t('A passkey was removed from your account {email} at {organization}.', {
          email,
          organization,
        }),
        result: t('It can no longer log in.'),
      }
    case 'reset':
      return {
        title: t('Second factors were removed from your account at {organization}', { organization }),
        sentence: t('Second factors were removed from your account {email} at {organization}.', {
          email,
          organization,
        }),
        result: t(
          'An administrator or the server operator removed your authenticator app and passkeys, and logged out all devices.',
        ),
      }
  }
}

/** The names are plain ones. */
export function factorsChangedMail(
  texts: ServerTexts,
  mail: {
    readonly organization: string
    readonly name: string
    readonly email: string
    readonly change: FactorChange
    readonly time: string
    /** The page for a new password. */
    readonly url: string
    /** The page with the second factors. */
    readonly securityUrl: string
  },
): MailContent {
  const { organization, name, email, change, time, url, securityUrl } = mail
  const { t } = texts
  const { title, sentence, result } = wordsOf(texts, change, { organization, email })
  return {
    texts,
    organization,
    subject: title,
    paragraphs: [t('Hello {name},', { name }), `${sentence} ${result}`],
    details: [[t('Time'), time]],
    action: { label: t('Change password'), url },
    notes: [
      t('If this was you, ignore this email.'),
      t('Not you? Change your password at once: that logs out all devices. Then check {url}', {
        url: securityUrl,
      }),
      t('If you cannot log in, contact an administrator.'),
    ],
  }
}
