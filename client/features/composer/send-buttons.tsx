/** Sends now, or later by the menu beside it. */

import { useSignal } from '@preact/signals'
import { sendTimes } from '../../store/composing/send-times.ts'
import { ChooseTime } from '../../ui/choose-time.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { RareIcon } from '../../ui/rare-icon.tsx'
import { t } from '../../texts/texts.ts'

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
          label={t('Send later')}
          items={() => [
            ...sendTimes(Date.now()).map(({ text, atMs }) => ({ text, onChoose: () => onSendLater(atMs) })),
            { text: t('Custom time…'), onChoose: () => (isChoosing.value = true) },
          ]}
        >
          <Icon name="clock" />
        </Menu>
      </span>
      <button
        class="send"
        disabled={isDisabled}
        aria-label={isUploading ? t('Uploading…') : t('Send')}
        title={isUploading ? t('Files are still uploading') : t('Send')}
      >
        <RareIcon name="send" />
      </button>
      {isChoosing.value && (
        <ChooseTime
          title={t('Send later')}
          action={t('Schedule')}
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
