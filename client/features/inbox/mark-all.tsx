/** Asks before very many messages are marked as read. */

import { Dialog } from '../../ui/dialog.tsx'

interface MarkAllProps {
  readonly count: number
  readonly onMark: () => void
  readonly onClose: () => void
}

export function MarkAll({ count, onMark, onClose }: MarkAllProps) {
  return (
    <Dialog title="Mark all as read" onClose={onClose}>
      <p>{count.toLocaleString()} messages will be marked as read. You can undo this.</p>
      <div class="actions">
        <button class="button" onClick={onClose}>
          Cancel
        </button>
        <button class="button primary" onClick={onMark}>
          Mark as read
        </button>
      </div>
    </Dialog>
  )
}
