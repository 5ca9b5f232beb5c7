/** The mails about a new address of an account. */

import type { MailContent } from '../mail-layout.ts'

/** The names are plain ones. */
interface AddressMail {
  readonly organization: string
  readonly name: string
  /** The address that gets the mail. */
  readonly email: string
  readonly url: string
}

/** To the new address: confirms it. */
export function addressChangeMail({ organization, name, email, url }: AddressMail): MailContent {
  return {
    subject: `Confirm your address for ${organization}`,
    paragraphs: [
      `Hello ${name},`,
      `You want to use the address ${email} for your account at ${organization}.`,
    ],
    action: { label: 'Confirm the address', url },
    notes: [
      'The link works once, within a day. A newer mail replaces it.',
      'If that was not you, ignore this mail: then nothing changes.',
    ],
  }
}

/** To the former address: warns its holder. */
export function addressChangedMail({ organization, name, email, url }: AddressMail): MailContent {
  return {
    subject: `Your account at ${organization} has another address`,
    paragraphs: [
      `Hello ${name},`,
      `Your account at ${organization} has another email address now. ${email} is no longer in use there.`,
    ],
    action: { label: 'Log in', url },
    notes: ['If that was not you, write to an administrator at once.'],
  }
}

/** To the new address, once it is confirmed. */
export function addressInUseMail({ organization, name, email, url }: AddressMail): MailContent {
  return {
    subject: `Your account at ${organization} has this address now`,
    paragraphs: [
      `Hello ${name},`,
      `Your account at ${organization} has the email address ${email} now. Log in with it from now on.`,
    ],
    action: { label: 'Log in', url },
    notes: ['If that was not you, write to an administrator at once.'],
  }
}
