/** The mail that warns of a new password. */

import type { NewPassword } from '../../../../server/domain/events/credentials.ts'
import type { MailContent } from '../mail-layout.ts'

/** The ways to a new password; the first one of an account warns nobody. */
type PasswordWay = Exclude<NewPassword['kind'], 'first'>

const SENTENCES: Readonly<Record<PasswordWay, string>> = {
  changed: 'It was changed in its settings, and all other devices were logged out.',
  by_link: 'It was chosen by a link that we mailed to this address. All devices were logged out.',
  by_operator: 'The operator of the server set it. All devices were logged out.',
}
const REMEDIES: Readonly<Record<PasswordWay, string>> = {
  changed: 'If not, choose a new password at once. It logs out all devices.',
  by_link:
    'If not, somebody else reads your mails: first change the password of your mailbox, then choose a new one here.',
  by_operator: 'If you did not expect it, write to the operator, and choose a new password.',
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
      `Your account ${email} at ${organization} has another password now. ${SENTENCES[way]}`,
      `Time: ${time}`,
    ],
    action: { label: 'Choose a new password', url },
    notes: ['If that was you, ignore this mail.', REMEDIES[way]],
  }
}
