/** The mail that invites the holder of an address. */

import type { MailContent } from '../mail-layout.ts'

/** The names are plain ones. */
export function invitationMail({
  organization,
  inviter,
  email,
  url,
  expiresAt,
}: {
  readonly organization: string
  readonly inviter: string
  readonly email: string
  readonly url: string
  /** UNIX seconds; null if it never expires. */
  readonly expiresAt: number | null
}): MailContent {
  const end = expiresAt === null ? '' : ` It ends on ${dateOf(expiresAt)}.`
  return {
    subject: `Invitation to ${organization}`,
    paragraphs: [
      'Hello,',
      `${inviter} invites you to the team chat of ${organization}. By the link you make your account there.`,
    ],
    action: { label: 'Make my account', url },
    notes: [
      `The link is for ${email} alone, and works once.${end}`,
      'If you did not expect this mail, ignore it: without you no account is made.',
    ],
  }
}

/** A date in words, since the order of numbers differs between countries. */
function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
}
