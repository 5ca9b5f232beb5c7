/** The drafts of one user: on this device, and on the server. */

import type { ParleyClient } from '../../packages/client/src/index.ts'
import type { State } from '../store/apply.ts'
import type { DraftEntry } from '../store/drafts/draft-entry.ts'
import { Drafts } from '../store/drafts/drafts.ts'
import { DeviceStore } from './device-store.ts'

export function openDrafts(userId: number, api: ParleyClient, state: () => State | undefined): Drafts {
  const store = new DeviceStore<DraftEntry>(userId, 'drafts')
  return new Drafts({
    storage: {
      load: () => store.load(),
      put: (key, entry) => store.put(key, entry),
      remove: (key) => store.remove(key),
    },
    async create(draft) {
      const { ids } = await api.call('POST /drafts', { drafts: [draft] })
      const [id] = ids
      if (id === undefined) throw new Error('the server made no draft')
      return id
    },
    update: (id, draft) => api.call('PATCH /drafts/{draft_id}', { draft_id: id, draft }),
    remove: (id) => api.call('DELETE /drafts/{draft_id}', { draft_id: id }),
    isShared: () => state()?.user_settings?.enable_drafts_synchronization ?? false,
    nowMs: Date.now,
  })
}
