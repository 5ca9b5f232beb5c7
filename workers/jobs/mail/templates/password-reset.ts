/** The mail with a link for a new password. */

import type { ServerTexts } from '../../../../server/texts/texts.ts'
import type { MailContent } from '../mail-layout.ts'

/** The names are plain ones. */
export function passwordResetMail(
  texts: ServerTexts,
  {
    organization,
    name,
    email,
    url,
  }: {
    readonly organization: string
    readonly name: string
    readonly email: string
    readonly url: string
  },
): MailContent {
  const { t } = texts
  return {
    texts,
    organization,
    subject: t('Reset your password for {organization}', { organization }),
    paragraphs: [
      t('Hello {name},', { name }),
      t('Someone asked to reset the password of your account {email} at {organization}.', {
        email,
        organization,
      }),
    ],
    action: { label: t('Choose a new password'), url },
    notes: [
      t('This link works once, for one hour. A new password logs you out on all devices.'),
      t('Not you? Ignore this email, and your password stays the same.'),
    ],
  }
}
