/** The channels that new people join by themselves. */

import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { useApp, useState } from '../../app/app.ts'
import { channelsById } from '../../store/derived/channels.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { SavedNote, useSaving } from '../../ui/saving.tsx'
import { showError } from '../../ui/toasts.tsx'
import { t } from '../../texts/texts.ts'

export function DefaultChannelsSection() {
  const { api } = useApp()
  const state = useState()
  const defaultIds = new Set(state.realm_default_streams ?? [])
  const channels = [...channelsById(state).values()]
    .map(({ channel }) => channel)
    .toSorted((a, b) => a.name.localeCompare(b.name))
  const others = channels.filter(
    (one) => !defaultIds.has(one.stream_id) && !one.invite_only && !one.is_archived,
  )
  const remove = (channelId: number) =>
    api.call('DELETE /default_streams', { stream_id: channelId }).catch(showError)
  return (
    <section class="settings-part" aria-labelledby="default-channels">
      <h2 id="default-channels">{t('Default channels')}</h2>
      <p class="quiet-text">{t('New people join these channels, unless their invitation says otherwise.')}</p>
      <AddChannel channels={others} />
      {defaultIds.size === 0 && <p class="empty">{t('No default channels yet')}</p>}
      <ul>
        {channels
          .filter((one) => defaultIds.has(one.stream_id))
          .map(({ stream_id, name, description }) => (
            <li key={stream_id} class="card">
              <ChannelMark channelId={stream_id} />
              <div class="card-text">
                <span class="card-name" dir="auto">
                  {name}
                </span>
                <span class="card-about" dir="auto">
                  {description}
                </span>
              </div>
              <button
                class="button small danger"
                aria-label={t('Remove {name}', { name })}
                onClick={() => void remove(stream_id)}
              >
                {t('Remove')}
              </button>
            </li>
          ))}
      </ul>
    </section>
  )
}

interface AddChannelProps {
  /** The channels that can be added. */
  readonly channels: readonly { readonly stream_id: number; readonly name: string }[]
}

function AddChannel({ channels }: AddChannelProps) {
  const { api } = useApp()
  const saving = useSaving()
  const chosen = useSignal('')
  const id = useId()
  const add = async (event: Event) => {
    event.preventDefault()
    const isSaved = await saving.save(() =>
      api.call('POST /default_streams', { stream_id: Number(chosen.value) }),
    )
    if (isSaved) chosen.value = ''
  }
  return (
    <form class="inline-form" onSubmit={(event) => void add(event)}>
      <div class="field">
        <label for={id}>
          {t('Add a channel')} <SavedNote saving={saving} />
        </label>
        <select
          id={id}
          required
          value={chosen.value}
          onChange={(event) => (chosen.value = event.currentTarget.value)}
        >
          <option value="">{t('Choose a public channel')}</option>
          {channels.map(({ stream_id, name }) => (
            <option key={stream_id} value={String(stream_id)}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <button class="button" disabled={chosen.value === ''}>
        {t('Add')}
      </button>
    </form>
  )
}
