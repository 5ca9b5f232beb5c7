/** Copies a text, and says so. */

import { sayDone, sayProblem } from '../parts/toasts.tsx'

interface CopyButtonProps {
  readonly text: string
  /** The thing that is copied, such as "link". */
  readonly name: string
}

export function CopyButton({ text, name }: CopyButtonProps) {
  // Browsers offer the clipboard only over TLS, and on the own computer.
  if (!('clipboard' in navigator)) return null
  const copy = () =>
    navigator.clipboard.writeText(text).then(() => sayDone(`The ${name} is copied.`), sayProblem)
  return (
    <button type="button" class="button small" onClick={() => void copy()}>
      Copy {name}
    </button>
  )
}
