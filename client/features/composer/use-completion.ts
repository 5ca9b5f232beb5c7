/** Completion of the word before the cursor. */

import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import { TopicList } from '../../app/topic-list.ts'
import { EmojiTable } from '../../app/emoji-table.ts'
import { findTrigger, type Trigger } from '../../store/composing/find-trigger.ts'
import {
  findChannelId,
  suggestChannels,
  suggestCommands,
  suggestEmoji,
  suggestTopics,
} from '../../store/composing/suggest-others.ts'
import { suggestPeople } from '../../store/composing/suggest-people.ts'
import type { Suggestion } from '../../store/composing/suggestion.ts'
import type { DraftPlace } from '../../store/drafts/draft-entry.ts'

export interface Completion {
  readonly suggestions: readonly Suggestion[]
  readonly current: number
  readonly setCurrent: (index: number) => void
  readonly dismiss: () => void
  /** The start of the text that a suggestion replaces. */
  readonly start: number
}

const NONE: readonly Suggestion[] = []

/** The suggestions for a text with its cursor; none if the cursor is undefined. */
export function useCompletion(place: DraftPlace, text: string, cursor: number | undefined): Completion {
  const app = useApp()
  const state = useState()
  /** The chosen one of a query; another query begins with its first. */
  const chosen = useSignal<{ readonly query: string | undefined; readonly index: number } | undefined>(
    undefined,
  )
  const dismissed = useSignal<string | undefined>(undefined)
  const trigger = cursor === undefined ? undefined : findTrigger(text, cursor)
  const key = trigger && `${trigger.kind} ${trigger.start}`
  const query = trigger && `${key} ${trigger.query}`
  const topicsOf = trigger?.kind === 'topic' ? findChannelId(state, trigger.channel) : undefined
  useEffect(() => {
    // Without them, the completion is only shorter.
    if (trigger?.kind === 'emoji')
      app
        .part(EmojiTable)
        .load(state)
        .catch(() => undefined)
    if (topicsOf !== undefined) void app.part(TopicList).load(topicsOf)
  }, [trigger?.kind, topicsOf])
  const topics = topicsOf === undefined ? undefined : app.part(TopicList).of(topicsOf)
  const emoji = trigger?.kind === 'emoji' ? app.part(EmojiTable).groups.value : undefined
  const suggestions = useMemo(() => {
    if (!trigger || key === dismissed.value) return NONE
    return suggest(trigger)
  }, [query, dismissed.value, topics, emoji, state.realm_users, state.realm_user_groups])

  function suggest(found: Trigger): readonly Suggestion[] {
    switch (found.kind) {
      case 'people':
        return suggestPeople(state, { ...found, place })
      case 'channel':
        return suggestChannels(state, found.query)
      case 'topic':
        return suggestTopics(found.channel, topics ?? [], found.query)
      case 'emoji':
        return suggestEmoji(app.part(EmojiTable).all(state), found.query)
      case 'command':
        return suggestCommands(found.query)
    }
  }
  const index = chosen.value?.query === query ? (chosen.value?.index ?? 0) : 0
  return {
    suggestions,
    current: Math.min(index, Math.max(0, suggestions.length - 1)),
    setCurrent: (next) => (chosen.value = { query, index: next }),
    dismiss: () => (dismissed.value = key),
    start: trigger?.start ?? 0,
  }
}
