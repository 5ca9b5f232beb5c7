/** Messages that were typed and not sent yet, in the storage of the browser. */

import type { OutboxEntry } from '../store/outbox/stored-entry.ts'
import type { OutboxStorage } from '../store/outbox/outbox.ts'
import { JournaledStore } from './journaled-store.ts'

/** The storage of one user on this device. */
export function openOutboxStorage(userId: number): OutboxStorage {
  return new JournaledStore<OutboxEntry>(userId, 'outbox', ({ localId }) => localId)
}
