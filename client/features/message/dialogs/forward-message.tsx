/** Takes a quote of a message to the composer of another conversation. */

import { type Signal, useSignal } from '@preact/signals'
import { useApp, useState } from '../../../app/app.ts'
import { channelsById } from '../../../store/derived/channels.ts'
import { mayPost } from '../../../store/derived/message-permissions.ts'
import { type Narrow, ofDirect, ofTopic } from '../../../store/narrows/narrow.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { quoteOf } from '../quote-of.ts'
import { writeIn } from '../write-in.ts'
import type { MessageDialogProps } from '../message-parts.ts'
import { FailedCall, useCall } from './use-call.tsx'
import { TextField } from '../../../ui/fields.tsx'
import { t } from '../../../texts/texts.ts'

export function ForwardMessage({ message, onClose }: MessageDialogProps) {
  const app = useApp()
  const state = useState()
  const call = useCall()
  const place = useSignal('')
  const topic = useSignal(message.subject)
  const [kind, id = ''] = place.value.split(' ')
  const forward = () =>
    call.run(async () => {
      const narrow: Narrow =
        kind === 'channel' ? ofTopic(Number(id), topic.value.trim()) : ofDirect([Number(id)])
      const text = await quoteOf(app, message)
      onClose()
      await writeIn(app, narrow, text)
    })
  return (
    <Dialog title={t('Forward')} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void forward()
        }}
      >
        <PlaceChoice place={place} />
        {kind === 'channel' && (
          <TextField label={t('Topic')} value={topic} maxLength={state.max_topic_length} />
        )}
        <p class="quiet">{t('You can edit it before sending.')}</p>
        <FailedCall call={call} />
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            {t('Cancel')}
          </button>
          <button class="button primary" disabled={place.value === '' || call.isRunning.value}>
            {t('Write')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** A channel that one may write in, or a person. */
function PlaceChoice({ place }: { readonly place: Signal<string> }) {
  const app = useApp()
  const state = useState()
  const channels = [...channelsById(state).values()]
    .map(({ channel }) => channel)
    .filter(({ stream_id: id }) => mayPost(state, id))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const people = [...app.users.value.values()]
    .filter(({ is_active }) => is_active)
    .toSorted((a, b) => a.full_name.localeCompare(b.full_name))
  return (
    <div class="field">
      <label for="forward-place">{t('To')}</label>
      <select
        id="forward-place"
        value={place.value}
        onChange={(event) => (place.value = event.currentTarget.value)}
      >
        <option value="">{t('Choose a channel or a person')}</option>
        <optgroup label={t('Channels')}>
          {channels.map(({ stream_id, name }) => (
            <option key={stream_id} value={`channel ${stream_id}`}>
              {name}
            </option>
          ))}
        </optgroup>
        <optgroup label={t('People')}>
          {people.map(({ user_id, full_name }) => (
            <option key={user_id} value={`person ${user_id}`}>
              {full_name}
            </option>
          ))}
        </optgroup>
      </select>
    </div>
  )
}
