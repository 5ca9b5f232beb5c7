/** Names of narrows, as their heads and the title of the page show them. */

import type { State } from '../../store/apply.ts'
import { channelsById } from '../../store/derived/channels.ts'
import type { Narrow } from '../../store/narrows/narrow.ts'
import { writeSearch } from '../../store/search/write-search.ts'
import { directName } from '../../store/derived/direct-name.ts'
import type { IconName } from '../../ui/icon.tsx'
import { isSearch } from '../../store/narrows/is-search.ts'
import { topicName } from '../../store/derived/topic.ts'
import { t } from '../../texts/texts.ts'

/** The name of a narrow in one line. */
export function narrowName(state: State, narrow: Narrow): string {
  const [first] = narrow
  if (isSearch(narrow)) return writeSearch(state, narrow)
  if (first?.operator === 'channel' && typeof first.operand === 'number') {
    const name = channelsById(state).get(first.operand)?.channel.name ?? t('Unknown channel')
    const topic = narrow.find(({ operator }) => operator === 'topic')
    return topic?.operator === 'topic' ? `${topicName(topic.operand)} · ${name}` : name
  }
  return first?.operator === 'dm' ? directName(state, first.operand) : describeNarrow(narrow).text
}

/** Narrows with a name of their own. */
export function describeNarrow(narrow: Narrow): { readonly icon: IconName; readonly text: string } {
  const [first] = narrow
  if (!first) return { icon: 'lines', text: t('All messages') }
  if (first.operator === 'is' && narrow.length === 1) {
    if (first.operand === 'mentioned') return { icon: 'mention', text: t('Mentions') }
    if (first.operand === 'starred') return { icon: 'star', text: t('Starred') }
    if (first.operand === 'dm') return { icon: 'mention', text: t('Direct messages') }
  }
  const words = narrow.map(({ operator, operand, isNegated }) =>
    operator === 'search' ? operand : `${isNegated ? '-' : ''}${operator}:${String(operand)}`,
  )
  return { icon: 'search', text: words.join(' ') }
}
