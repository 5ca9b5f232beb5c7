/** Sends now, or later by the menu beside it. */

import { useSignal } from '@preact/signals'
import { sendTimes } from '../../store/composing/send-times.ts'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { RareIcon } from '../../ui/rare-icon.tsx'
import { ChooseTime } from './choose-time.tsx'

interface SendButtonsProps {
  readonly isDisabled: boolean
  readonly isUploading: boolean
  readonly onSendLater: (atMs: number) => void
}

export function SendButtons({ isDisabled, isUploading, onSendLater }: SendButtonsProps) {
  const isChoosing = useSignal(false)
  return (
    <>
      <span class="for-use">
        <Menu
          label="Send later"
          items={() => [
            ...sendTimes(Date.now()).map(({ text, atMs }) => ({ text, onChoose: () => onSendLater(atMs) })),
            { text: 'Custom time…', onChoose: () => (isChoosing.value = true) },
          ]}
        >
          <Icon name="clock" />
        </Menu>
      </span>
      <button
        class="send"
        disabled={isDisabled}
        aria-label={isUploading ? 'Uploading…' : 'Send'}
        title={isUploading ? 'Files are still uploading' : 'Send'}
      >
        <RareIcon name="send" />
      </button>
      {isChoosing.value && (
        <ChooseTime
          onChoose={(atMs) => {
            isChoosing.value = false
            onSendLater(atMs)
          }}
          onClose={() => (isChoosing.value = false)}
        />
      )}
    </>
  )
}
