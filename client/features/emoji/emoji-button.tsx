/** A button that opens the emoji picker. */

import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { Emoji } from '../../store/emoji/emoji.ts'
import { Icon } from '../../ui/icon.tsx'
import { EmojiPicker } from './emoji-picker.tsx'
import { t } from '../../texts/texts.ts'

interface EmojiButtonProps {
  readonly onChoose: (emoji: Emoji) => void
  /** Whether an emoji can have a skin tone where it goes to. */
  readonly hasTones?: boolean
}

export function EmojiButton({ onChoose, hasTones = false }: EmojiButtonProps) {
  const isOpen = useSignal(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        ref={button}
        type="button"
        class="ghost"
        title={t('Emoji')}
        aria-label={t('Emoji')}
        aria-haspopup="dialog"
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = true)}
      >
        <Icon name="smile" />
      </button>
      {isOpen.value && (
        <EmojiPicker
          anchor={button}
          hasTones={hasTones}
          onChoose={onChoose}
          onClose={() => (isOpen.value = false)}
        />
      )}
    </>
  )
}
