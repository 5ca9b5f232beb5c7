/** Recent conversations, from the feed of all messages, which is loaded as far as somebody scrolls. */

import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import { Network } from '../../app/network.ts'
import { recentConversations, type RecentConversation } from '../../store/derived/recent-conversations.ts'
import type { Narrow } from '../../store/narrows/narrow.ts'
import { problemText } from '../../ui/toasts.tsx'

const FEED: Narrow = []
/** Messages from which conversations are read; older ones are found by search. A window holds 2,000. */
const MESSAGES_MAX = 1_900

export interface Recent {
  readonly all: readonly RecentConversation[]
  readonly isLoaded: boolean
  /** Whether there are no older conversations, or none that this list can have. */
  readonly isEnd: boolean
  readonly hasOldest: boolean
  readonly problem: string
  readonly loadMore: () => void
}

export function useRecent(): Recent {
  const app = useApp()
  const state = useState()
  const problem = useSignal('')
  const isLoading = useSignal(false)
  const { messages: loaded, hasOldest, hasNewest, isStale } = app.messages.window(FEED).value
  const isAway = app.part(Network).isAway.value
  // Without a connection, those that this device has from its conversations.
  const messages = loaded.length === 0 && problem.value !== '' ? app.messages.all() : loaded
  const fail = (error: unknown) => (problem.value = problemText(error))
  useEffect(() => app.messages.show(FEED), [app])
  useEffect(() => {
    if (!isStale && hasNewest) return
    app.loader.open(FEED, 'newest').then(() => (problem.value = ''), fail)
  }, [isStale, hasNewest, isAway])
  const all = useMemo(
    () => recentConversations(state, messages),
    [messages, state.unread_msgs, state.user_topics, state.subscriptions, state.muted_users],
  )
  const loadMore = () => {
    if (isLoading.value) return
    isLoading.value = true
    app.loader
      .loadOlder(FEED)
      .catch(fail)
      .finally(() => (isLoading.value = false))
  }
  return {
    all,
    isLoaded: messages.length > 0 || (hasOldest && hasNewest),
    isEnd: hasOldest || messages.length >= MESSAGES_MAX,
    hasOldest,
    problem: problem.value,
    loadMore,
  }
}
