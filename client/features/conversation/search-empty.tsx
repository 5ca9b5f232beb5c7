/** A search without results: the ways to find more. */

import { useApp, useState } from '../../app/app.ts'
import type { Narrow } from '../../store/narrows/narrow.ts'
import { term } from '../../store/narrows/narrow.ts'
import { writeSearch } from '../../store/search/write-search.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { t } from '../../texts/texts.ts'

export function SearchEmpty({ narrow }: { readonly narrow: Narrow }) {
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
