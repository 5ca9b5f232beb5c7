/** Events of subscriptions, applied to the state. */

import type { Channel } from '../../../packages/client/src/wire-types.ts'
import { changeChannels, removeFromLists, requireChannel } from './channel-lists.ts'
import { append, changeWhere } from './lists.ts'
import { assign, type EventOf, type Reducers, type State, UnknownObjectError } from './reducer.ts'
import { removeUnread } from './unread.ts'

export const SUBSCRIPTION_REDUCERS = {
  'subscription/add': applySubscription,
  'subscription/remove': applyUnsubscription,
  'subscription/peer_add': (state, { stream_ids, user_ids }) =>
    changeSubscribers(state, stream_ids, (ids) => union(ids, user_ids)),
  'subscription/peer_remove': (state, { stream_ids, user_ids }) => {
    const gone = new Set(user_ids)
    return changeSubscribers(state, stream_ids, (ids) => ids.filter((id) => !gone.has(id)))
  },
  'subscription/update': applyOwnSetting,
} satisfies Partial<Reducers>

function applySubscription(state: State, { subscriptions }: EventOf<'subscription/add'>): State {
  const ids = subscriptions.map((one) => one.stream_id)
  for (const id of ids) requireChannel(state, id)
  const without = removeFromLists(state, ids)
  return assign(without, { subscriptions: append(without.subscriptions, ...subscriptions) })
}

function applyUnsubscription(state: State, event: EventOf<'subscription/remove'>, ownId: number): State {
  if (!state.subscriptions) return state
  const ids = event.subscriptions.map((one) => one.stream_id)
  const left = ids.map((id) => {
    const channel = [...(state.subscriptions ?? []), ...(state.unsubscribed ?? [])].find(
      (one) => one.stream_id === id,
    )
    if (!channel) throw new UnknownObjectError('subscription', id)
    return withSubscribers(channel, (subscribers) => subscribers.filter((userId) => userId !== ownId))
  })
  const unread = state.unread_msgs
  const unreadIds = unread?.streams
    .filter((one) => ids.includes(one.stream_id))
    .flatMap((one) => one.unread_message_ids)
  const without = removeFromLists(state, ids)
  return assign(without, {
    unsubscribed: append(without.unsubscribed, ...left),
    unread_msgs: unread && removeUnread(unread, unreadIds ?? []),
  })
}

function applyOwnSetting(state: State, event: EventOf<'subscription/update'>): State {
  const { stream_id, property, value } = event
  const matches = (one: Channel) => one.stream_id === stream_id
  const change = <One extends Channel>(one: One): One => ({ ...one, [property]: value })
  return assign(state, {
    subscriptions: changeWhere(state.subscriptions, matches, change),
    unsubscribed: changeWhere(state.unsubscribed, matches, change),
  })
}

type ChangeIds = (ids: readonly number[]) => readonly number[]

function changeSubscribers(state: State, channelIds: readonly number[], change: ChangeIds): State {
  for (const id of channelIds) requireChannel(state, id)
  return changeChannels(state, channelIds, (channel) => withSubscribers(channel, change))
}

/** Registrations have all subscribers, some of them, or none. */
function withSubscribers<One extends Channel>(
  channel: One & {
    readonly subscribers?: readonly number[]
    readonly partial_subscribers?: readonly number[]
  },
  change: ChangeIds,
): One {
  const name = channel.subscribers ? 'subscribers' : 'partial_subscribers'
  const ids = channel[name]
  if (!ids) return channel
  const changed = change(ids)
  const subscriber_count = channel.subscriber_count + changed.length - ids.length
  return { ...channel, [name]: changed, subscriber_count }
}

function union(ids: readonly number[], added: readonly number[]): number[] {
  return [...new Set([...ids, ...added])].sort((a, b) => a - b)
}
