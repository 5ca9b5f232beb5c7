/** Moves a message, alone or with others of its topic, to another topic or channel. */

import { useSignal } from '@preact/signals'
import { useApp, useState } from '../../../app/app.ts'
import { channelsById } from '../../../store/derived/channels.ts'
import { mayMoveToChannel, movableToTopic } from '../../../store/derived/message-permissions.ts'
import { ofTopic, term } from '../../../store/narrows/narrow.ts'
import { MoveFields } from '../../topics/move-fields.tsx'
import { CheckField, SelectField } from '../../../ui/fields.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { topicName } from '../../../store/derived/topic.ts'
import type { MessageDialogProps } from '../message-parts.ts'
import { FailedCall, useCall } from './use-call.tsx'
import { t } from '../../../texts/texts.ts'

type Mode = 'change_one' | 'change_later' | 'change_all'
const MODES: readonly (readonly [mode: Mode, text: string])[] = [
  ['change_one', t('Only this message')],
  ['change_later', t('This and later messages in the topic')],
  ['change_all', t('All messages in the topic')],
]

export function MoveMessage({ message, onClose }: MessageDialogProps) {
  const app = useApp()
  const state = useState()
  const nowSeconds = Math.floor(app.minute.value / 1_000)
  const movable = movableToTopic(state, message, nowSeconds)
  const canLeave = mayMoveToChannel(state, message, nowSeconds)
  const { call, toChannelId, topic, mode, notesOld, notesNew, isOtherChannel, isSame, move } = useMove({
    message,
    onClose,
  })
  return (
    <Dialog title={t('Move')} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void move()
        }}
      >
        <MoveFields
          fromId={message.stream_id ?? 0}
          channelId={toChannelId}
          topic={topic}
          canRename={movable !== 'none'}
          canLeave={canLeave}
        />
        <SelectField
          label={t('Move')}
          value={mode}
          options={MODES}
          hint={
            movable === 'own' && !isOtherChannel
              ? t('You can move your own messages, but not those of others.')
              : undefined
          }
        />
        <fieldset class="choices">
          <legend>{t('Send a notice')}</legend>
          <CheckField label={t('To the new conversation')} value={notesNew} />
          <CheckField label={t('To the old conversation')} value={notesOld} />
        </fieldset>
        <FailedCall call={call} />
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            {t('Cancel')}
          </button>
          <button class="button primary" disabled={isSame || call.isRunning.value}>
            {t('Move')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** The destination that is being chosen, and the move to it. */
function useMove({ message, onClose }: MessageDialogProps) {
  const app = useApp()
  const call = useCall()
  const { stream_id: channelId = 0, subject } = message
  const toChannelId = useSignal(channelId)
  const topic = useSignal(subject)
  const mode = useSignal<string>('change_one')
  const notesOld = useSignal(false)
  const notesNew = useSignal(true)
  const name = topic.value.trim()
  const isOtherChannel = toChannelId.value !== channelId
  const isSame = !isOtherChannel && name === subject
  const move = () =>
    call.run(async () => {
      await app.api.call('PATCH /messages/{message_id}', {
        message_id: message.id,
        ...(isOtherChannel ? { stream_id: toChannelId.value } : {}),
        topic: name,
        propagate_mode: mode.value as Mode,
        send_notification_to_old_thread: notesOld.value,
        send_notification_to_new_thread: notesNew.value,
      })
      onClose()
      const channel = channelsById(app.state.peek()).get(toChannelId.value)?.channel.name ?? ''
      const narrow = [...ofTopic(toChannelId.value, name), term('near', message.id)]
      showToast(t('Moved to #{channel} › {topic}', { channel, topic: topicName(name) }), {
        text: t('Show'),
        run: () => app.router.go({ view: 'narrow', narrow }),
      })
    })
  return { call, toChannelId, topic, mode, notesOld, notesNew, isOtherChannel, isSame, move }
}
