/** Whether the composer is in use: it has words, or somebody began to use it. Otherwise it is one quiet line. */

import { useSignal } from '@preact/signals'

interface InUse {
  readonly isInUse: boolean
  /** Events of the form. */
  readonly watch: {
    readonly onClick: () => void
    readonly onKeyDown: (event: KeyboardEvent) => void
    readonly onFocusOut: (event: FocusEvent) => void
  }
}

export function useInUse(hasWords: boolean): InUse {
  const isBegun = useSignal(false)
  return {
    isInUse: hasWords || isBegun.value,
    watch: {
      onClick: () => void (isBegun.value = true),
      onKeyDown: ({ key }) => {
        if (key !== 'Escape') isBegun.value = true
      },
      onFocusOut: ({ currentTarget, relatedTarget }) => {
        const form = currentTarget as HTMLElement
        if (form.contains(relatedTarget as Node | null)) return
        // A click elsewhere must meet what was under the pointer, so nothing moves before it has ended.
        const rest = () => {
          if (!form.contains(document.activeElement)) isBegun.value = false
        }
        if (!form.matches(':root:active *')) rest()
        else addEventListener('pointerup', () => requestAnimationFrame(rest), { once: true })
      },
    },
  }
}
