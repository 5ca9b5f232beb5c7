/** A list without messages: what would be in it. */

import { useApp } from '../../app/app.ts'
import type { Narrow } from '../../store/narrows/narrow.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchEmpty } from './search-empty.tsx'
import { t } from '../../texts/texts.ts'

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
