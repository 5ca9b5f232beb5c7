/**
 * Channels with their subscribers, as JSON text. Most of a long reply are ids of users, which are the same for
 * all who ask: they are encoded once, and again only when the channel's subscribers change.
 */

import type { UserSet } from '../domain/user-set.ts'
import type { ChannelState, OrganizationState } from '../state/organization-state.ts'
import {
  type ChosenSubscribers,
  chooseSubscribers,
  type SubscriptionViewOptions,
  viewChannel,
  type viewSubscriptionSettings,
} from './channel-view.ts'

/** The channel object with its subscribers, as JSON. */
export function encodeChannel(
  channel: ChannelState,
  state: OrganizationState,
  nowSeconds: number,
  includeSubscribers: SubscriptionViewOptions['includeSubscribers'],
): string {
  const text = JSON.stringify(viewChannel(channel, state, nowSeconds))
  const chosen = chooseSubscribers(channel, state, nowSeconds, includeSubscribers)
  return chosen ? `${text.slice(0, -1)},"${chosen.field}":[${encodeShared(chosen)}]}` : text
}

/** The subscription object, as JSON, of the channel object and what is the subscriber's own. */
export function encodeSubscription(
  channelText: string,
  settings: ReturnType<typeof viewSubscriptionSettings>,
): string {
  return `${channelText.slice(0, -1)},${JSON.stringify(settings).slice(1)}`
}

/** By set of subscribers; forgotten with it. */
const known = {
  subscribers: new WeakMap<UserSet, { readonly among: UserSet; readonly text: string }>(),
  partial_subscribers: new WeakMap<UserSet, { readonly among: UserSet; readonly text: string }>(),
}

function encodeShared({ field, subscribers, among }: ChosenSubscribers): string {
  const before = known[field].get(subscribers)
  if (before?.among === among) return before.text
  const text = subscribers.intersection(among).toArray().join(',')
  known[field].set(subscribers, { among, text })
  return text
}
