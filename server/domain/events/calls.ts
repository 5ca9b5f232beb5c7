/** What users may do at the provider of video calls; told to them alone. */

import type { UserId } from '../ids.ts'

/** The event of calls. */
export type CallEvent = {
  /** Whether a user may start calls there from now on. The token itself is in its table alone, sealed. */
  readonly type: 'has_provider_token'
  readonly userId: UserId
  /** Which of the tokens in the table counts now, or no longer. */
  readonly tokenId: string
  readonly value: boolean
}
