/** Refused log-ins, codes, permissions and keys, as the audit log has them: for owners who look for attackers. */

import type { UserId } from '../ids.ts'

/**
 * The kinds of refusals: of a log-in or a password, of the code of a second factor, of a permission, and of an API key or a
 * ticket.
 */
export const REFUSALS = ['log_in', 'code', 'permission', 'key'] as const
export type Refusal = (typeof REFUSALS)[number]

/** Refusals of one kind, account, network and operation. */
export interface AccessRefused {
  readonly type: 'access_refused'
  readonly refusal: Refusal
  /**
   * Null if the log-in or the ticket named no account, and for many accounts together. The name that was typed is stored nowhere: some
   * type their password there.
   */
  readonly userId: UserId | null
  /** The network of the client, as limits count it; null for many together. */
  readonly network: string | null
  /** Such as `PATCH /realm`; null for a page, and for many together. */
  readonly operation: string | null
  readonly count: number
}
