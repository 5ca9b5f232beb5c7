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
    subject: `Confirm your email address for ${organization}`,
    paragraphs: [
      `Hello ${name},`,
      `Confirm that you want to use ${email} for your account at ${organization}.`,
    ],
    action: { label: 'Confirm address', url },
    notes: [
      'The link works once, within a day. A newer email replaces it.',
      'If this wasn’t you, ignore this email. Nothing will change.',
    ],
  }
}

/** To the former address: warns its holder. */
export function addressChangedMail({ organization, name, email, url }: AddressMail): MailContent {
  return {
    subject: `Your email address at ${organization} was changed`,
    paragraphs: [
      `Hello ${name},`,
      `The email address of your account at ${organization} was changed. It no longer uses ${email}.`,
    ],
    action: { label: 'Log in', url },
    notes: ['If this wasn’t you, contact an administrator right away.'],
  }
}

/** To the new address, once it is confirmed. */
export function addressInUseMail({ organization, name, email, url }: AddressMail): MailContent {
  return {
    subject: `Your new email address at ${organization}`,
    paragraphs: [
      `Hello ${name},`,
      `Your account at ${organization} now uses ${email}. Log in with it from now on.`,
    ],
    action: { label: 'Log in', url },
    notes: ['If this wasn’t you, contact an administrator right away.'],
  }
}
