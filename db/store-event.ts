/** Writes the rows that an event stands for, in the transaction that logs it. */

import type { LogEntry } from '../server/domain/events.ts'
import { storeChannel } from './channels.ts'
import type { Transaction } from './connect.ts'
import { storeMessage } from './messages.ts'
import { storeOrganization } from './organization.ts'
import { removeQueuesOf } from './queues.ts'
import { endSubscriptions, startSubscriptions } from './subscriptions.ts'
import { storeApiKeys, storeUser, storeUserActive } from './users.ts'

/** Stores one numbered event's rows. */
export async function storeEvent(tx: Transaction, { id, event }: LogEntry): Promise<void> {
  switch (event.type) {
    case 'message':
      return storeMessage(tx, id, event)
    case 'organization_created':
      return storeOrganization(tx, event.organization)
    case 'realm_user/add':
      return storeUser(tx, event.user)
    case 'realm_user/update':
      await storeUserActive(tx, event.userId, event.isActive)
      if (!event.isActive) await removeQueuesOf(tx, event.userId)
      return
    case 'api_keys_changed':
      return storeApiKeys(tx, event.userId, event.keyHashes)
    case 'stream/create':
      for (const channel of event.isNew ? event.channels : []) await storeChannel(tx, channel)
      return
    case 'subscription/add':
      return startSubscriptions(tx, id, event.channelIds, event.userIds)
    case 'subscription/remove':
      return endSubscriptions(tx, id, event.channelIds, event.userIds)
    case 'stream/delete':
    case 'subscription/peer_add':
    case 'subscription/peer_remove':
      return // Told to clients only: the rows come with the event that caused it.
  }
}
