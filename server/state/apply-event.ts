/** Folds the log into the state, one event at a time. */

import type { LogEntry } from '../domain/events.ts'
import type { MessageId } from '../domain/ids.ts'
import { UserSet } from '../domain/user-set.ts'
import type { OrganizationState } from './organization-state.ts'

/** Applies the entry that follows the last one applied. */
export function applyEvent(state: OrganizationState, { id, event }: LogEntry): void {
  if (id !== state.appliedId + 1) throw new Error(`event ${id} does not follow event ${state.appliedId}`)
  state.appliedId = id
  switch (event.type) {
    case 'message': {
      if (event.channelId === null) return
      const channel = state.getChannel(event.channelId)
      channel.firstMessageId ??= id as number as MessageId
      channel.lastMessageAt = event.sentAt
      return
    }
    case 'organization_created':
      state.organization = event.organization
      return
    case 'realm_user/add':
      state.placeUser(event.user)
      return
    case 'realm_user/update':
      state.placeUser({ ...state.getUser(event.userId), isActive: event.isActive })
      return
    case 'api_keys_changed':
      state.apiKeyHashes.set(event.userId, event.keyHashes)
      return
    case 'stream/create':
      for (const channel of event.isNew ? event.channels : []) {
        state.placeChannel({ channel, subscribers: UserSet.empty, firstMessageId: null, lastMessageAt: null })
      }
      return
    case 'subscription/add':
      for (const id of event.channelIds) {
        const channel = state.getChannel(id)
        channel.subscribers = channel.subscribers.with(event.userIds)
      }
      return
    case 'subscription/remove':
      for (const id of event.channelIds) {
        const channel = state.getChannel(id)
        channel.subscribers = channel.subscribers.without(event.userIds)
      }
      return
    case 'stream/delete':
    case 'subscription/peer_add':
    case 'subscription/peer_remove':
      return // Told to clients only: the state changed with the event that caused it.
  }
}
