/** Dependencies of the push notification jobs. */

import type { Sql } from '../../../db/connection/connect.ts'
import type { PushRelaySettings } from '../../../server/domain/settings/push-relay.ts'

/** Dependencies of push work. */
export interface PushContext {
  readonly sql: Sql
  readonly relay: PushRelaySettings
  /** The organization's id at the relay. */
  readonly organizationId: string
}
