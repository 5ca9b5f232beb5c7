/** Changes of one's own subscriptions. */

import type { Channel } from '../../../packages/client/src/wire-types.ts'
import type { App } from '../../app/app.ts'

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
