/** How a client keeps the state of its registration true by the events that follow: one reducer for all tests. */

// biome-ignore lint: states and events are JSON; the comparison checks the shapes.
type Json = any

/** The state after an event; mutates and answers `state`. */
export function applyWireEvent(state: Json, event: Json, ownId: number): Json {
  switch (`${event.type}/${event.op ?? ''}`) {
    case 'heartbeat/':
      return state
    case 'message/':
      return applyMessage(state, event, ownId)
    case 'realm_user/add':
      state.realm_users.push(event.person)
      return state
    case 'realm_user/update':
      return applyUserUpdate(state, event.person)
    case 'stream/create':
      for (const stream of event.streams) {
        state.streams.push(stream)
        state.never_subscribed.push({ ...stream, subscribers: [] })
      }
      return state
    case 'stream/delete':
      for (const list of ['streams', 'subscriptions', 'unsubscribed', 'never_subscribed']) {
        state[list] = state[list].filter((one: Json) => !event.stream_ids.includes(one.stream_id))
      }
      return state
    case 'subscription/add':
      for (const subscription of event.subscriptions) {
        takeChannel(state, subscription.stream_id)
        state.subscriptions.push(subscription)
      }
      return state
    case 'subscription/remove':
      for (const { stream_id } of event.subscriptions) {
        const channel = takeChannel(state, stream_id)
        channel.subscribers = channel.subscribers.filter((id: number) => id !== ownId)
        state.unsubscribed.push(channel)
      }
      return state
    case 'subscription/peer_add':
      return changeSubscribers(state, event, (ids) => [...ids, ...event.user_ids])
    case 'subscription/peer_remove':
      return changeSubscribers(state, event, (ids) => ids.filter((id) => !event.user_ids.includes(id)))
    default:
      throw new Error(`the reducer does not know ${event.type}/${event.op}`)
  }
}

const CHANNEL_LISTS = ['subscriptions', 'unsubscribed', 'never_subscribed']

function takeChannel(state: Json, id: number): Json {
  for (const list of CHANNEL_LISTS) {
    const index = state[list].findIndex((one: Json) => one.stream_id === id)
    if (index >= 0) return state[list].splice(index, 1)[0]
  }
  throw new Error(`an event is about channel ${id}, which the client was never told of`)
}

function changeSubscribers(state: Json, { stream_ids }: Json, change: (ids: number[]) => number[]): Json {
  for (const id of stream_ids) {
    const channel = CHANNEL_LISTS.flatMap((list) => state[list]).find((one: Json) => one.stream_id === id)
    if (!channel) throw new Error(`an event is about channel ${id}, which the client was never told of`)
    channel.subscribers = [...new Set(change(channel.subscribers))].sort((a, b) => a - b)
  }
  return state
}

function applyMessage(state: Json, { message, flags }: Json, ownId: number): Json {
  state.max_message_id = Math.max(state.max_message_id, message.id)
  for (const list of [...CHANNEL_LISTS, 'streams']) {
    for (const channel of state[list]) {
      if (channel.stream_id === message.stream_id) channel.first_message_id ??= message.id
    }
  }
  if (message.type === 'private') noteConversation(state, message, ownId)
  if (!flags.includes('read')) addUnread(state.unread_msgs, message, ownId)
  return state
}

function noteConversation(state: Json, message: Json, ownId: number): void {
  const userIds = message.display_recipient.map((one: Json) => one.id).filter((id: number) => id !== ownId)
  const key = userIds.join(',')
  state.recent_private_conversations = [
    { user_ids: userIds, max_message_id: message.id },
    ...state.recent_private_conversations.filter((one: Json) => one.user_ids.join(',') !== key),
  ]
}

function addUnread(unread: Json, message: Json, ownId: number): void {
  unread.count++
  const partners: number[] =
    message.type === 'private' ? message.display_recipient.map((one: Json) => one.id) : []
  const [list, matches, fresh]: [Json[], (one: Json) => boolean, Json] =
    message.type === 'stream'
      ? [
          unread.streams,
          (one) =>
            one.stream_id === message.stream_id && one.topic.toLowerCase() === message.subject.toLowerCase(),
          { stream_id: message.stream_id, topic: message.subject, unread_message_ids: [] },
        ]
      : partners.length <= 2
        ? freshPair(unread, partners.find((id) => id !== ownId) ?? ownId)
        : [
            unread.huddles,
            (one) => one.user_ids_string === partners.join(','),
            { user_ids_string: partners.join(','), unread_message_ids: [] },
          ]
  let group = list.find(matches)
  if (!group) list.push((group = fresh))
  group.unread_message_ids.push(message.id)
}

function freshPair(unread: Json, other: number): [Json[], (one: Json) => boolean, Json] {
  return [
    unread.pms,
    (one) => one.other_user_id === other,
    { other_user_id: other, sender_id: other, unread_message_ids: [] },
  ]
}

function applyUserUpdate(state: Json, person: Json): Json {
  const all = [...state.realm_users, ...state.realm_non_active_users]
  const user = all.find((one: Json) => one.user_id === person.user_id)
  if (!user) throw new Error(`an event is about user ${person.user_id}, of whom the client was never told`)
  Object.assign(user, person)
  state.realm_users = all.filter((one: Json) => one.is_active)
  state.realm_non_active_users = all.filter((one: Json) => !one.is_active)
  return state
}
