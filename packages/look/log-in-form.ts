/** The form to log in: its fields and words, for the client and for the pages that work without it. */

import { textId } from '../texts/texts.ts'

export const EMAIL_FIELD = {
  label: textId('Email address'),
  type: 'email',
  autocomplete: 'username',
} as const

/** Instead, if people may enter a name of the company's directory, too. */
export const USER_NAME_FIELD = {
  label: textId('Email address or user name'),
  type: 'text',
  autocomplete: 'username',
} as const

export const PASSWORD_FIELD = {
  label: textId('Password'),
  type: 'password',
  autocomplete: 'current-password',
} as const

export const CODE_FIELD = {
  label: textId('Code'),
  autocomplete: 'one-time-code',
  hint: textId('Six digits from your authenticator app, or a recovery code.'),
} as const

/** Problems with a passkey, for its script. */
export const PASSKEY_WORDS = {
  unused: textId('No passkey was used.'),
  refused: textId('The passkey was not accepted.'),
  silent: textId('The server does not respond. Try again.'),
} as const

export const WORDS = {
  logIn: textId('Log in'),
  byPasskey: textId('Log in with a passkey'),
  forgot: textId('Forgot your password?'),
  otherAccount: textId('Log in with another account'),
  exposedDemo: textId(
    'This demo is on a public address: others may know its accounts. Do not post anything that matters.',
  ),
  wrongPassword: textId('Wrong email address or password.'),
  wrongUserName: textId('Wrong user name or password.'),
  wrongCode: textId('Wrong code, or already used.'),
} as const
