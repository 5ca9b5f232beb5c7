/** The new place of a topic or of messages: a channel, among those that the user may write to, and a topic. */

import type { Signal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { useState } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { mayPost } from '../../store/derived/message-permissions.ts'
import { TextField } from '../../ui/fields.tsx'
import { t } from '../../texts/texts.ts'

interface MoveFieldsProps {
  /** The channel from which they move. */
  readonly fromId: number
  readonly channelId: Signal<number>
  readonly topic: Signal<string>
  /** Whether they may have another topic in their channel. */
  readonly canRename: boolean
  /** Whether they may leave their channel. */
  readonly canLeave: boolean
}

export function MoveFields({ fromId, channelId, topic, canRename, canLeave }: MoveFieldsProps) {
  const state = useState()
  const id = useId()
  const channels = [...channelsById(state).values()]
    .map(({ channel }) => channel)
    .filter((one) => one.stream_id === fromId || (canLeave && mayPost(state, one.stream_id)))
    .toSorted((a, b) => a.name.localeCompare(b.name))
  return (
    <>
      {channels.length > 1 && (
        <div class="field">
          <label for={`${id}-channel`}>{t('Channel')}</label>
          <select
            id={`${id}-channel`}
            value={String(channelId.value)}
            onChange={(event) => (channelId.value = Number(event.currentTarget.value))}
          >
            {channels.map(({ stream_id, name }) => (
              <option key={stream_id} value={String(stream_id)}>
                {name}
              </option>
            ))}
          </select>
        </div>
      )}
      <TextField
        label={t('Topic')}
        value={topic}
        maxLength={state.max_topic_length}
        disabled={!canRename && channelId.value === fromId}
      />
    </>
  )
}
