/** The mails about a new address of an account. */

import type { ServerTexts } from '../../../../server/texts/texts.ts'
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
export function addressChangeMail(
  texts: ServerTexts,
  { organization, name, email, url }: AddressMail,
): MailContent {
  const { t } = texts
  return {
    texts,
    organization,
    subject: t('Confirm your email address for {organization}', { organization }),
    paragraphs: [
      t('Hello {name},', { name }),
      t('Confirm {email} as the new address of your account at {organization}.', { email, organization }),
    ],
    action: { label: t('Confirm address'), url },
    notes: [
      t('This link works once, for one day. A newer email replaces it.'),
      t('Not you? Ignore this email, and nothing changes.'),
    ],
  }
}

/** To the former address: warns its holder. */
export function addressChangedMail(
  texts: ServerTexts,
  { organization, name, email, url }: AddressMail,
): MailContent {
  const { t } = texts
  return {
    texts,
    organization,
    subject: t('Your email address at {organization} was changed', { organization }),
    paragraphs: [
      t('Hello {name},', { name }),
      t('Your account at {organization} has a new email address. It no longer uses {email}.', {
        organization,
        email,
      }),
    ],
    action: { label: t('Log in'), url },
    notes: [t('Not you? Contact an administrator at once.')],
  }
}

/** To the new address, once it is confirmed. */
export function addressInUseMail(
  texts: ServerTexts,
  { organization, name, email, url }: AddressMail,
): MailContent {
  const { t } = texts
  return {
    texts,
    organization,
    subject: t('Your account at {organization} now uses this address', { organization }),
    paragraphs: [
      t('Hello {name},', { name }),
      t('Your account at {organization} now uses {email}. Log in with it from now on.', {
        organization,
        email,
      }),
    ],
    action: { label: t('Log in'), url },
    notes: [t('Not you? Contact an administrator at once.')],
  }
}
