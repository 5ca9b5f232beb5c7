/** What the jobs of push notifications work with. */

import type { Sql } from '../../../db/connect.ts'
import type { PushRelaySettings } from '../../../server/domain/push-relay.ts'

/** What push work is done with. */
export interface PushContext {
  readonly sql: Sql
  readonly relay: PushRelaySettings
  /** By which the relay knows the organization. */
  readonly organizationId: string
}
