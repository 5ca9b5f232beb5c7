/** A call of a dialog: its button waits, and a failure is said beside it. */

import { type Signal, useSignal } from '@preact/signals'
import { problemText } from '../../../ui/toasts.tsx'

/** A call that may run, or may have failed. */
export interface Call {
  readonly isRunning: Signal<boolean>
  readonly problem: Signal<string | undefined>
  run(work: () => Promise<unknown>): Promise<void>
}

export function useCall(): Call {
  const isRunning = useSignal(false)
  const problem = useSignal<string | undefined>(undefined)
  return {
    isRunning,
    problem,
    async run(work) {
      if (isRunning.value) return
      isRunning.value = true
      problem.value = undefined
      try {
        await work()
      } catch (error) {
        problem.value = problemText(error)
      } finally {
        isRunning.value = false
      }
    },
  }
}

export function FailedCall({ call }: { readonly call: Call }) {
  if (call.problem.value === undefined) return null
  return (
    <p class="problem" role="alert">
      {call.problem.value}
    </p>
  )
}
