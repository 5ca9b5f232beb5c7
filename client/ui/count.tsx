/** A number of messages, unread ones unless it says otherwise; nothing without any. */

import { t } from '../texts/texts.ts'

const SHOWN_MAX = 999

export function Count({
  count,
  isImportant = false,
  unit,
}: {
  readonly count: number
  readonly isImportant?: boolean
  readonly unit?: string | undefined
}) {
  if (count === 0) return null
  return (
    <span class={isImportant ? 'count at' : unit === undefined ? 'count' : 'count quiet'}>
      {count > SHOWN_MAX ? `${SHOWN_MAX}+` : count}
      <span class="hidden"> {unit ?? t('unread')}</span>
    </span>
  )
}
