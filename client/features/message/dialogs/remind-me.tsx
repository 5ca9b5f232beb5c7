/** Reminds the user of a message at a time that they choose. */

import { useSignal } from '@preact/signals'
import { useApp } from '../../../app/app.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { dayAndTime } from '../../../ui/day-and-time.ts'
import type { MessageDialogProps } from '../message-parts.ts'
import { FailedCall, useCall } from './use-call.tsx'
import { TextField } from '../../../ui/fields.tsx'
import { t } from '../../../texts/texts.ts'

const HOUR_MS = 3_600_000
const MORNING_HOUR = 9

/** Times that people ask for most. */
function choices(nowMs: number): readonly (readonly [text: string, ms: number])[] {
  const morning = new Date(nowMs)
  morning.setHours(MORNING_HOUR, 0, 0, 0)
  const tomorrow = new Date(morning).setDate(morning.getDate() + 1)
  const monday = new Date(morning).setDate(morning.getDate() + ((8 - morning.getDay()) % 7 || 7))
  return [
    [t('In an hour'), nowMs + HOUR_MS],
    [t('In three hours'), nowMs + 3 * HOUR_MS],
    [t('Tomorrow at 9'), tomorrow],
    // Tomorrow may be Monday.
    ...(monday === tomorrow ? [] : [[t('On Monday at 9'), monday] as const]),
  ]
}

export function RemindMe({ message, onClose }: MessageDialogProps) {
  const app = useApp()
  const call = useCall()
  const note = useSignal('')
  const own = useSignal('')
  const remind = (ms: number) =>
    call.run(async () => {
      const seconds = Math.floor(ms / 1_000)
      await app.api.call('POST /reminders', {
        message_id: message.id,
        scheduled_delivery_timestamp: seconds,
        note: note.value,
      })
      onClose()
      showToast(t('Reminder set for {time}', { time: dayAndTime(seconds) }))
    })
  const ownMs = own.value === '' ? Number.NaN : new Date(own.value).getTime()
  return (
    <Dialog title={t('Remind me')} onClose={onClose}>
      <TextField label={t('Note to yourself')} value={note} />
      <div class="choice-buttons">
        {choices(Date.now()).map(([text, ms]) => (
          <button
            key={text}
            type="button"
            class="button"
            disabled={call.isRunning.value}
            onClick={() => void remind(ms)}
          >
            {text}
          </button>
        ))}
      </div>
      <form
        class="own-time"
        onSubmit={(event) => {
          event.preventDefault()
          void remind(ownMs)
        }}
      >
        <TextField label={t('Custom time')} value={own} type="datetime-local" />
        <button class="button primary" disabled={Number.isNaN(ownMs) || call.isRunning.value}>
          {t('Remind me')}
        </button>
      </form>
      <FailedCall call={call} />
    </Dialog>
  )
}
