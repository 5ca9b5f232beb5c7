/**
 * Channels with their subscribers, as JSON in pieces. All but the subscriber's own settings is the same for all who
 * ask: it is encoded once, and again only when the channel changes. A list of subscribers is a piece of its own,
 * since most changes leave it as it is.
 */

import type { EventId, UserId } from '../domain/ids.ts'
import type { UserSet } from '../domain/user-set.ts'
import type { ChannelState } from '../state/channel-state.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import {
  type ChosenSubscribers,
  chooseSubscribers,
  type SubscriptionViewOptions,
  viewChannelActivity,
  viewChannelSettings,
  usualColorOf,
  viewSubscriptionSettings,
} from './channel-view.ts'
import { type JsonPiece, KeptPiece } from './json-pieces.ts'

/** What was encoded, and as what. */
interface Head {
  readonly settings: ReturnType<typeof viewChannelSettings>
  readonly activity: ReturnType<typeof viewChannelActivity>
  readonly piece: KeptPiece
  /** The last event, and the time, as of which it was looked at. */
  asOf: EventId
  seconds: number
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

/** The ends of the objects of those who have set nothing for a channel, by what of them differs. */
const usualEnds = new Map<string, KeptPiece>()

/** What follows the channel object in a subscription object: what is the subscriber's own. */
export function encodeSubscriptionEnd(
  channel: ChannelState,
  userId: UserId,
  allowsNullSettings: boolean,
): JsonPiece {
  const encode = () =>
    `,${JSON.stringify(viewSubscriptionSettings(channel, userId, allowsNullSettings)).slice(1)}`
  if (channel.settings.has(userId)) return encode()
  const key = `${usualColorOf(channel.channel.id)}${allowsNullSettings}`
  const known = usualEnds.get(key)
  if (known) return known
  const end = new KeptPiece(Buffer.from(encode()))
  usualEnds.set(key, end)
  return end
}

function encodeHead(channel: ChannelState, state: OrganizationState, nowSeconds: number): KeptPiece {
  const known = heads.get(channel)
  if (known?.asOf === state.appliedId && known.seconds === nowSeconds) return known.piece
  const settings = viewChannelSettings(channel.channel, state.rights.activeUsers)
  const activity = viewChannelActivity(channel, state, nowSeconds)
  if (known?.settings === settings && isSameActivity(known.activity, activity)) {
    known.asOf = state.appliedId
    known.seconds = nowSeconds
    return known.piece
  }
  const piece = new KeptPiece(Buffer.from(JSON.stringify({ ...settings, ...activity }).slice(0, -1)))
  heads.set(channel, { settings, activity, piece, asOf: state.appliedId, seconds: nowSeconds })
  return piece
}

function isSameActivity(one: Head['activity'], other: Head['activity']): boolean {
  return (Object.keys(one) as (keyof Head['activity'])[]).every((name) => one[name] === other[name])
}

/** By set of subscribers; forgotten with it. */
const lists = {
  subscribers: new WeakMap<UserSet, { readonly among: UserSet; readonly piece: KeptPiece }>(),
  partial_subscribers: new WeakMap<UserSet, { readonly among: UserSet; readonly piece: KeptPiece }>(),
}

function encodeSubscribers({ field, subscribers, among }: ChosenSubscribers): KeptPiece {
  const before = lists[field].get(subscribers)
  if (before?.among === among) return before.piece
  const piece = new KeptPiece(
    Buffer.from(`,"${field}":[${subscribers.intersection(among).toArray().join(',')}]`),
  )
  lists[field].set(subscribers, { among, piece })
  return piece
}
