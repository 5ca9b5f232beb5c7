/** Reports a message to the moderators. */

import { REPORT_DESCRIPTION_LENGTH_MAX } from '../../../../packages/rules/limits.ts'
import { useSignal } from '@preact/signals'
import { useApp } from '../../../app/app.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import type { MessageDialogProps } from '../message-parts.ts'
import { FailedCall, useCall } from './use-call.tsx'
import { TextAreaField } from '../../../ui/fields.tsx'
import { t } from '../../../texts/texts.ts'

/** The reasons that the API takes, in the words of a form. */
const REASONS = {
  spam: t('Spam'),
  harassment: t('Harassment'),
  inappropriate: t('Inappropriate content'),
  norms: t('Against our rules'),
  other: t('Other'),
} as const
type Reason = keyof typeof REASONS

export function ReportMessage({ message, onClose }: MessageDialogProps) {
  const app = useApp()
  const call = useCall()
  const reason = useSignal<Reason>('spam')
  const text = useSignal('')
  const isMissing = reason.value === 'other' && text.value.trim() === ''
  const send = () =>
    call.run(async () => {
      await app.api.call('POST /messages/{message_id}/report', {
        message_id: message.id,
        report_type: reason.value,
        description: text.value,
      })
      onClose()
      showToast(t('Report sent to the moderators'))
    })
  return (
    <Dialog title={t('Report this message')} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <fieldset class="choices">
          <legend>{t('Why?')}</legend>
          {(Object.keys(REASONS) as Reason[]).map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="reason"
                checked={reason.value === one}
                onChange={() => (reason.value = one)}
              />
              {REASONS[one]}
            </label>
          ))}
        </fieldset>
        <TextAreaField
          label={t('Details for the moderators')}
          value={text}
          rows={3}
          maxLength={REPORT_DESCRIPTION_LENGTH_MAX}
        />
        <FailedCall call={call} />
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            {t('Cancel')}
          </button>
          <button class="button primary" disabled={isMissing || call.isRunning.value}>
            {t('Report')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
