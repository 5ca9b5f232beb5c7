/** The dependencies of web push: the way out, and the server's key, which a rotation replaces at any time. */

import { readServerKey } from '../../../../db/personal/web-push.ts'
import type { Sql } from '../../../../db/connection/connect.ts'
import type { OutboundSettings } from '../../../../server/domain/settings/outbound.ts'
import { GuardedFetch } from '../../../../server/outbound/guarded-fetch.ts'
import { makeServerKey } from '../../../../server/outbound/web-push-keys.ts'
import type { WebPushSender } from './post-web-push.ts'
import { SilentServices } from './silent-services.ts'
import { Vapid } from './vapid.ts'

/** Requests at once, in all and to one host: most browsers of an organization have the same push service. */
const TURNS = { max: 96, perHostMax: 32 }

/** The dependencies of web push. */
export interface WebPushWork {
  readonly sql: Sql
  /** The server's address for clients. */
  readonly publicUrl: string
  /** The sender by the key that is stored now. */
  openSender(): Promise<WebPushSender>
}

/** @param contact the address that push services may write to, unless the server has one with TLS. */
export function createWebPushWork(
  sql: Sql,
  { outbound }: { readonly outbound: OutboundSettings },
  publicUrl: string,
  contact: string,
): WebPushWork {
  const fetch = new GuardedFetch(outbound, { turns: TURNS, reusesConnections: true })
  const silent = new SilentServices()
  // Some services refuse addresses of this machine.
  const subject = publicUrl.startsWith('https:') ? publicUrl : `mailto:${contact}`
  let last: { readonly publicKey: Buffer; readonly sender: WebPushSender } | undefined
  return {
    sql,
    publicUrl,
    async openSender() {
      const key = await readServerKey(sql, makeServerKey)
      if (!last?.publicKey.equals(key.publicKey))
        last = { publicKey: key.publicKey, sender: { fetch, vapid: new Vapid(key, subject), silent } }
      return last.sender
    },
  }
}
