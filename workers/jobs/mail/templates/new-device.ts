/** The mail about a log-in from a new device. */

import type { MailContent } from '../mail-layout.ts'

/** The names are plain ones. */
export function newDeviceMail({
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
  readonly address: string
  readonly time: string
  readonly url: string
  readonly stopUrl: string
}): MailContent {
  return {
    organization,
    subject: `New log-in at ${organization}`,
    paragraphs: [`Hello ${name},`, `A new device logged in to your account ${email} at ${organization}.`],
    details: [
      ['Device', client],
      ['Network address', address],
      ['Time', time],
    ],
    action: { label: 'Change password', url },
    notes: [
      'If this was you, ignore this email.',
      'Not you? Change your password at once: that logs out all devices.',
    ],
    stopUrl,
  }
}
