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
    organization,
    subject: `Confirm your email address for ${organization}`,
    paragraphs: [`Hello ${name},`, `Confirm ${email} as the new address of your account at ${organization}.`],
    action: { label: 'Confirm address', url },
    notes: [
      'This link works once, for one day. A newer email replaces it.',
      'Not you? Ignore this email, and nothing changes.',
    ],
  }
}

/** To the former address: warns its holder. */
export function addressChangedMail({ organization, name, email, url }: AddressMail): MailContent {
  return {
    organization,
    subject: `Your email address at ${organization} was changed`,
    paragraphs: [
      `Hello ${name},`,
      `Your account at ${organization} has a new email address. It no longer uses ${email}.`,
    ],
    action: { label: 'Log in', url },
    notes: ['Not you? Contact an administrator at once.'],
  }
}

/** To the new address, once it is confirmed. */
export function addressInUseMail({ organization, name, email, url }: AddressMail): MailContent {
  return {
    organization,
    subject: `Your account at ${organization} now uses this address`,
    paragraphs: [
      `Hello ${name},`,
      `Your account at ${organization} now uses ${email}. Log in with it from now on.`,
    ],
    action: { label: 'Log in', url },
    notes: ['Not you? Contact an administrator at once.'],
  }
}
