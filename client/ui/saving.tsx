/** The state of a change that is saved at once: people see that it was. */

import { type Signal, useSignal } from '@preact/signals'
import { problemText } from './toasts.tsx'
import { t } from '../texts/texts.ts'

type Phase =
  | { readonly phase: 'idle' | 'saving' | 'saved' }
  | { readonly phase: 'failed'; readonly text: string }

/** The note stays for this time: long enough to be read. */
const SAVED_SHOWN_MS = 4_000

export interface Saving {
  readonly state: Signal<Phase>
  /** Runs a change; resolves to whether it was saved. */
  readonly save: (change: () => Promise<unknown>) => Promise<boolean>
}

export function useSaving(): Saving {
  const state = useSignal<Phase>({ phase: 'idle' })
  const save = async (change: () => Promise<unknown>) => {
    state.value = { phase: 'saving' }
    try {
      await change()
    } catch (error) {
      state.value = { phase: 'failed', text: problemText(error) }
      return false
    }
    const saved: Phase = { phase: 'saved' }
    state.value = saved
    setTimeout(() => {
      if (state.peek() === saved) state.value = { phase: 'idle' }
    }, SAVED_SHOWN_MS)
    return true
  }
  return { state, save }
}

/** Empties a field whose text was saved, unless another one has been typed since. */
export function emptySaved(field: Signal<string>, saved: string): void {
  if (field.peek() === saved) field.value = ''
}

export interface SavedValue<Value> {
  readonly saving: Saving
  /** The value that people see. */
  readonly shown: Value
  /** Saves another value; resolves to whether it was saved. */
  readonly choose: (value: Value) => Promise<boolean>
}

/**
 * A value that is saved as soon as it is chosen. The reply may come before the event that changes the state: until then
 * the chosen value is shown, and the former one again if the server refuses.
 */
export function useSavedValue<Value>(
  value: Value,
  onSave: (value: Value) => Promise<unknown>,
): SavedValue<Value> {
  const saving = useSaving()
  const chosen = useSignal(value)
  const { phase } = saving.state.value
  const choose = (next: Value) => {
    chosen.value = next
    return saving.save(() => onSave(next))
  }
  return { saving, shown: phase === 'saving' || phase === 'saved' ? chosen.value : value, choose }
}

/** "Saved", or the problem. */
export function SavedNote({ saving }: { readonly saving: Saving }) {
  const now = saving.state.value
  return (
    <span class="saved-note" role="status">
      {now.phase === 'saved' && t('Saved')}
      {now.phase === 'failed' && <span class="refused">{now.text}</span>}
    </span>
  )
}
