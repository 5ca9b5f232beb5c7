/** Dependencies of the push notification jobs. */

import type { Sql } from '../../../db/connection/connect.ts'
import type { PushRelaySettings } from '../../../server/domain/settings/push-relay.ts'
import type { WebPushWork } from './web/web-push-work.ts'

/** Dependencies of push work. */
export interface PushContext {
  readonly sql: Sql
  /** Undefined without a relay. */
  readonly relay: PushRelaySettings | undefined
  /** Undefined if the operator has turned web push off. */
  readonly web: WebPushWork | undefined
  /** The organization's id at the relay. */
  readonly organizationId: string
}

/** The same where there is a relay. */
export type RelayContext = PushContext & { readonly relay: PushRelaySettings }

export function hasRelay(context: PushContext): context is RelayContext {
  return context.relay !== undefined
}
