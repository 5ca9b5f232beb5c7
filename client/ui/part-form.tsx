/** A form within a page that saves one thing and closes. */

import type { ComponentChildren } from 'preact'
import { useApp } from '../app/app.ts'
import { SavedNote, useSaving } from './saving.tsx'
import { clearForm } from './use-form-field.ts'
import { t } from '../texts/texts.ts'

interface PartFormProps {
  /** The form whose fields begin anew after it; see `useFormField`. */
  readonly form: string
  /** Sends the fields; a rejection is shown, and the form stays. */
  readonly onSave: () => Promise<unknown>
  readonly onClose: () => void
  /** The text of the button that saves. */
  readonly action?: string
  /** Names the form. */
  readonly label?: string
  readonly children: ComponentChildren
}

export function PartForm({ form, onSave, onClose, action = t('Save'), label, children }: PartFormProps) {
  const app = useApp()
  const saving = useSaving()
  const close = () => {
    clearForm(app, form)
    onClose()
  }
  const save = async (event: Event) => {
    event.preventDefault()
    if (await saving.save(onSave)) close()
  }
  return (
    <form class="form part-form" aria-label={label} onSubmit={(event) => void save(event)}>
      {children}
      <div class="actions">
        <SavedNote saving={saving} />
        <button type="button" class="button" onClick={close}>
          {t('Cancel')}
        </button>
        <button class="button primary">{action}</button>
      </div>
    </form>
  )
}
