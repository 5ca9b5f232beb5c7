/** The drafts of one user: on this device, and on the server. */

import type { ParleyClient } from '../../packages/client/src/index.ts'
import type { State } from '../store/apply.ts'
import { type DraftEntry, draftKey } from '../store/drafts/draft-entry.ts'
import { Drafts } from '../store/drafts/drafts.ts'
import type { OutboxEntry } from '../store/outbox/stored-entry.ts'
import { JournaledStore } from './journaled-store.ts'
import { openOutboxStorage } from './outbox-storage.ts'

export function openDrafts(userId: number, api: ParleyClient, state: () => State | undefined): Drafts {
  const store = new JournaledStore<DraftEntry>(userId, 'drafts', ({ place }) => draftKey(place))
  const outbox = openOutboxStorage(userId)
  return new Drafts({
    storage: {
      load: async () => {
        const [drafts, messages] = await Promise.all([store.load(), outbox.load().catch(() => [])])
        return drafts.map((draft) => {
          if (!messages.some((message) => isDraftOf(draft, message))) return draft
          const emptied = { ...draft, content: '', isSaved: false }
          void store.put(emptied).catch(() => undefined)
          return emptied
        })
      },
      note: (entry) => store.note(entry),
      put: (entry) => store.put(entry),
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

/** Whether a message was made of a draft: its page was left between both writes. */
export function isDraftOf({ content, editedAtMs }: DraftEntry, message: OutboxEntry): boolean {
  return content === message.content && editedAtMs <= message.typedAtMs
}
