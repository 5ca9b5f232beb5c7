/** The mails to somebody who wants to join by a link: one to confirm the address, one if it has an account. */

import type { ServerTexts } from '../../../../server/texts/texts.ts'
import type { MailContent } from '../mail-layout.ts'

/** The name is a plain one. */
interface JoinMail {
  readonly organization: string
  readonly email: string
  readonly url: string
}

/** Confirms an address. */
export function confirmJoiningMail(texts: ServerTexts, { organization, email, url }: JoinMail): MailContent {
  const { t } = texts
  return {
    texts,
    organization,
    subject: t('Your account at {organization}', { organization }),
    paragraphs: [
      t('Hello,'),
      t('Someone wants to join the team chat of {organization} as {email}.', { organization, email }),
    ],
    action: { label: t('Create account'), url },
    notes: [
      t('This link works once, for one day. A newer email replaces it.'),
      t('Not you? Ignore this email, and no account is created.'),
    ],
  }
}

/** Reminds of an account. */
export function accountExistsMail(
  texts: ServerTexts,
  { organization, email, isActive, url }: JoinMail & { readonly isActive: boolean },
): MailContent {
  const { t } = texts
  return {
    texts,
    organization,
    subject: t('Your account at {organization}', { organization }),
    paragraphs: [
      t('Hello,'),
      t('Someone wants to join the team chat of {organization} as {email}.', { organization, email }),
      isActive
        ? t('This address already has an account. Log in, or choose a new password if you forgot yours.')
        : t('The account of this address was deactivated. Ask an administrator to reactivate it.'),
    ],
    action: { label: t('Log in'), url },
    notes: [t('Not you? Ignore this email: nothing was changed.')],
  }
}
