/** A button that copies a text. */

import { copyText } from '../../ui/copy-text.ts'

interface CopyButtonProps {
  readonly text: string
  /** The thing that is copied, such as "link". */
  readonly name: string
}

export function CopyButton({ text, name }: CopyButtonProps) {
  return (
    <button type="button" class="button small" onClick={() => void copyText(text, `The ${name} is copied.`)}>
      Copy {name}
    </button>
  )
}
