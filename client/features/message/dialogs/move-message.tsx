/** Moves a message, alone or with others of its topic, to another topic or channel. */

import { useSignal } from '@preact/signals'
import { useApp, useState } from '../../../app/app.ts'
import { channelsById } from '../../../store/derived/channels.ts'
import { mayMoveToChannel, movableToTopic } from '../../../store/derived/message-permissions.ts'
import { ofTopic, term } from '../../../store/narrows/narrow.ts'
import { MoveFields } from '../../topics/move-fields.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { topicName } from '../../../store/derived/topic.ts'
import type { MessageDialogProps } from '../message-parts.ts'
import { FailedCall, useCall } from './use-call.tsx'

const MODES = {
  change_one: 'Only this message',
  change_later: 'This and later messages in the topic',
  change_all: 'All messages in the topic',
} as const
type Mode = keyof typeof MODES

export function MoveMessage({ message, onClose }: MessageDialogProps) {
  const app = useApp()
  const state = useState()
  const call = useCall()
  const { stream_id: channelId = 0, subject } = message
  const nowSeconds = Math.floor(app.minute.value / 1_000)
  const movable = movableToTopic(state, message, nowSeconds)
  const canLeave = mayMoveToChannel(state, message, nowSeconds)
  const toChannelId = useSignal(channelId)
  const topic = useSignal(subject)
  const mode = useSignal<Mode>('change_one')
  const notesOld = useSignal(false)
  const notesNew = useSignal(true)
  const isOtherChannel = toChannelId.value !== channelId
  const isSame = !isOtherChannel && topic.value.trim() === subject
  const move = () =>
    call.run(async () => {
      await app.api.call('PATCH /messages/{message_id}', {
        message_id: message.id,
        ...(isOtherChannel ? { stream_id: toChannelId.value } : {}),
        topic: topic.value.trim(),
        propagate_mode: mode.value,
        send_notification_to_old_thread: notesOld.value,
        send_notification_to_new_thread: notesNew.value,
      })
      const narrow = [...ofTopic(toChannelId.value, topic.value.trim()), term('near', message.id)]
      onClose()
      const name = channelsById(state).get(toChannelId.value)?.channel.name ?? ''
      showToast(`Moved to #${name} › ${topicName(topic.value.trim())}`, {
        text: 'Show',
        run: () => app.router.go({ view: 'narrow', narrow }),
      })
    })
  return (
    <Dialog title="Move" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void move()
        }}
      >
        <MoveFields
          fromId={channelId}
          channelId={toChannelId}
          topic={topic}
          canRename={movable !== 'none'}
          canLeave={canLeave}
        />
        <div class="field">
          <label for="move-mode">Move</label>
          <select
            id="move-mode"
            value={mode.value}
            onChange={(event) => (mode.value = event.currentTarget.value as Mode)}
          >
            {(Object.keys(MODES) as Mode[]).map((one) => (
              <option key={one} value={one}>
                {MODES[one]}
              </option>
            ))}
          </select>
          {movable === 'own' && !isOtherChannel && (
            <small>You can move your own messages, but not those of others.</small>
          )}
        </div>
        <fieldset class="choices">
          <legend>Send a notice</legend>
          <label>
            <input
              type="checkbox"
              checked={notesNew.value}
              onChange={(event) => (notesNew.value = event.currentTarget.checked)}
            />
            To the new conversation
          </label>
          <label>
            <input
              type="checkbox"
              checked={notesOld.value}
              onChange={(event) => (notesOld.value = event.currentTarget.checked)}
            />
            To the old conversation
          </label>
        </fieldset>
        <FailedCall call={call} />
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
          <button class="button primary" disabled={isSame || call.isRunning.value}>
            Move
          </button>
        </div>
      </form>
    </Dialog>
  )
}
