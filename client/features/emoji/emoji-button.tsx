/** A button that opens the emoji picker. */

import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { Emoji } from '../../store/emoji/emoji.ts'
import { Icon } from '../../ui/icon.tsx'
import { EmojiPicker } from './emoji-picker.tsx'

export function EmojiButton({ onChoose }: { readonly onChoose: (emoji: Emoji) => void }) {
  const isOpen = useSignal(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        ref={button}
        type="button"
        class="ghost"
        title="Emoji"
        aria-label="Emoji"
        aria-haspopup="dialog"
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = true)}
      >
        <Icon name="smile" />
      </button>
      {isOpen.value && (
        <EmojiPicker anchor={button.current} onChoose={onChoose} onClose={() => (isOpen.value = false)} />
      )}
    </>
  )
}
