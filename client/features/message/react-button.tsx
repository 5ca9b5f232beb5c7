/** A button that offers the popular emoji, and all others in the picker. */

import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import { Icon } from '../../ui/icon.tsx'
import { EmojiPicker } from '../emoji/emoji-picker.tsx'
import { EmojiLook, type ReactionEmoji } from '../emoji/emoji-look.tsx'
import { POPULAR, toggleReaction } from './react.ts'
import { MessageParts } from './message-parts.ts'

export function ReactButton({ message }: { readonly message: Message }) {
  const app = useApp()
  const { reactingId } = app.part(MessageParts)
  const place = useRef<HTMLSpanElement>(null)
  const isShown = reactingId.value === message.id
  const isPicking = useSignal(false)
  const close = () => {
    isPicking.value = false
    reactingId.value = undefined
    place.current?.querySelector('button')?.focus()
  }
  // At once: the next key belongs to them.
  useLayoutEffect(() => {
    if (!isShown) return
    place.current?.querySelector<HTMLElement>('.popular button')?.focus()
    const leave = (event: MouseEvent) => {
      if (!isPicking.peek() && !place.current?.contains(event.target as Node)) reactingId.value = undefined
    }
    document.addEventListener('mousedown', leave)
    return () => document.removeEventListener('mousedown', leave)
  }, [isShown])
  const choose = (emoji: ReactionEmoji) => {
    close()
    void toggleReaction(app, message, emoji)
  }
  return (
    <span class="menu-place" ref={place}>
      <button
        type="button"
        class="ghost"
        title="React"
        aria-label="React"
        aria-haspopup="true"
        aria-expanded={isShown}
        onClick={() => (reactingId.value = isShown ? undefined : message.id)}
      >
        <Icon name="smile" />
      </button>
      {isShown && isPicking.value && (
        <EmojiPicker
          anchor={place.current}
          onChoose={({ names, code, type }) =>
            choose({ emoji_name: names[0], emoji_code: code, reaction_type: type })
          }
          onClose={close}
        />
      )}
      {isShown && !isPicking.value && (
        <div
          class="popular"
          role="group"
          aria-label="Popular emoji"
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            close()
          }}
        >
          {POPULAR.map((emoji) => (
            <button
              key={emoji.emoji_code}
              type="button"
              title={emoji.emoji_name}
              aria-label={emoji.emoji_name}
              onClick={() => choose(emoji)}
            >
              <EmojiLook emoji={emoji} />
            </button>
          ))}
          <button
            type="button"
            title="More emoji"
            aria-label="More emoji"
            onClick={() => (isPicking.value = true)}
          >
            <Icon name="add" />
          </button>
        </div>
      )}
    </span>
  )
}
