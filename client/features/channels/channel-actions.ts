/** Actions on a channel of one’s own. */

import type { Channel, Subscription } from '../../../packages/client/src/wire-types.ts'
import type { App } from '../../app/app.ts'
import { ofChannel } from '../../store/narrows/narrow.ts'
import { copyText } from '../../ui/copy-text.ts'
import type { MenuItem } from '../../ui/open-menu.tsx'
import { sayProblem } from '../../ui/toasts.tsx'

/** Settings of a subscription that are its user's own. */
export type OwnProperty =
  | 'color'
  | 'is_muted'
  | 'pin_to_top'
  | 'desktop_notifications'
  | 'audible_notifications'
  | 'push_notifications'
  | 'email_notifications'
  | 'wildcard_mentions_notify'

export function setOwnProperty(
  { api }: App,
  channelId: number,
  [property, value]: readonly [property: OwnProperty, value: boolean | string],
): Promise<unknown> {
  return api.call('POST /users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channelId, property, value }],
  })
}

export function joinChannel({ api }: App, { name }: Channel): Promise<unknown> {
  return api.call('POST /users/me/subscriptions', { subscriptions: [{ name }] })
}

export function leaveChannel({ api }: App, { name }: Channel): Promise<unknown> {
  return api.call('DELETE /users/me/subscriptions', { subscriptions: [name] })
}

/** Copies the address of a view, for a colleague. */
export function copyLink(href: string): void {
  void copyText(new URL(href, location.href).href, 'The link is copied.')
}

/** The menu of an own channel. */
export function channelItems(app: App, channel: Subscription): readonly MenuItem[] {
  const { stream_id: id, is_muted: isMuted, pin_to_top: isPinned } = channel
  const set = (property: OwnProperty, value: boolean) =>
    void setOwnProperty(app, id, [property, value]).catch(sayProblem)
  return [
    {
      text: 'Mark as read',
      onChoose: () => void app.api.call('POST /mark_stream_as_read', { stream_id: id }).catch(sayProblem),
    },
    { text: isPinned ? 'Unpin' : 'Pin to top', onChoose: () => set('pin_to_top', !isPinned) },
    { text: isMuted ? 'Unmute channel' : 'Mute channel', onChoose: () => set('is_muted', !isMuted) },
    {
      text: 'Copy link',
      onChoose: () => copyLink(app.router.hrefOf({ view: 'narrow', narrow: ofChannel(id) })),
    },
    {
      text: 'Channel settings',
      onChoose: () => app.router.go({ view: 'channels', path: [String(id)] }),
    },
  ]
}
