/** The rows of the Inbox: heads, conversations, and how many more there are. */

import { signal } from '@preact/signals'
import type { InboxFilter, InboxGroup, InboxLine } from '../../store/derived/inbox-groups.ts'

/** Conversations of a group before it is opened. */
const LINES_MAX = 5

export type InboxItem =
  | { readonly kind: 'head'; readonly key: string; readonly group: InboxGroup; readonly isFolded: boolean }
  | { readonly kind: 'line'; readonly key: string; readonly line: InboxLine }
  | { readonly kind: 'more'; readonly key: string; readonly group: InboxGroup; readonly count: number }

/** The state of the Inbox's view: it stays while people look at conversations. */
export class InboxView {
  readonly filter = signal<InboxFilter>('all')
  /** The groups that show all of their conversations. */
  readonly opened = signal<ReadonlySet<string>>(new Set())
  scrollTop = 0
}

export function itemsOf(
  groups: readonly InboxGroup[],
  folded: readonly string[],
  opened: ReadonlySet<string>,
): readonly InboxItem[] {
  return groups.flatMap((group): InboxItem[] => {
    const isFolded = folded.includes(group.key)
    const head: InboxItem = { kind: 'head', key: `head ${group.key}`, group, isFolded }
    if (isFolded) return [head]
    // A row for a single one would take as much room as the conversation.
    const isWhole = opened.has(group.key) || group.lines.length <= LINES_MAX + 1
    const shown = isWhole ? group.lines : group.lines.slice(0, LINES_MAX)
    const count = group.lines.length - shown.length
    return [
      head,
      ...shown.map((line): InboxItem => ({ kind: 'line', key: `${group.key} ${line.key}`, line })),
      ...(count > 0 ? [{ kind: 'more', key: `more ${group.key}`, group, count } as const] : []),
    ]
  })
}

/** Pixels of each kind of row, for text of the default size; the styles have the same. */
const HEIGHTS = { head: 44, line: 36, more: 36 }
const PHONE_HEIGHTS = { head: 44, line: 60, more: 44 }

export function heightsOf(items: readonly InboxItem[], isPhone: boolean): readonly number[] {
  const heights = isPhone ? PHONE_HEIGHTS : HEIGHTS
  return items.map(({ kind }) => heights[kind])
}
