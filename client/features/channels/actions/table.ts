/** The menu of a channel of one's own. */

import type { Subscription } from '../../../../packages/client/src/wire-types.ts'
import { ofChannel } from '../../../store/narrows/narrow.ts'
import { type Action, always } from '../../../ui/action.ts'
import { copyLink } from '../../../ui/copy-text.ts'
import { setOwnProperty } from '../subscription.ts'
import { t } from '../../../texts/texts.ts'

const markRead: Action<Subscription> = {
  name: 'mark-read',
  label: t('Mark as read'),
  may: always,
  run: ({ api }, { stream_id }) => api.call('POST /mark_stream_as_read', { stream_id }),
}

const pin: Action<Subscription> = {
  name: 'pin',
  label: (_, { pin_to_top: isPinned }) => (isPinned ? t('Unpin') : t('Pin to top')),
  may: always,
  run: (app, { stream_id, pin_to_top: isPinned }) =>
    setOwnProperty(app, stream_id, ['pin_to_top', !isPinned]),
}

const mute: Action<Subscription> = {
  name: 'mute',
  label: (_, { is_muted: isMuted }) => (isMuted ? t('Unmute channel') : t('Mute channel')),
  may: always,
  run: (app, { stream_id, is_muted: isMuted }) => setOwnProperty(app, stream_id, ['is_muted', !isMuted]),
}

const copyChannelLink: Action<Subscription> = {
  name: 'copy-link',
  label: t('Copy link'),
  may: always,
  run: ({ router }, { stream_id }) =>
    copyLink(router.hrefOf({ view: 'narrow', narrow: ofChannel(stream_id) })),
}

const settings: Action<Subscription> = {
  name: 'settings',
  label: t('Channel settings'),
  may: always,
  to: (_, { stream_id }) => ({ view: 'channels', path: [String(stream_id)] }),
}

export const CHANNEL_ACTIONS: readonly Action<Subscription>[] = [
  markRead,
  pin,
  mute,
  copyChannelLink,
  settings,
]
