/** Asks for a time in the future. */

import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { Dialog } from './dialog.tsx'
import { t } from '../texts/texts.ts'

interface ChooseTimeProps {
  readonly title: string
  /** The text of the button that takes the time. */
  readonly action: string
  readonly onChoose: (atMs: number) => void
  readonly onClose: () => void
}

const HOUR_MS = 3_600_000

export function ChooseTime({ title, action, onChoose, onClose }: ChooseTimeProps) {
  const time = useSignal(localText(Date.now() + HOUR_MS))
  const problem = useSignal('')
  const id = useId()
  const choose = () => {
    const atMs = new Date(time.value).getTime()
    if (Number.isNaN(atMs)) problem.value = t('Choose a date and time')
    else if (atMs <= Date.now()) problem.value = t('That time has passed. Choose a later one.')
    else onChoose(atMs)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="field">
        <label for={id}>{t('Date and time')}</label>
        <input
          id={id}
          type="datetime-local"
          min={localText(Date.now())}
          value={time.value}
          aria-invalid={problem.value !== ''}
          onInput={(event) => (time.value = event.currentTarget.value)}
        />
        {problem.value !== '' && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
      </div>
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          {t('Cancel')}
        </button>
        <button type="button" class="button primary" onClick={choose}>
          {action}
        </button>
      </div>
    </Dialog>
  )
}

/** A time in the form of the field: `2031-04-05T09:00`. */
function localText(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000
  return new Date(ms - offsetMs).toISOString().slice(0, 16)
}
