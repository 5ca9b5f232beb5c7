/** The lists of a registration that contain channels: all of them, and those by subscription. */

import type { Channel } from '../../../packages/client/src/wire-types.ts'
import { changeWhere, removeWhere } from './lists.ts'
import { assign, type State, UnknownObjectError } from './reducer.ts'

type Change = <One extends Channel>(channel: One) => One

/** Changes channels in each list that has them. */
export function changeChannels(state: State, ids: readonly number[], change: Change): State {
  const matches = (one: Channel) => ids.includes(one.stream_id)
  return assign(state, {
    streams: changeWhere(state.streams, matches, change),
    subscriptions: changeWhere(state.subscriptions, matches, change),
    unsubscribed: changeWhere(state.unsubscribed, matches, change),
    never_subscribed: changeWhere(state.never_subscribed, matches, change),
  })
}

/** Removes channels from the lists by subscription. */
export function removeFromLists(state: State, ids: readonly number[]): State {
  const matches = (one: Channel) => ids.includes(one.stream_id)
  return assign(state, {
    subscriptions: removeWhere(state.subscriptions, matches),
    unsubscribed: removeWhere(state.unsubscribed, matches),
    never_subscribed: removeWhere(state.never_subscribed, matches),
    channel_pins: withoutPins(state.channel_pins, ids),
  })
}

/** The pins of other channels: users see those of the channels that they are subscribed to. */
export function withoutPins(pins: State['channel_pins'], ids: readonly number[]): State['channel_pins'] {
  return removeWhere(pins, ({ stream_id }) => ids.includes(stream_id))
}

/** Throws unless the lists by subscription have a channel, or were not registered. */
export function requireChannel(state: State, id: number): void {
  const { subscriptions, unsubscribed, never_subscribed } = state
  if (!subscriptions && !never_subscribed) return
  const lists: readonly (readonly Channel[] | undefined)[] = [subscriptions, unsubscribed, never_subscribed]
  if (!lists.some((list) => list?.some((one) => one.stream_id === id)))
    throw new UnknownObjectError('channel', id)
}
