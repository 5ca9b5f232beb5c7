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
    subject: `A new device at ${organization}`,
    paragraphs: [
      `Hello ${name},`,
      `Somebody logged in to your account ${email} at ${organization} from a device that was not used before.`,
      `Device: ${client}`,
      `Network address: ${address}`,
      `Time: ${time}`,
    ],
    action: { label: 'Choose a new password', url },
    notes: [
      'If that was you, ignore this mail.',
      'If not, choose a new password at once. It logs out all devices.',
    ],
    stopUrl,
  }
}
