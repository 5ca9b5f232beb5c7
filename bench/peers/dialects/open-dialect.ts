/** The dialects by name, so that another process can open one. */

import type { Dialect } from './dialect.ts'
import { natsDialect } from './nats.ts'
import { parleyDialect, type ParleyRoom } from './parley.ts'
import { xmppDialect, type XmppHost } from './xmpp.ts'

/** A room of a peer, as the measuring process describes it to the load. */
export type Room =
  | { readonly kind: 'parley'; readonly room: ParleyRoom }
  | { readonly kind: 'nats'; readonly port: number; readonly subject: string }
  | { readonly kind: 'xmpp'; readonly host: XmppHost }

export function openDialect(room: Room): Dialect {
  switch (room.kind) {
    case 'parley':
      return parleyDialect(room.room)
    case 'nats':
      return natsDialect(room.port, room.subject)
    case 'xmpp':
      return xmppDialect(room.host)
  }
}
