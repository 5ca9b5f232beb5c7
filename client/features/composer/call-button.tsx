/** The button that writes the link of a new video call into the message. */

import { useSignal } from '@preact/signals'
import { useApp, useState } from '../../app/app.ts'
import type { DraftPlace } from '../../store/drafts/draft-entry.ts'
import { RareIcon } from '../../ui/rare-icon.tsx'
import { showError, showToast } from '../../ui/toasts.tsx'
import { t } from '../../texts/texts.ts'
import { hasCalls, startCall } from './start-call.ts'

interface CallButtonProps {
  readonly place: DraftPlace
  readonly insert: (words: string) => void
}

export function CallButton({ place, insert }: CallButtonProps) {
  const app = useApp()
  const state = useState()
  const isStarting = useSignal(false)
  if (!hasCalls(state)) return <></>
  const start = async () => {
    isStarting.value = true
    try {
      const call = await startCall(app, place)
      if ('url' in call) return insert(`[${t('Join the video call')}](${call.url}) `)
      showToast(t('First allow calls in your name.'), {
        text: t('Allow calls'),
        run: () => void open(call.allowAt, '_blank', 'noopener'),
      })
    } catch (error) {
      showError(error)
    } finally {
      isStarting.value = false
    }
  }
  return (
    <button
      type="button"
      class="ghost for-use"
      aria-label={t('Video call')}
      title={t('Video call')}
      disabled={isStarting.value}
      // The text keeps its cursor.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => void start()}
    >
      <RareIcon name="camera" />
    </button>
  )
}
