/** Dependencies of the push notification jobs. */

import type { Sql } from '../../../db/connection/connect.ts'
import type { PushRelaySettings } from '../../../server/domain/settings/push-relay.ts'
import type { Clock } from '../../../server/domain/clock.ts'
import type { ReadActivity } from '../notifications/gather-mails.ts'
import type { OpenSender } from '../share-sender.ts'
import type { PushFigures } from './push-figures.ts'
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
  /** The server's address for clients. */
  readonly organizationUrl: string
  readonly figures: PushFigures
  readonly clock: Clock
  readonly openSender: OpenSender
  readonly readActivity: ReadActivity
}

/** The same where there is a relay. */
export type RelayContext = PushContext & { readonly relay: PushRelaySettings }

export function hasRelay(context: PushContext): context is RelayContext {
  return context.relay !== undefined
}
