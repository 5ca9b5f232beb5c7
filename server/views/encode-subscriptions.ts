/**
 * Encodes channels with their subscribers as JSON in pieces. Only the subscriber's own settings differ between viewers.
 * So the rest of a channel is encoded once, and again when the channel changes. The list of subscribers is a piece of
 * its own, since most changes leave it as it is.
 */

import { derived, lazy } from '../domain/messages/derived.ts'
import type { EventId, UserId } from '../domain/ids.ts'
import type { UserSet } from '../domain/users/user-set.ts'
import type { ChannelState } from '../state/channel-state.ts'
import type { SubscriptionSettings } from '../domain/entities.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import {
  type ChosenSubscribers,
  chooseSubscribers,
  type SubscriptionViewOptions,
  viewChannelActivity,
  DEFAULT_SETTINGS,
  subscriptionSettings,
  viewChannelSettings,
  defaultColorOf,
  viewSubscriptionSettings,
} from './channel-view.ts'
import { type JsonPiece, CachedPiece, ownBytes } from './json-pieces.ts'

/** The encoded channel, and the input that it was encoded from. */
interface Encoded {
  readonly settings: ReturnType<typeof viewChannelSettings>
  readonly activity: ReturnType<typeof viewChannelActivity>
  /** Begins with a comma after the previous channel; the subscribers and the closing brace are missing. */
  readonly head: Uint8Array
  /** The whole object, by the slot of the requested form. */
  readonly pieces: (Joined | undefined)[]
  /** The last event and the time at which it was checked. */
  asOf: EventId
  seconds: number
}

interface Joined {
  readonly list: Uint8Array | undefined
  readonly piece: CachedPiece
  /** The last event and the time at which it was checked. */
  asOf: EventId
  seconds: number
}

/** The latest encoding of a channel. */
const lastOf = derived<ChannelState, { encoded?: Encoded }>(() => ({}))

/** A form of the channel object. */
export interface ChannelForm {
  readonly includeSubscribers: SubscriptionViewOptions['includeSubscribers']
  /** The closing brace, or empty if more fields follow. */
  readonly end: '' | '}'
  /** The place of the encoded channel among its forms. */
  readonly slot: number
}

const INCLUDED = [false, true, 'partial'] as const
const FORMS: readonly ChannelForm[] = (['', '}'] as const)
  .flatMap((end) => INCLUDED.map((includeSubscribers) => ({ includeSubscribers, end })))
  .map((form, slot) => ({ ...form, slot }))

/** The form with these subscribers and this end. */
export function channelForm(
  includeSubscribers: ChannelForm['includeSubscribers'],
  end: ChannelForm['end'],
): ChannelForm {
  const isWanted = (form: ChannelForm) => form.includeSubscribers === includeSubscribers && form.end === end
  return FORMS.find(isWanted) as ChannelForm
}

/** The channel object with its subscribers, after a comma. */
export function encodeChannel(
  channel: ChannelState,
  state: OrganizationState,
  nowSeconds: number,
  { includeSubscribers, end, slot }: ChannelForm,
): CachedPiece {
  const { head, pieces } = findEncoded(channel, state, nowSeconds)
  const known = pieces[slot]
  if (known?.asOf === state.appliedId && known.seconds === nowSeconds) return known.piece
  const chosen = chooseSubscribers(channel, state, nowSeconds, includeSubscribers)
  const list = chosen && encodeSubscribers(chosen)
  const asOf = { asOf: state.appliedId, seconds: nowSeconds }
  if (known && known.list === list) return Object.assign(known, asOf).piece
  const parts = [head, ...(list ? [list] : []), Buffer.from(end)]
  const piece = new CachedPiece(Buffer.concat(parts))
  pieces[slot] = { list, piece, ...asOf }
  return piece
}

/** The ends of objects with default settings, by color: for clients that understand null, and for others. */
const defaultEnds = lazy(() => {
  const encodeAll = (allowsNullSettings: boolean) =>
    new Map(
      DEFAULT_SETTINGS.map((settings) => [
        settings.color,
        new CachedPiece(Buffer.from(encodeEnd(settings, allowsNullSettings))),
      ]),
    )
  return { withNull: encodeAll(true), withoutNull: encodeAll(false) }
})

function encodeEnd(settings: SubscriptionSettings, allowsNullSettings: boolean): string {
  return `,${JSON.stringify(viewSubscriptionSettings(settings, allowsNullSettings)).slice(1)}`
}

/** The fields that a subscription object adds to the channel object: the subscriber's own settings. */
export function encodeSubscriptionEnd(
  channel: ChannelState,
  userId: UserId,
  allowsNullSettings: boolean,
): JsonPiece {
  const settings = () => subscriptionSettings(channel, userId)
  if (channel.settings.has(userId)) return encodeEnd(settings(), allowsNullSettings)
  const { withNull, withoutNull } = defaultEnds()
  const end = (allowsNullSettings ? withNull : withoutNull).get(defaultColorOf(channel.channel.id))
  return end ?? encodeEnd(settings(), allowsNullSettings)
}

function findEncoded(channel: ChannelState, state: OrganizationState, nowSeconds: number): Encoded {
  const last = lastOf(channel)
  const known = last.encoded
  if (known?.asOf === state.appliedId && known.seconds === nowSeconds) return known
  const settings = viewChannelSettings(channel.channel, state.rights.activeUsers)
  const activity = viewChannelActivity(channel, state, nowSeconds)
  if (known?.settings === settings && isSameActivity(known.activity, activity)) {
    known.asOf = state.appliedId
    known.seconds = nowSeconds
    return known
  }
  const head = ownBytes(Buffer.from(`,${JSON.stringify({ ...settings, ...activity }).slice(0, -1)}`))
  const made = { settings, activity, head, pieces: [], asOf: state.appliedId, seconds: nowSeconds }
  last.encoded = made
  return made
}

function isSameActivity(one: Encoded['activity'], other: Encoded['activity']): boolean {
  return (Object.keys(one) as (keyof Encoded['activity'])[]).every((name) => one[name] === other[name])
}

/** Cached by the set of subscribers, for as long as the set exists. */
const lists = {
  subscribers: new WeakMap<UserSet, { readonly among: UserSet; readonly bytes: Uint8Array }>(),
  partial_subscribers: new WeakMap<UserSet, { readonly among: UserSet; readonly bytes: Uint8Array }>(),
}

function encodeSubscribers({ field, subscribers, among }: ChosenSubscribers): Uint8Array {
  const before = lists[field].get(subscribers)
  if (before?.among === among) return before.bytes
  const text = `,"${field}":[${subscribers.intersection(among).toArray().join(',')}]`
  const bytes = ownBytes(Buffer.from(text))
  lists[field].set(subscribers, { among, bytes })
  return bytes
}
