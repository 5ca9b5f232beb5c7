/** The mail about a log-in from a new device. */

import type { ServerTexts } from '../../../../server/texts/texts.ts'
import type { MailContent } from '../mail-layout.ts'

/** The names are plain ones. */
export function newDeviceMail(
  texts: ServerTexts,
  {
    organization,
    name,
    email,
    client,
    address,
    time,
    url,
    stopUrl,
  }: {
    readonly organization: string
    readonly name: string
    readonly email: string
    readonly client: string
    /** Undefined if it is not known. */
    readonly address: string | undefined
    readonly time: string
    readonly url: string
    readonly stopUrl: string
  },
): MailContent {
  const { t } = texts
  return {
    texts,
    organization,
    subject: t('New log-in at {organization}', { organization }),
    paragraphs: [
      t('Hello {name},', { name }),
      t('A new device logged in to your account {email} at {organization}.', { email, organization }),
    ],
    details: [
      [t('Device'), client],
      [t('Network address'), address ?? t('unknown')],
      [t('Time'), time],
    ],
    action: { label: t('Change password'), url },
    notes: [
      t('If this was you, ignore this email.'),
      t('Not you? Change your password at once: that logs out all devices.'),
    ],
    stopUrl,
  }
}
