/** The next unread conversation, in the order of the places at the side. */

import type { State } from '../apply.ts'
import { keyOf, type Narrow, ofDirect, ofTopic, splitNear } from '../narrows/narrow.ts'
import { channelSections } from './channels.ts'
import { directConversations } from './direct-conversations.ts'
import { unreadOf } from './unread.ts'

/** Unread direct conversations, newest first. */
export function unreadDirects(state: State): readonly Narrow[] {
  return directConversations(state)
    .filter(({ unreadCount }) => unreadCount > 0)
    .map(({ otherIds }) => ofDirect(otherIds))
}

/** All unread conversations: direct ones, then unmuted topics by channel. */
export function unreadConversations(state: State): readonly Narrow[] {
  const { channels } = unreadOf(state)
  const subscriptions = channelSections(state).flatMap((section) => section.channels)
  const topics = subscriptions.flatMap(({ stream_id: id }) =>
    (channels.get(id)?.topics ?? []).filter(({ isMuted }) => !isMuted).map(({ topic }) => ofTopic(id, topic)),
  )
  return [...unreadDirects(state), ...topics]
}

/** The one after the current narrow, from the start again at the end; undefined if no other is unread. */
export function nextOf(narrows: readonly Narrow[], current: Narrow | undefined): Narrow | undefined {
  const key = current && keyOf(splitNear(current).narrow)
  const index = narrows.findIndex((one) => keyOf(one) === key)
  const next = narrows[(index + 1) % narrows.length]
  return next && keyOf(next) === key ? undefined : next
}
