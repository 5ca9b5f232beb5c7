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
    subject: `New log-in to your account at ${organization}`,
    paragraphs: [
      `Hello ${name},`,
      `Someone logged in to your account ${email} at ${organization} from a new device.`,
      `Device: ${client}`,
      `Network address: ${address}`,
      `Time: ${time}`,
    ],
    action: { label: 'Choose a new password', url },
    notes: [
      'If this was you, ignore this email.',
      'If not, choose a new password right away. This logs out all devices.',
    ],
    stopUrl,
  }
}
