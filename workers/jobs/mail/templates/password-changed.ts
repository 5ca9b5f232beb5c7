/** The mail that warns of a new password. */

import type { NewPassword } from '../../../../server/domain/events/credentials.ts'
import type { MailContent } from '../mail-layout.ts'

/** The ways to a new password; the first one of an account warns nobody. */
type PasswordWay = Exclude<NewPassword['kind'], 'first'>

const SENTENCES: Readonly<Record<PasswordWay, string>> = {
  changed: 'It was changed in your settings. All other devices were logged out.',
  by_link: 'It was changed by a link that we emailed to this address. All devices were logged out.',
  by_operator: 'The operator of the server changed it. All devices were logged out.',
}
const REMEDIES: Readonly<Record<PasswordWay, string>> = {
  changed: 'Not you? Change your password at once: that logs out all devices.',
  by_link:
    'Not you? Someone else reads your email: first change the password of your mailbox, then the one here.',
  by_operator: 'Not expecting this? Contact the operator, and change your password.',
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
    organization,
    subject: `Your password at ${organization} was changed`,
    paragraphs: [
      `Hello ${name},`,
      `The password of your account ${email} at ${organization} was changed. ${SENTENCES[way]}`,
    ],
    details: [['Time', time]],
    action: { label: 'Change password', url },
    notes: ['If this was you, ignore this email.', REMEDIES[way]],
  }
}
