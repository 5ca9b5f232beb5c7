/** Recent conversations: topics and direct ones, the last active first. */

import { useApp } from '../../app/app.ts'
import { countText } from '../../ui/count-text.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { ListView } from './list-view.tsx'
import { RecentList } from './recent-list.tsx'
import { useRecent } from './use-recent.ts'

const FILTERS = [
  ['unread', 'Unread'],
  ['own', 'Participated'],
  ['muted', 'Include muted'],
] as const

export function Recent() {
  const { all, isLoaded, isEnd, hasOldest, problem, loadMore } = useRecent()
  const on = useApp().device.recentFilters.value
  const shown = all.filter(
    ({ unreadCount, hasOwn, isMuted }) =>
      (!on.includes('unread') || unreadCount > 0) &&
      (!on.includes('own') || hasOwn) &&
      (on.includes('muted') || !isMuted),
  )
  const canLoad = isLoaded && !isEnd && problem === ''
  return (
    <ListView title="Recent conversations" about={isLoaded ? countText(shown.length, 'conversation') : ''}>
      <Filters />
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {!isLoaded && problem === '' && <Waiting text="Loading conversations…" isForRows />}
      {isLoaded && isEnd && shown.length === 0 && <Nothing isFiltered={on.length > 0} />}
      {isLoaded && <RecentList conversations={shown} onMore={canLoad ? loadMore : undefined} />}
      {canLoad && <Waiting text="Loading more…" />}
      {isLoaded && isEnd && !hasOldest && <p class="empty">Use search to find older conversations.</p>}
    </ListView>
  )
}

function Filters() {
  const { recentFilters: filters } = useApp().device
  const on = filters.value
  const toggle = (name: string) =>
    (filters.value = on.includes(name) ? on.filter((one) => one !== name) : [...on, name])
  return (
    <div class="recent-filters" role="group" aria-label="Filters">
      {FILTERS.map(([name, text]) => (
        <button key={name} class="filter-chip" aria-pressed={on.includes(name)} onClick={() => toggle(name)}>
          {text}
        </button>
      ))}
    </div>
  )
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <EmptyState icon="lines" title={isFiltered ? 'No matching conversations' : 'No conversations yet'}>
      <p>{isFiltered ? 'Try fewer filters.' : 'Post in a channel to start one.'}</p>
    </EmptyState>
  )
}
