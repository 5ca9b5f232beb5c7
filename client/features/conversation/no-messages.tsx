/** A list without messages: what would be in it. */

import { useApp, useState } from '../../app/app.ts'
import { type Narrow, term } from '../../store/narrows/narrow.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { t } from '../../texts/texts.ts'
import { writeSearch } from '../../store/search/write-search.ts'

interface NoMessagesProps {
  readonly narrow: Narrow
  readonly isResults: boolean
}

export function NoMessages({ narrow, isResults }: NoMessagesProps) {
  const { isVisitor } = useApp()
  const [first] = narrow
  if (isResults) return <SearchEmpty narrow={narrow} />
  if (first?.operand === 'starred')
    return (
      <EmptyState icon="star" title={t('No starred messages')}>
        <p>{t('Star a message to find it here later: click its star or press *.')}</p>
      </EmptyState>
    )
  if (first?.operand === 'mentioned')
    return (
      <EmptyState icon="mention" title={t('No mentions yet')}>
        <p>{t('Messages that mention you appear here.')}</p>
      </EmptyState>
    )
  return (
    <p class="empty">
      {isVisitor ? t('No messages yet.') : t('No messages yet. Write the first one below.')}
    </p>
  )
}

/** A search without results: the ways to find more. */
function SearchEmpty({ narrow }: { readonly narrow: Narrow }) {
  const { router, isVisitor } = useApp()
  const state = useState()
  const words = narrow.filter(({ operator }) => operator === 'search')
  const others = narrow.filter(({ operator }) => operator !== 'search')
  const hasWords = words.length > 0
  const isAllChannels = narrow.some(({ operator }) => operator === 'channels' || operator === 'channel')
  return (
    <EmptyState icon="search" title={t('No messages found')}>
      <ul>
        {others.map((one) => (
          <li key={one.operator}>
            <a href={router.hrefOf({ view: 'narrow', narrow: narrow.filter((other) => other !== one) })}>
              {t('Search without {operator}', { operator: writeSearch(state, [one]) })}
            </a>
          </li>
        ))}
        {hasWords && !isAllChannels && !isVisitor && (
          <li>
            <a href={router.hrefOf({ view: 'narrow', narrow: [term('channels', 'public'), ...narrow] })}>
              {t('Search all public channels, including ones you haven’t joined')}
            </a>
          </li>
        )}
        {hasWords && <li>{t('Try fewer words, or the start of a word.')}</li>}
      </ul>
    </EmptyState>
  )
}
