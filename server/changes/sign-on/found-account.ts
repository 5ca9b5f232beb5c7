/** The answers to the question for the account of a person whom a provider has identified. */

import type { AccountPolicy } from '../../domain/accounts/parse-providers.ts'
import type { User } from '../../domain/entities.ts'
import type { ApiError } from '../../errors/api-error.ts'

/** The account, or the reason why there is none. */
export type FoundAccount =
  | { readonly kind: 'found'; readonly user: User }
  | { readonly kind: 'deactivated'; readonly user: User }
  /** The provider has not verified an address. */
  | { readonly kind: 'unverified' }
  /** The account of the address belongs to another account at the provider. */
  | { readonly kind: 'taken' }
  /** They came with an invitation by mail to another address than the provider's. */
  | { readonly kind: 'other_address' }
  /** There is no account, and this person may not make one. */
  | { readonly kind: 'absent' }
  /** An account cannot be made, for a reason that the person may read. */
  | { readonly kind: 'refused'; readonly error: ApiError }

/** The rules for people without an account. */
export interface Admittance {
  readonly accounts: AccountPolicy
  /** The key of an invitation that they came with. */
  readonly invitationKey: string | undefined
}
