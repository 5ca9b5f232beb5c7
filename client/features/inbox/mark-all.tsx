/** Asks before very many messages are marked as read. */

import { Dialog } from '../../ui/dialog.tsx'
import { t } from '../../texts/texts.ts'

interface MarkAllProps {
  readonly count: number
  readonly onMark: () => void
  readonly onClose: () => void
}

export function MarkAll({ count, onMark, onClose }: MarkAllProps) {
  return (
    <Dialog title={t('Mark all as read')} onClose={onClose}>
      <p>{t('{count} messages will be marked as read. You can undo this.', { count })}</p>
      <div class="actions">
        <button class="button" onClick={onClose}>
          {t('Cancel')}
        </button>
        <button class="button primary" onClick={onMark}>
          {t('Mark as read')}
        </button>
      </div>
    </Dialog>
  )
}
