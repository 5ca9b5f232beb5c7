/** Recent conversations: topics and direct ones, the last active first. */

import { useApp } from '../../app/app.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Waiting } from '../../ui/waiting.tsx'
import { ListView } from './list-view.tsx'
import { RecentList } from './recent-list.tsx'
import { useRecent } from './use-recent.ts'
import { t } from '../../texts/texts.ts'

const FILTERS = [
  ['unread', t('Unread')],
  ['own', t('Participated')],
  ['muted', t('Include muted')],
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
    <ListView
      title={t('Recent conversations')}
      about={
        isLoaded
          ? t('{count, plural, one {# conversation} other {# conversations}}', { count: shown.length })
          : ''
      }
    >
      <Filters />
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {!isLoaded && problem === '' && <Waiting text={t('Loading conversations…')} isForRows />}
      {isLoaded && isEnd && shown.length === 0 && <Nothing isFiltered={on.length > 0} />}
      {isLoaded && <RecentList conversations={shown} onMore={canLoad ? loadMore : undefined} />}
      {canLoad && <Waiting text={t('Loading more…')} />}
      {isLoaded && isEnd && !hasOldest && <p class="empty">{t('Use search to find older conversations.')}</p>}
    </ListView>
  )
}

function Filters() {
  const { recentFilters: filters } = useApp().device
  const on = filters.value
  const toggle = (name: string) =>
    (filters.value = on.includes(name) ? on.filter((one) => one !== name) : [...on, name])
  return (
    <div class="recent-filters" role="group" aria-label={t('Filters')}>
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
    <EmptyState icon="lines" title={isFiltered ? t('No matching conversations') : t('No conversations yet')}>
      <p>{isFiltered ? t('Try fewer filters.') : t('Post in a channel to start one.')}</p>
    </EmptyState>
  )
}
