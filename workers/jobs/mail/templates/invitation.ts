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
  const end = expiresAt === null ? '' : ` It expires on ${dateOf(expiresAt)}.`
  return {
    organization,
    subject: `Invitation to ${organization}`,
    paragraphs: ['Hello,', `${inviter} invites you to the team chat of ${organization}.`],
    action: { label: 'Accept invitation', url },
    notes: [
      `This link is for ${email} only, and works once.${end}`,
      'Not expecting this? Ignore this email, and no account is created.',
    ],
  }
}

/** A date in words, since the order of numbers differs between countries. */
function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
}
