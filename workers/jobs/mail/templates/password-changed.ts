/** The mail that warns of a new password. */

import type { NewPassword } from '../../../../server/domain/events/credentials.ts'
import type { ServerTexts } from '../../../../server/texts/texts.ts'
import type { MailContent } from '../mail-layout.ts'

/** The ways to a new password; the first one of an account warns nobody. */
type PasswordWay = Exclude<NewPassword['kind'], 'first'>

/** The change, and the remedy if it was somebody else. */
function wordsOf({ t }: ServerTexts, way: PasswordWay): { readonly result: string; readonly remedy: string } {
  switch (way) {
    case 'changed':
      return {
        result: t('It was changed in your settings. All other devices were logged out.'),
        remedy: t('Not you? Change your password at once: that logs out all devices.'),
      }
    case 'by_link':
      return {
        result: t('It was changed by a link that we emailed to this address. All devices were logged out.'),
        remedy: t(
          'Not you? Someone else reads your email: first change the password of your mailbox, then the one here.',
        ),
      }
    case 'by_operator':
      return {
        result: t('The operator of the server changed it. All devices were logged out.'),
        remedy: t('Not expecting this? Contact the operator, and change your password.'),
      }
  }
}

/** The names are plain ones. */
export function passwordChangedMail(
  texts: ServerTexts,
  mail: {
    readonly organization: string
    readonly name: string
    readonly email: string
    readonly way: PasswordWay
    readonly time: string
    readonly url: string
  },
): MailContent {
  const { organization, name, email, way, time, url } = mail
  const { t } = texts
  const { result, remedy } = wordsOf(texts, way)
  const sentence = t('The password of your account {email} at {organization} was changed.', {
    email,
    organization,
  })
  return {
    texts,
    organization,
    subject: t('Your password at {organization} was changed', { organization }),
    paragraphs: [t('Hello {name},', { name }), `${sentence} ${result}`],
    details: [[t('Time'), time]],
    action: { label: t('Change password'), url },
    notes: [t('If this was you, ignore this email.'), remedy],
  }
}
