/** Short notes at the edge: what was done, with a way back, or what did not work. */

import { signal } from '@preact/signals'
import { ApiError } from '../../packages/client/src/index.ts'
import { t } from '../texts/texts.ts'

interface Toast {
  readonly id: number
  readonly text: string
  readonly isProblem: boolean
  readonly action: { readonly text: string; readonly run: () => void } | undefined
}

const SHOWN_MS = 8_000

const toasts = signal<readonly Toast[]>([])
const lastId = signal(0)

/** Says what did not work. Use it for the errors of calls. */
export function showError(error: unknown): void {
  add({ text: problemText(error), isProblem: true, action: undefined })
}

/** The text of a failed call, for people. */
export function problemText(error: unknown): string {
  return error instanceof ApiError ? error.message : t('Can’t reach the server. Please try again.')
}

/** Says what was done, with a way back if there is one. */
export function showToast(text: string, action?: Toast['action']): void {
  add({ text, isProblem: false, action })
}

function add(toast: Omit<Toast, 'id'>): void {
  const id = ++lastId.value
  toasts.value = [...toasts.value.slice(-2), { id, ...toast }]
  setTimeout(() => drop(id), SHOWN_MS)
}

function drop(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, isProblem, action }) => (
        <div key={id} class={isProblem ? 'toast problem' : 'toast'}>
          <span>{text}</span>
          {action && (
            <button
              class="button"
              onClick={() => {
                drop(id)
                action.run()
              }}
            >
              {action.text}
            </button>
          )}
        </div>
      ))}
    </div>
  )
}
