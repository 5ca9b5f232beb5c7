/** The mail that warns of a new password. */

import type { NewPassword } from '../../../../server/domain/events/users.ts'
import type { MailContent } from '../mail-layout.ts'

/** The ways to a new password; the first one of an account warns nobody. */
type PasswordWay = Exclude<NewPassword['kind'], 'first'>

const SENTENCES: Readonly<Record<PasswordWay, string>> = {
  changed: 'This was done in your settings, and all other devices were logged out.',
  by_link: 'This was done with a link that we sent to this address. All devices were logged out.',
  by_operator: 'The server’s operator did this. All devices were logged out.',
}
const REMEDIES: Readonly<Record<PasswordWay, string>> = {
  changed: 'If not, choose a new password right away. This logs out all devices.',
  by_link:
    'If not, someone else may be reading your email. First change the password of your mailbox, then choose a new one here.',
  by_operator: 'If you didn’t expect this, contact the operator and choose a new password.',
}

/** The names are plain ones. */
export function passwordChangedMail({
  organization,
  name,
  email,
  way,
  time,
  url,
}: {
  readonly organization: string
  readonly name: string
  readonly email: string
  readonly way: PasswordWay
  readonly time: string
  readonly url: string
}): MailContent {
  return {
    subject: `Your password at ${organization} was changed`,
    paragraphs: [
      `Hello ${name},`,
      `The password of your account ${email} at ${organization} was changed. ${SENTENCES[way]}`,
      `Time: ${time}`,
    ],
    action: { label: 'Choose a new password', url },
    notes: ['If this was you, ignore this email.', REMEDIES[way]],
  }
}
