/** Floats above the end of a list whose newest messages are not on the screen, and leads to them. */

import type { ReadonlySignal } from '@preact/signals'
import { Icon } from '../../ui/icon.tsx'
import { t } from '../../texts/texts.ts'

interface JumpButtonProps {
  /** Whether the end of the list is far below. */
  readonly isAway: ReadonlySignal<boolean>
  /** Whether the newest messages are loaded. */
  readonly hasNewest: boolean
  /** Loaded messages that are not read. */
  readonly newCount: number
  readonly onJump: () => void
}

export function JumpButton({ isAway, hasNewest, newCount, onJump }: JumpButtonProps) {
  if (!isAway.value && hasNewest) return null
  const text =
    newCount === 0
      ? t('Latest messages')
      : t('{count, plural, one {One new message} other {# new messages}}', { count: newCount })
  return (
    <div class="jump">
      <button type="button" class="button" onClick={onJump}>
        {text} <Icon name="down" />
      </button>
    </div>
  )
}
