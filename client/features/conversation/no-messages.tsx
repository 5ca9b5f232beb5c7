/** A list without messages: what would be in it. */

import { useApp } from '../../app/app.ts'
import type { Narrow } from '../../store/narrows/narrow.ts'
import { Blank } from '../../ui/blank.tsx'
import { SearchEmpty } from './search-empty.tsx'

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
      <Blank icon="star" title="No starred messages">
        <p>Star a message to find it here later: click its star or press *.</p>
      </Blank>
    )
  if (first?.operand === 'mentioned')
    return (
      <Blank icon="mention" title="No mentions yet">
        <p>Messages that mention you appear here.</p>
      </Blank>
    )
  return <p class="empty">No messages yet.{!isVisitor && ' Write the first one below.'}</p>
}
