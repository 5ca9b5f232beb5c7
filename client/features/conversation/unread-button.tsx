/** Floats above the start of a list whose first unread message is further up, and leads to it. */

import { type ReadonlySignal, useComputed } from '@preact/signals'
import { useApp } from '../../app/app.ts'
import { unreadIdsOf } from '../../store/derived/unread-ids.ts'
import type { Narrow } from '../../store/narrows/narrow.ts'
import { Icon } from '../../ui/icon.tsx'
import { t } from '../../texts/texts.ts'

interface UnreadButtonProps {
  readonly narrow: Narrow
  /** The first visible message. */
  readonly topId: ReadonlySignal<number | undefined>
  /** The first loaded message. */
  readonly firstId: number
  readonly onJump: (id: number) => void
}

export function UnreadButton({ narrow, topId, firstId, onJump }: UnreadButtonProps) {
  const app = useApp()
  const ids = useComputed(() => unreadIdsOf(app.state.value, narrow)).value
  const unreadId = ids.reduce((least, id) => Math.min(least, id), Number.POSITIVE_INFINITY)
  if (ids.length === 0 || unreadId >= (topId.value ?? firstId)) return null
  return (
    <div class="jump to-unread">
      <button type="button" class="button" onClick={() => onJump(unreadId)}>
        {t('Jump to first unread')} <Icon name="up" />
      </button>
    </div>
  )
}
