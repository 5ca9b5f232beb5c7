/** A list that the state does not have: loaded when its page is shown. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { problemText } from './toasts.tsx'

interface Loaded<Value> {
  readonly value: Value | undefined
  /** The text of a failure. */
  readonly problem: string | undefined
  readonly reload: () => void
}

export function useLoaded<Value>(load: () => Promise<Value>): Loaded<Value> {
  const value = useSignal<Value | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  const round = useSignal(0)
  useEffect(() => {
    let isOver = false
    load().then(
      (loaded) => {
        if (isOver) return
        value.value = loaded
        problem.value = undefined
      },
      (error: unknown) => {
        if (!isOver) problem.value = problemText(error)
      },
    )
    return () => {
      isOver = true
    }
  }, [round.value])
  return { value: value.value, problem: problem.value, reload: () => round.value++ }
}
