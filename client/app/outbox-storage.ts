/** Messages that were typed and not sent yet, in the database of the browser. */

import type { OutboxEntry } from '../store/outbox/outbox-entry.ts'
import type { OutboxStorage } from '../store/outbox/outbox.ts'
import { DeviceStore } from './device-store.ts'

/** The storage of one user on this device. */
export function openOutboxStorage(userId: number): OutboxStorage {
  const store = new DeviceStore<OutboxEntry>(userId, 'outbox')
  return {
    load: () => store.load(),
    put: (entry) => store.put(entry.localId, entry),
    remove: (localId) => store.remove(localId),
  }
}
