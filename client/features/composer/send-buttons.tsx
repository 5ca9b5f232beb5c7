/** Sends now, or later by the menu beside it. */

import { useSignal } from '@preact/signals'
import { sendTimes } from '../../store/composing/send-times.ts'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { ChooseTime } from './choose-time.tsx'

interface SendButtonsProps {
  readonly isDisabled: boolean
  readonly isUploading: boolean
  readonly onSendLater: (atMs: number) => void
}

export function SendButtons({ isDisabled, isUploading, onSendLater }: SendButtonsProps) {
  const isChoosing = useSignal(false)
  return (
    <span class="send-buttons">
      <button
        class="button primary send"
        disabled={isDisabled}
        title={isUploading ? 'Files are still uploading' : undefined}
      >
        {isUploading ? 'Uploading…' : 'Send'}
      </button>
      <Menu
        label="Send later"
        class="button primary later"
        items={() => [
          ...sendTimes(Date.now()).map(({ text, atMs }) => ({ text, onChoose: () => onSendLater(atMs) })),
          { text: 'Custom time…', onChoose: () => (isChoosing.value = true) },
        ]}
      >
        <Icon name="down" />
      </Menu>
      {isChoosing.value && (
        <ChooseTime
          onChoose={(atMs) => {
            isChoosing.value = false
            onSendLater(atMs)
          }}
          onClose={() => (isChoosing.value = false)}
        />
      )}
    </span>
  )
}
