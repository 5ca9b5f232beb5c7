/** Asks before something that cannot be undone at once. */

import type { ComponentChildren } from 'preact'
import { Dialog } from './dialog.tsx'
import { SavedNote, useSaving } from './saving.tsx'
import { t } from '../texts/texts.ts'

interface ConfirmProps {
  readonly title: string
  /** The text of the button that does it. */
  readonly action: string
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
  readonly children?: ComponentChildren
}

export function Confirm({ title, action, onConfirm, onClose, children }: ConfirmProps) {
  const saving = useSaving()
  const confirm = async () => {
    if (await saving.save(onConfirm)) onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <div class="actions">
        <SavedNote saving={saving} />
        <button class="button" onClick={onClose}>
          {t('Cancel')}
        </button>
        <button
          class="button danger"
          disabled={saving.state.value.phase === 'saving'}
          onClick={() => void confirm()}
        >
          {action}
        </button>
      </div>
    </Dialog>
  )
}
