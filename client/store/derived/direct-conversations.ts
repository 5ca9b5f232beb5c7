/** Direct conversations, the newest first, without those with one person who is muted. */

import { derive } from './derive.ts'
import { mutedPeople } from './muted-people.ts'
import { conversationKey, unreadOf } from './unread.ts'
import { usersById } from './users.ts'

export interface DirectConversation {
  /** The other people, ascending; empty for notes to oneself. */
  readonly otherIds: readonly number[]
  readonly newestId: number
  readonly unreadCount: number
  /** Names of the other people, or the own name. */
  readonly names: readonly string[]
}

export const directConversations = derive(
  (state) =>
    [
      state.recent_private_conversations,
      unreadOf(state).direct,
      usersById(state),
      state.full_name ?? '',
      mutedPeople(state),
    ] as const,
  ([recent = [], unread, users, ownName, muted]): readonly DirectConversation[] =>
    recent
      .filter(({ user_ids: [id, ...others] }) => id === undefined || others.length > 0 || !muted.has(id))
      .toSorted((a, b) => b.max_message_id - a.max_message_id)
      .map(({ user_ids, max_message_id }) => ({
        otherIds: user_ids,
        newestId: max_message_id,
        unreadCount: unread.get(conversationKey(user_ids)) ?? 0,
        names: user_ids.length === 0 ? [ownName] : user_ids.map((id) => users.get(id)?.full_name ?? '?'),
      })),
)
