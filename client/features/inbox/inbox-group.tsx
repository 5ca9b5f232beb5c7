/** The unread conversations of a channel, or the direct ones: folded by its heading, and read at once. */

import type { ComponentChildren } from 'preact'
import { Count } from '../../ui/count.tsx'
import { Icon } from '../../ui/icon.tsx'

interface InboxGroupProps {
  /** Unique in the Inbox. */
  readonly id: string
  readonly heading: ComponentChildren
  readonly name: string
  readonly isFolded: boolean
  readonly onFold: () => void
  readonly count: number
  readonly onRead: () => void
  readonly children: ComponentChildren
}

export function InboxGroup({
  id,
  heading,
  name,
  isFolded,
  onFold,
  count,
  onRead,
  children,
}: InboxGroupProps) {
  return (
    <section class="group" aria-labelledby={`inbox-${id}`}>
      <h2 id={`inbox-${id}`}>
        <button class="fold" aria-expanded={!isFolded} onClick={onFold}>
          {heading}
          <Icon name="down" />
        </button>
        {isFolded && <Count count={count} />}
        <button class="ghost read" title="Mark as read" aria-label={`Mark ${name} as read`} onClick={onRead}>
          <Icon name="check" />
        </button>
      </h2>
      {children}
    </section>
  )
}
