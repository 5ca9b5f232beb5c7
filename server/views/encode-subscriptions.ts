/**
 * Channels with their subscribers, as JSON in pieces. All but the subscriber's own settings is the same for all who
 * ask: it is encoded once, and again only when the channel changes. A list of subscribers is a piece of its own,
 * since most changes leave it as it is.
 */

import type { UserSet } from '../domain/user-set.ts'
import type { ChannelState } from '../state/channel-state.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import {
  type ChosenSubscribers,
  chooseSubscribers,
  type SubscriptionViewOptions,
  viewChannelActivity,
  viewChannelSettings,
  type viewSubscriptionSettings,
} from './channel-view.ts'
import type { JsonPiece } from './json-pieces.ts'

/** What was encoded, and as what. */
interface Head {
  readonly settings: ReturnType<typeof viewChannelSettings>
  readonly activity: ReturnType<typeof viewChannelActivity>
  readonly bytes: Uint8Array
}

const heads = new WeakMap<ChannelState, Head>()

/** The channel object with its subscribers, but for its closing brace. */
export function encodeChannel(
  channel: ChannelState,
  state: OrganizationState,
  nowSeconds: number,
  includeSubscribers: SubscriptionViewOptions['includeSubscribers'],
): readonly JsonPiece[] {
  const head = encodeHead(channel, state, nowSeconds)
  const chosen = chooseSubscribers(channel, state, nowSeconds, includeSubscribers)
  return chosen ? [head, encodeSubscribers(chosen)] : [head]
}

/** The subscription object of the channel object and what is the subscriber's own. */
export function encodeSubscription(
  channel: readonly JsonPiece[],
  settings: ReturnType<typeof viewSubscriptionSettings>,
): readonly JsonPiece[] {
  return [...channel, `,${JSON.stringify(settings).slice(1)}`]
}

function encodeHead(channel: ChannelState, state: OrganizationState, nowSeconds: number): Uint8Array {
  const settings = viewChannelSettings(channel.channel, state.rights.activeUsers)
  const activity = viewChannelActivity(channel, state, nowSeconds)
  const known = heads.get(channel)
  if (known?.settings === settings && isSameActivity(known.activity, activity)) return known.bytes
  const bytes = Buffer.from(JSON.stringify({ ...settings, ...activity }).slice(0, -1))
  heads.set(channel, { settings, activity, bytes })
  return bytes
}

function isSameActivity(one: Head['activity'], other: Head['activity']): boolean {
  return (Object.keys(one) as (keyof Head['activity'])[]).every((name) => one[name] === other[name])
}

/** By set of subscribers; forgotten with it. */
const lists = {
  subscribers: new WeakMap<UserSet, { readonly among: UserSet; readonly bytes: Uint8Array }>(),
  partial_subscribers: new WeakMap<UserSet, { readonly among: UserSet; readonly bytes: Uint8Array }>(),
}

function encodeSubscribers({ field, subscribers, among }: ChosenSubscribers): Uint8Array {
  const before = lists[field].get(subscribers)
  if (before?.among === among) return before.bytes
  const bytes = Buffer.from(`,"${field}":[${subscribers.intersection(among).toArray().join(',')}]`)
  lists[field].set(subscribers, { among, bytes })
  return bytes
}
