/** The emoji of the picker: the recent ones, those of the organization, and Unicode in groups, or those that were found. */

import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks'
import { useApp, useState } from '../../../app/app.ts'
import { EmojiTable } from '../../../app/emoji-table.ts'
import { customEmoji, type Emoji } from '../../../store/emoji/emoji.ts'
import type { EmojiGroup } from '../../../store/emoji/emoji-groups.ts'
import { searchEmoji } from '../../../store/emoji/search-emoji.ts'
import { inSkinTone } from '../../../store/emoji/skin-tone.ts'
import { EmojiGrid } from './emoji-grid.tsx'
import { EmojiTones } from './emoji-tones.tsx'
import { moveInGrid } from './move-in-grid.ts'
import { t } from '../../../texts/texts.ts'

/** Names for a person who has not used any emoji yet, as many as the picker shows on top. */
const POPULAR = ['+1', 'heart', 'tada', 'joy', 'eyes', 'check'] as const

/** The search field, and the emoji that it points at. */
export interface Choosing {
  /** Of the grid. */
  readonly id: string
  readonly search: Signal<string>
  /** The place of the current one. */
  readonly current: Signal<number>
  /** Whether the current one is to be chosen, as soon as it is there. */
  readonly isEntered: Signal<boolean>
  /** The id of the current one's cell, for the field. */
  readonly activeId: Signal<string | undefined>
  /** Takes a function for keys that move in the grid: the place after a key, or undefined if it does not move. */
  readonly move: RefObject<(key: string) => number | undefined>
}

interface EmojiResultsProps extends Choosing {
  readonly hasTones: boolean
  readonly onChoose: (emoji: Emoji) => void
}

/** More results than this do not help a search. */
const FOUND_MAX = 90

export function EmojiResults({ hasTones, onChoose, ...choosing }: EmojiResultsProps) {
  const { id, search, current, isEntered, activeId, move } = choosing
  const app = useApp()
  const { problem, load } = useLoading()
  const groups = useGroups(search.value, hasTones)
  const shown = groups.flatMap(({ emoji }) => emoji)
  const place = Math.min(current.value, shown.length - 1)
  const chosen = shown[place]
  const isReady = app.part(EmojiTable).groups.value.length > 0

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
          {t('Couldn’t load emoji.')}{' '}
          <button type="button" class="button" onClick={load}>
            {t('Try again')}
          </button>
        </p>
      )}
      <EmojiGrid id={id} groups={groups} current={place} onChoose={onChoose} />
      <footer>
        <span aria-live="polite">{chosen ? `:${chosen.names[0]}:` : isReady && t('No emoji found')}</span>
        {hasTones && <EmojiTones />}
      </footer>
    </>
  )
}

function useLoading() {
  const app = useApp()
  const state = useState()
  const problem = useSignal(false)
  const load = () => {
    problem.value = false
    app
      .part(EmojiTable)
      .load(state)
      .catch(() => (problem.value = true))
  }
  useEffect(load, [])
  return { problem, load }
}

/** The emoji that a search finds; without one all of them, those on top that a person uses. */
function useGroups(search: string, hasTones: boolean): readonly EmojiGroup[] {
  const app = useApp()
  const state = useState()
  // They keep their places while the picker is open.
  const recent = useMemo(() => app.part(EmojiTable).recent.peek(), [])
  const loaded = app.part(EmojiTable).groups.value
  const tone = hasTones ? app.part(EmojiTable).tone.value : ''
  return useMemo(() => {
    const all = app.part(EmojiTable).all(state)
    const inTone = (emoji: readonly Emoji[]) => emoji.map((one) => inSkinTone(one, tone))
    if (search.trim() !== '')
      return [{ name: t('Results'), emoji: inTone(searchEmoji(all, search, FOUND_MAX)) }]
    const groups = [
      { name: recent.length > 0 ? t('Recent') : t('Popular'), emoji: favorites(all, recent) },
      { name: t('Your organization'), emoji: customEmoji(state) },
      ...loaded,
    ]
    return groups
      .filter(({ emoji }) => emoji.length > 0)
      .map(({ name, emoji }) => ({ name, emoji: inTone(emoji) }))
  }, [loaded, state.realm_emoji, search, tone])
}

/** The recent ones, and popular ones where there are fewer than those. */
function favorites(all: readonly Emoji[], recent: readonly string[]): readonly Emoji[] {
  const lacking = Math.max(0, POPULAR.length - recent.length)
  const others = POPULAR.filter((name) => !recent.includes(name)).slice(0, lacking)
  return [...recent, ...others].flatMap((name) => all.find(({ names }) => names[0] === name) ?? [])
}
