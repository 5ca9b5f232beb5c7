/** A button that opens the emoji picker for a reaction. */

import { useEffect, useRef } from 'preact/hooks'
import type { Message } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import { Icon } from '../../ui/icon.tsx'
import { withKeys } from '../../ui/keys.ts'
import { EmojiPicker } from '../emoji/emoji-picker.tsx'
import { react } from './actions/react.ts'
import { toggleReaction } from './react.ts'
import { endOf, MessageParts } from './message-parts.ts'
import { t } from '../../texts/texts.ts'

export function ReactButton({ message }: { readonly message: Message }) {
  const app = useApp()
  const { reactingId } = app.part(MessageParts)
  const button = useRef<HTMLButtonElement>(null)
  const isOpen = reactingId.value === message.id
  useEffect(() => () => endOf(reactingId, message.id), [message.id])
  return (
    <>
      <button
        ref={button}
        type="button"
        class="ghost"
        title={withKeys(t('React'), react.key?.[0])}
        aria-label={t('React')}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => (reactingId.value = message.id)}
      >
        <Icon name="smile" />
      </button>
      {isOpen && (
        <EmojiPicker
          anchor={button}
          onChoose={({ names, code, type }) =>
            void toggleReaction(app, message, {
              emoji_name: names[0],
              emoji_code: code,
              reaction_type: type,
            })
          }
          onClose={() => (reactingId.value = undefined)}
        />
      )}
    </>
  )
}
