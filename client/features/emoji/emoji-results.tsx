/** The emoji of the picker: the recent ones, those of the organization, and Unicode in groups, or those that were found. */

import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import { customEmoji, type Emoji } from '../../store/emoji/emoji.ts'
import type { EmojiGroup } from '../../store/emoji/emoji-groups.ts'
import { searchEmoji } from '../../store/emoji/search-emoji.ts'
import { EmojiGrid } from './emoji-grid.tsx'
import { moveInGrid } from './move-in-grid.ts'

interface EmojiResultsProps {
  /** Of the grid. */
  readonly id: string
  readonly search: Signal<string>
  /** The place of the current one. */
  readonly current: Signal<number>
  /** Whether the current one is to be chosen, as soon as it is there. */
  readonly isEntered: Signal<boolean>
  /** The id of the current one's cell, for the field. */
  readonly activeId: Signal<string | undefined>
  /** Takes a function for keys that move in the grid. */
  readonly move: RefObject<(key: string) => number | undefined>
  readonly onChoose: (emoji: Emoji) => void
}

/** More results than this do not help a search. */
const FOUND_MAX = 90

export function EmojiResults({
  id,
  search,
  current,
  isEntered,
  activeId,
  move,
  onChoose,
}: EmojiResultsProps) {
  const app = useApp()
  const state = useState()
  const problem = useSignal(false)
  const recent = useMemo(() => app.emoji.recent.peek(), [])
  const load = () => {
    problem.value = false
    app.emoji.load(state).catch(() => (problem.value = true))
  }
  useEffect(load, [])

  const loaded = app.emoji.groups.value
  const groups = useMemo((): readonly EmojiGroup[] => {
    const all = app.emoji.all(state)
    if (search.value.trim() !== '')
      return [{ name: 'Results', emoji: searchEmoji(all, search.value, FOUND_MAX) }]
    const used = recent.flatMap((name) => all.find(({ names }) => names[0] === name) ?? [])
    return [
      { name: 'Recent', emoji: used },
      { name: 'Your organization', emoji: customEmoji(state) },
      ...loaded,
    ].filter(({ emoji }) => emoji.length > 0)
  }, [loaded, state.realm_emoji, search.value])
  const shown = groups.flatMap(({ emoji }) => emoji)
  const place = Math.min(current.value, shown.length - 1)
  const chosen = shown[place]
  const isReady = loaded.length > 0

  useLayoutEffect(() => {
    const sizes = groups.map(({ emoji }) => emoji.length)
    move.current = (key) => moveInGrid(key, sizes, current.peek())
    activeId.value = chosen && `${id}-${place}`
  })
  useLayoutEffect(() => {
    if (!isEntered.value || !isReady) return
    isEntered.value = false
    if (chosen) onChoose(chosen)
  }, [isEntered.value, isReady])
  return (
    <>
      {problem.value && (
        <p class="problem" role="alert">
          Couldn’t load emoji.{' '}
          <button type="button" class="button" onClick={load}>
            Try again
          </button>
        </p>
      )}
      <EmojiGrid id={id} groups={groups} current={current.value} onChoose={onChoose} />
      <footer aria-live="polite">{chosen ? `:${chosen.names[0]}:` : isReady && 'No emoji found'}</footer>
    </>
  )
}
