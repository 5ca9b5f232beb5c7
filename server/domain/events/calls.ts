/** A user's access to the provider of video calls, for that user alone. */

import type { UserId } from '../ids.ts'

export type CallFact = {
  /** Whether a user may start calls there now. Only its table has the token, sealed. */
  readonly type: 'has_provider_token'
  readonly userId: UserId
  /** The token of the table that is valid now, or no longer. */
  readonly tokenId: string
  readonly value: boolean
}
