/** All channels that a person sees, to join and to leave. */

import { useSignal } from '@preact/signals'
import { useApp, useState } from '../../app/app.ts'
import { browseChannels, type ChannelKind } from '../../store/derived/browsed-channels.ts'
import type { SeenChannel } from '../../store/derived/channels.ts'
import { mayJoin } from '../../store/derived/membership-permissions.ts'
import { ofChannel } from '../../store/narrows/narrow.ts'
import { joinChannel, leaveChannel } from './subscription.ts'
import { ChannelMark } from '../../ui/channel-mark.tsx'
import { PlacesLink } from '../../ui/places-link.tsx'
import { Icon } from '../../ui/icon.tsx'
import { showError } from '../../ui/toasts.tsx'
import { t } from '../../texts/texts.ts'

const KINDS: readonly (readonly [ChannelKind, string])[] = [
  ['all', t('All')],
  ['own', t('Yours')],
  ['archived', t('Archived')],
]

export function BrowseChannels() {
  const state = useState()
  const kind = useSignal<ChannelKind>('all')
  const text = useSignal('')
  const shown = browseChannels(state, { kind: kind.value, text: text.value })
  const mayCreate = state.can_create_public_streams || state.can_create_private_streams
  return (
    <>
      <header class="head">
        <PlacesLink />
        <h1>{t('Channels')}</h1>
        <div class="tools">
          {state.is_admin && (
            <a class="button" href="#channels/folders">
              {t('Folders')}
            </a>
          )}
          {mayCreate && (
            <a class="button primary" href="#channels/new">
              {t('New channel')}
            </a>
          )}
        </div>
      </header>
      <div class="page">
        <div class="list-filter">
          <label class="list-filter-text">
            <Icon name="search" />
            <span class="hidden">{t('Search channels')}</span>
            <input
              type="search"
              placeholder={t('Search channels')}
              value={text.value}
              onInput={(event) => (text.value = event.currentTarget.value)}
            />
          </label>
          <div class="segments" role="group" aria-label={t('Filter channels')}>
            {KINDS.map(([one, name]) => (
              <button
                key={one}
                class="segment"
                aria-pressed={kind.value === one}
                onClick={() => (kind.value = one)}
              >
                {name}
              </button>
            ))}
          </div>
        </div>
        {shown.length === 0 ? (
          <p class="empty">{emptyText(kind.value, text.value)}</p>
        ) : (
          <ul class="cards">
            {shown.map((seen) => (
              <ChannelCard key={seen.channel.stream_id} seen={seen} />
            ))}
          </ul>
        )}
      </div>
    </>
  )
}

function emptyText(kind: ChannelKind, text: string): string {
  if (text.trim() !== '') return t('No matching channels')
  if (kind === 'archived') return t('No archived channels')
  return kind === 'own'
    ? t('You haven’t joined any channels yet. Find some under “All”.')
    : t('No channels yet')
}

function ChannelCard({ seen: { channel, subscription } }: { readonly seen: SeenChannel }) {
  const app = useApp()
  const state = useState()
  const isBusy = useSignal(false)
  const id = channel.stream_id
  const folder = state.channel_folders?.find((one) => one.id === channel.folder_id)
  const change = async () => {
    isBusy.value = true
    try {
      await (subscription ? leaveChannel(app, channel) : joinChannel(app, channel))
    } catch (error) {
      showError(error)
    }
    isBusy.value = false
  }
  return (
    <li class="card">
      <ChannelMark channelId={id} />
      <div class="card-text">
        <a class="card-name" dir="auto" href={app.router.hrefOf({ view: 'narrow', narrow: ofChannel(id) })}>
          {channel.name}
        </a>
        <span class="card-about" dir="auto">
          {channel.description}
        </span>
        <small>
          {t('{count, plural, one {# member} other {# members}}', { count: channel.subscriber_count })}
          {folder && (
            <>
              {' · '}
              <span dir="auto">{folder.name}</span>
            </>
          )}
        </small>
      </div>
      <a
        class="ghost"
        href={`#channels/${id}`}
        aria-label={t('Settings for {name}', { name: channel.name })}
        title={t('Settings')}
      >
        <Icon name="more" />
      </a>
      {(subscription || (mayJoin(state, id) && !channel.is_archived)) && (
        <button
          class="button"
          disabled={isBusy.value}
          aria-label={`${subscription ? t('Leave') : t('Join')} ${channel.name}`}
          onClick={() => void change()}
        >
          {subscription ? t('Leave') : t('Join')}
        </button>
      )}
    </li>
  )
}
