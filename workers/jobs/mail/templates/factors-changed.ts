/** The mail that warns of a change of second factors. */

import type { FactorChange } from '../../../../server/domain/accounts/second-factors.ts'
import type { MailContent } from '../mail-layout.ts'

/** Each change, before the account that it changes, and its result. */
const CHANGES: Readonly<Record<FactorChange, { readonly title: string; readonly result: string }>> = {
  totp_on: {
    title: 'An authenticator app was added to',
    result: 'Logging in with the password now takes a code from that app.',
  },
  totp_off: {
    title: 'The authenticator app was removed from',
    result: 'Logging in with the password no longer takes a code.',
  },
  codes_renewed: {
    title: 'Recovery codes were replaced for',
    result: 'The earlier recovery codes no longer work.',
  },
  passkey_added: {
    title: 'A passkey was added to',
    result: 'A device with it can log in without your password.',
  },
  passkey_removed: {
    title: 'A passkey was removed from',
    result: 'It can no longer log in.',
  },
  reset: {
    title: 'Second factors were removed from',
    result:
      'An administrator or the server operator removed your authenticator app and passkeys, and logged out all devices.',
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
    organization,
    subject: `${title} your account at ${organization}`,
    paragraphs: [`Hello ${name},`, `${title} your account ${email} at ${organization}. ${result}`],
    details: [['Time', time]],
    action: { label: 'Change password', url },
    notes: [
      'If this was you, ignore this email.',
      `Not you? Change your password at once: that logs out all devices. Then check ${securityUrl}`,
      'If you cannot log in, contact an administrator.',
    ],
  }
}
