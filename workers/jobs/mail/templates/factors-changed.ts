/** The mail that warns of a change of second factors. */

import type { FactorChange } from '../../../../server/domain/accounts/second-factors.ts'
import type { MailContent } from '../mail-layout.ts'

/** Each change, before the account that it changes, and its result. */
const CHANGES: Readonly<Record<FactorChange, { readonly title: string; readonly result: string }>> = {
  totp_on: {
    title: 'An authenticator app was added to',
    result: 'A log-in by the password needs a code of that app from now on.',
  },
  totp_off: {
    title: 'The authenticator app was removed from',
    result: 'A log-in by the password needs no code any more.',
  },
  codes_renewed: {
    title: 'Recovery codes were replaced for',
    result: 'There are new recovery codes, and the earlier ones do not work any more.',
  },
  passkey_added: {
    title: 'A passkey was added to',
    result: 'The device that has it can log in without your password.',
  },
  passkey_removed: {
    title: 'A passkey was removed from',
    result: 'It does not log in any more.',
  },
  reset: {
    title: 'Second factors were removed from',
    result:
      'An administrator or the operator removed your authenticator app and passkeys, and logged out all devices.',
  },
}

/** The names are plain ones. */
export function factorsChangedMail({
  organization,
  name,
  email,
  change,
  time,
  url,
  securityUrl,
}: {
  readonly organization: string
  readonly name: string
  readonly email: string
  readonly change: FactorChange
  readonly time: string
  /** The page for a new password. */
  readonly url: string
  /** The page with the second factors. */
  readonly securityUrl: string
}): MailContent {
  const { title, result } = CHANGES[change]
  return {
    subject: `${title} your account at ${organization}`,
    paragraphs: [
      `Hello ${name},`,
      `${title} your account ${email} at ${organization}. ${result}`,
      `Time: ${time}`,
    ],
    action: { label: 'Choose a new password', url },
    notes: [
      'If you did that, or asked for it, ignore this mail.',
      `If not, choose a new password at once: it logs out all devices. Then look at ${securityUrl}`,
      'If you cannot log in any more, write to an administrator.',
    ],
  }
}
