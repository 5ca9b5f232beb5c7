/** Passwords that are made of their user's own names: an attacker tries these first. */

import { foldCase } from '../../../packages/rules/fold-case.ts'

/** Everyone can read or guess these names. */
export interface PasswordOwner {
  readonly email: string
  readonly fullName: string
  /** The name of the organization. */
  readonly organization: string
}

/** Characters of a name that counts: shorter ones are in ordinary words, too. */
const NAME_LENGTH_MIN = 3
/** Letters beside the names: years and punctuation are the commonest additions, so only letters count. */
const OTHER_LETTERS_MIN = 4
/** The name of this software, which some choose for a password here. */
const PRODUCT = 'parley'

/** Whether a password has little beside the address and name of its user, and the name of the organization. */
export function isPersonalPassword(password: string, owner: PasswordOwner): boolean {
  let rest = lettersAndDigits(password)
  let hasName = false
  for (const name of namesOf(owner)) {
    if (!rest.includes(name)) continue
    hasName = true
    rest = rest.replaceAll(name, ' ')
  }
  return hasName && rest.replaceAll(/\P{L}/gu, '').length < OTHER_LETTERS_MIN
}

/** The names and their parts, the longest first. */
function namesOf({ email, fullName, organization }: PasswordOwner): readonly string[] {
  const at = email.lastIndexOf('@')
  const host = email.slice(at + 1)
  // Everyone shares the end of a host, such as `com`.
  const site = host.slice(0, Math.max(0, host.lastIndexOf('.')))
  const whole = [email, email.slice(0, at), site, fullName, organization, PRODUCT]
  const parts = whole.flatMap((name) => [name, ...name.split(/[^\p{L}\p{M}\p{N}]+/u)]).map(lettersAndDigits)
  return [...new Set(parts)]
    .filter((part) => part.length >= NAME_LENGTH_MIN)
    .sort((a, b) => b.length - a.length)
}

/** Without case, accents, spaces and punctuation, which hide a name from nobody. */
function lettersAndDigits(text: string): string {
  return foldCase(text.normalize('NFKD')).replaceAll(/[^\p{L}\p{N}]/gu, '')
}
