/** Asks for a day, by the browser's own picker, and leads to its messages; the menu of the head and a key open it. */

import { useRef } from 'preact/hooks'
import { useApp } from '../../app/app.ts'
import type { Narrow } from '../../store/narrows/narrow.ts'
import { useHandle } from '../../ui/use-handle.ts'
import { showError } from '../../ui/toasts.tsx'
import { dayText } from '../../ui/times.ts'
import { t } from '../../texts/texts.ts'

export function JumpToDate({ narrow }: { readonly narrow: Narrow }) {
  const app = useApp()
  const input = useRef<HTMLInputElement>(null)
  const ask = () => {
    const field = input.current
    if (!field) return
    field.max = dayText(new Date())
    field.focus()
    field.showPicker()
  }
  useHandle('days', () => ({ ask }))
  const jump = (day: string) => {
    if (day === '') return
    import('./open-day.ts').then(({ openDay }) => openDay(app, narrow, day)).catch(showError)
  }
  return (
    <span class="jump-to-date">
      <input
        ref={input}
        type="date"
        tabIndex={-1}
        aria-label={t('Date')}
        onChange={(event) => jump(event.currentTarget.value)}
      />
    </span>
  )
}
