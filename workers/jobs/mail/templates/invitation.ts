/** The mail that invites the holder of an address. */

import type { ServerTexts } from '../../../../server/texts/texts.ts'
import type { MailContent } from '../mail-layout.ts'
import { dateIn } from '../mail-times.ts'

/** The names are plain ones. */
export function invitationMail(
  texts: ServerTexts,
  {
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
  },
): MailContent {
  const { t } = texts
  return {
    texts,
    organization,
    subject: t('Invitation to {organization}', { organization }),
    paragraphs: [
      t('Hello,'),
      t('{inviter} invites you to the team chat of {organization}.', { inviter, organization }),
    ],
    action: { label: t('Accept invitation'), url },
    notes: [
      expiresAt === null
        ? t('This link is for {email} only, and works once.', { email })
        : t('This link is for {email} only, and works once. It expires on {day}.', {
            email,
            day: dateIn(texts, expiresAt),
          }),
      t('Not expecting this? Ignore this email, and no account is created.'),
    ],
  }
}
