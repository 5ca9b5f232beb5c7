/** The form to log in: its fields and words, for the client and for the pages that work without it. */

export const EMAIL_FIELD = {
  label: 'Email address',
  type: 'email',
  autocomplete: 'username',
} as const

export const PASSWORD_FIELD = {
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
} as const

export const CODE_FIELD = {
  label: 'Code',
  autocomplete: 'one-time-code',
  hint: 'Six digits from your authenticator app, or a recovery code.',
} as const

export const WORDS = {
  logIn: 'Log in',
  byPasskey: 'Log in with a passkey',
  forgot: 'Forgot your password?',
  otherAccount: 'Log in with another account',
  exposedDemo:
    'This demo is on a public address: others may know its accounts. Do not post anything that matters.',
  wrongPassword: 'Wrong email address or password.',
  wrongCode: 'Wrong code, or already used.',
} as const

export function byProvider(name: string): string {
  return `Log in with ${name}`
}
