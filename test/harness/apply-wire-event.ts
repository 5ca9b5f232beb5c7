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
      return placeUser(state, event.person)
    case 'realm_user/remove':
      find([...state.realm_users, ...state.realm_non_active_users], 'user_id', event.person.user_id)
      return takeUser(state, event.person.user_id)
    case 'realm_user/update':
      return applyUserUpdate(state, event.person, ownId)
    case 'stream/create':
      for (const stream of event.streams) {
        state.streams.push(stream)
        state.never_subscribed.push({ ...stream, subscribers: [] })
      }
      return state
    case 'stream/delete':
      renameMuted(state, event.stream_ids, undefined)
      renameOfBots(state, event.stream_ids, null)
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
        const unread = state.unread_msgs.streams.filter((one: Json) => one.stream_id === stream_id)
        removeUnread(
          state,
          unread.flatMap((one: Json) => one.unread_message_ids),
        )
      }
      return state
    case 'subscription/peer_add':
      return changeSubscribers(state, event, (ids) => [...ids, ...event.user_ids])
    case 'subscription/peer_remove':
      return changeSubscribers(state, event, (ids) => ids.filter((id) => !event.user_ids.includes(id)))
    case 'stream/update':
      return applyChannelUpdate(state, event)
    case 'subscription/update':
      for (const list of ['subscriptions', 'unsubscribed']) {
        const channel = state[list].find((one: Json) => one.stream_id === event.stream_id)
        if (channel) channel[event.property] = event.value
      }
      return state
    case 'realm_bot/add':
      state.realm_bots.push(event.bot)
      return state
    case 'realm_bot/update':
      Object.assign(find(state.realm_bots, 'user_id', event.bot.user_id), event.bot)
      return state
    case 'realm_bot/delete':
      find(state.realm_bots, 'user_id', event.bot.user_id)
      state.realm_bots = state.realm_bots.filter((one: Json) => one.user_id !== event.bot.user_id)
      return state
    case 'custom_profile_fields/':
      state.custom_profile_fields = event.fields
      for (const { profile_data } of [...state.realm_users, ...state.realm_non_active_users]) {
        for (const id of Object.keys(profile_data ?? {})) {
          if (!event.fields.some((one: Json) => one.id === Number(id))) delete profile_data[id]
        }
      }
      return state
    case 'realm_emoji/update':
      state.realm_emoji = event.realm_emoji
      return state
    case 'default_streams/':
      state.realm_default_streams = event.default_streams
      return state
    case 'channel_folder/add':
      state.channel_folders.push(event.channel_folder)
      return state
    case 'channel_folder/update':
      Object.assign(find(state.channel_folders, 'id', event.channel_folder_id), event.data)
      return state
    case 'channel_folder/reorder':
      state.channel_folders = event.order.map((id: number, order: number) => ({
        ...find(state.channel_folders, 'id', id),
        order,
      }))
      return state
    case 'user_topic/':
      return applyUserTopic(state, event)
    case 'muted_topics/':
      state.muted_topics = event.muted_topics
      return state
    case 'restart/': {
      const { id: _, type: _type, ...facts } = event
      return Object.assign(state, facts)
    }
    case 'realm/update_dict':
      for (const [name, value] of Object.entries(event.data)) state[`realm_${name}`] = value
      if (event.data.presence_disabled) state.presences = {}
      return state
    case 'realm_linkifiers/':
      state.realm_linkifiers = event.realm_linkifiers
      return state
    case 'realm_playgrounds/':
      state.realm_playgrounds = event.realm_playgrounds
      return state
    case 'realm_domains/add':
      state.realm_domains.push(event.realm_domain)
      return state
    case 'realm_domains/change':
      Object.assign(find(state.realm_domains, 'domain', event.realm_domain.domain), event.realm_domain)
      return state
    case 'realm_domains/remove':
      find(state.realm_domains, 'domain', event.domain)
      state.realm_domains = state.realm_domains.filter((one: Json) => one.domain !== event.domain)
      return state
    case 'realm_user_settings_defaults/update':
      state.realm_user_settings_defaults[event.property] = event.value
      return state
    case 'delete_message/':
      return applyDeletion(state, event.message_ids ?? [event.message_id])
    case 'update_message/':
      return applyMessageUpdate(state, event)
    case 'update_message_flags/add':
    case 'update_message_flags/remove':
      return applyFlags(state, event)
    case 'user_group/add':
      state.realm_user_groups.push(event.group)
      return state
    case 'user_group/remove':
      state.realm_user_groups = state.realm_user_groups.filter((one: Json) => one.id !== event.group_id)
      return state
    case 'user_group/update':
      Object.assign(find(state.realm_user_groups, 'id', event.group_id), event.data)
      return state
    case 'user_group/add_members':
    case 'user_group/remove_members': {
      const group = find(state.realm_user_groups, 'id', event.group_id)
      group.members = change(group.members, event.user_ids, event.op === 'add_members')
      return state
    }
    case 'user_group/add_subgroups':
    case 'user_group/remove_subgroups': {
      const group = find(state.realm_user_groups, 'id', event.group_id)
      const isAdding = event.op === 'add_subgroups'
      group.direct_subgroup_ids = change(group.direct_subgroup_ids, event.direct_subgroup_ids, isAdding)
      return state
    }
    case 'user_settings/update':
      state.user_settings[event.property] = event.value
      return state
    case 'update_display_settings/':
      state[event.setting_name] = event.setting
      return state
    case 'update_global_notifications/':
      state[event.notification_name] = event.setting
      return state
    case 'user_status/':
      return applyStatus(state, event)
    case 'presence/':
      return applyPresence(state, event)
    case 'drafts/add':
      return placeDrafts(state, event.drafts)
    case 'drafts/update':
      find(state.drafts, 'id', event.draft.id)
      return placeDrafts(state, [event.draft])
    case 'drafts/remove':
      state.drafts = state.drafts.filter((one: Json) => one.id !== event.draft_id)
      return state
    case 'saved_snippets/add':
      state.saved_snippets.push(event.saved_snippet)
      return state
    case 'saved_snippets/update':
      Object.assign(find(state.saved_snippets, 'id', event.saved_snippet.id), event.saved_snippet)
      return state
    case 'saved_snippets/remove':
      find(state.saved_snippets, 'id', event.saved_snippet_id)
      state.saved_snippets = state.saved_snippets.filter((one: Json) => one.id !== event.saved_snippet_id)
      return state
    case 'navigation_view/add':
      state.navigation_views.push(event.navigation_view)
      return state
    case 'navigation_view/update':
      Object.assign(find(state.navigation_views, 'fragment', event.fragment), event.data)
      return state
    case 'navigation_view/remove':
      find(state.navigation_views, 'fragment', event.fragment)
      state.navigation_views = state.navigation_views.filter((one: Json) => one.fragment !== event.fragment)
      return state
    case 'muted_users/':
      state.muted_users = event.muted_users
      return state
    case 'alert_words/':
      state.alert_words = event.alert_words
      return state
    case 'submessage/':
    case 'reaction/add':
    case 'reaction/remove':
      return state // A registration holds no messages.
    case 'typing/start':
    case 'typing/stop':
    case 'typing_edit_message/start':
    case 'typing_edit_message/stop':
      return state // Nor does it tell who is typing.
    default:
      throw new Error(`the reducer does not know ${event.type}/${event.op}`)
  }
}

function find(list: Json[], key: string, value: number | string): Json {
  const found = list.find((one) => one[key] === value)
  if (!found) throw new Error(`an event is about ${key} ${value}, of which the client was never told`)
  return found
}

function change(ids: number[], changed: number[], isAdding: boolean): number[] {
  const others = ids.filter((id) => !changed.includes(id))
  return isAdding ? [...others, ...changed].sort((a, b) => a - b) : others
}

const CHANNEL_LISTS = ['subscriptions', 'unsubscribed', 'never_subscribed']

function takeChannel(state: Json, id: number): Json {
  for (const list of CHANNEL_LISTS) {
    const index = state[list].findIndex((one: Json) => one.stream_id === id)
    if (index >= 0) return state[list].splice(index, 1)[0]
  }
  throw new Error(`an event is about channel ${id}, which the client was never told of`)
}

function applyChannelUpdate(state: Json, event: Json): Json {
  const { id: _, type: __, op: ___, stream_id, name: ____, property, value, ...more } = event
  const known = [...CHANNEL_LISTS, 'streams'].flatMap((list) =>
    state[list].filter((one: Json) => one.stream_id === stream_id),
  )
  if (known.length === 0)
    throw new Error(`an event is about channel ${stream_id}, of which the client was never told`)
  if (property === 'name') {
    renameMuted(state, [stream_id], value)
    renameOfBots(state, [stream_id], value)
  }
  for (const channel of known) Object.assign(channel, { [property]: value, ...more })
  return state
}

/** The older list of muted topics has channels by name: they go by a new one, or are gone. */
function renameMuted(state: Json, streamIds: number[], name: string | undefined): void {
  const names = state.streams
    .filter((one: Json) => streamIds.includes(one.stream_id))
    .map((one: Json) => one.name)
  const others = state.muted_topics.filter(([one]: Json) => name !== undefined || !names.includes(one))
  state.muted_topics = others.map(([one, ...rest]: Json) => [names.includes(one) ? name : one, ...rest])
}

/** Bots have channels by name, too. */
function renameOfBots(state: Json, streamIds: number[], name: string | null): void {
  const names = state.streams
    .filter((one: Json) => streamIds.includes(one.stream_id))
    .map((one: Json) => one.name)
  for (const bot of state.realm_bots) {
    for (const field of ['default_sending_stream', 'default_events_register_stream']) {
      if (names.includes(bot[field])) bot[field] = name
    }
  }
}

function applyUserTopic(state: Json, event: Json): Json {
  const { stream_id, topic_name, last_updated, visibility_policy } = event
  const isSame = (one: Json) =>
    one.stream_id === stream_id && one.topic_name.toLowerCase() === topic_name.toLowerCase()
  state.user_topics = state.user_topics.filter((one: Json) => !isSame(one))
  if (visibility_policy !== 0) {
    state.user_topics.push({ stream_id, topic_name, last_updated, visibility_policy })
  }
  return state
}

/** What is told as empty is no part of a status any more. */
function applyStatus(state: Json, event: Json): Json {
  const { id: _, type: __, user_id, ...changes } = event
  const status = { ...state.user_status[user_id], ...changes }
  if (!status.away) delete status.away
  if (!status.status_text) delete status.status_text
  if (!status.emoji_name) {
    for (const name of ['emoji_name', 'emoji_code', 'reaction_type']) delete status[name]
  }
  if (Object.keys(status).length > 0) state.user_status[user_id] = status
  else delete state.user_status[user_id]
  return state
}

/** In the form of old users go by the address that the client knows, which an event not read yet may change. */
function applyPresence(state: Json, { presences, user_id, email: told, presence }: Json): Json {
  if (presences) Object.assign(state.presences, presences)
  else {
    const { pushable: _, ...aggregated } = presence.website
    // Of users that the client does not know the event says by which address they go.
    const known = state.realm_users.find((one: Json) => one.user_id === user_id)
    state.presences[known?.email ?? told] = { ...presence, aggregated }
  }
  return state
}

/** The draft that was edited last stands last. */
function placeDrafts(state: Json, drafts: Json[]): Json {
  const ids = drafts.map(({ id }) => id)
  const all = [...state.drafts.filter((one: Json) => !ids.includes(one.id)), ...drafts]
  state.drafts = all.sort((a: Json, b: Json) => a.timestamp - b.timestamp || a.id - b.id)
  return state
}

/** What is the newest message afterwards no deletion tells: `expectConsistent` does not ask for it then. */
function applyDeletion(state: Json, ids: number[]): Json {
  state.starred_messages = change(state.starred_messages, ids, false)
  return removeUnread(state, ids)
}

function applyMessageUpdate(state: Json, event: Json): Json {
  const { message_id, message_ids, flags, content, stream_id, new_stream_id, subject } = event
  const { unread_msgs: unread } = state
  const groups = ['streams', 'pms', 'huddles'].flatMap((list) => unread[list])
  const groupOf = (id: number) => groups.find((group: Json) => group.unread_message_ids.includes(id))
  if (content !== undefined && groupOf(message_id)) {
    const isMentioned = flags.some((flag: string) => flag.endsWith('mentioned'))
    unread.mentions = change(unread.mentions, [message_id], isMentioned)
  }
  const isSubscribed = (id: number) => state.subscriptions.some((one: Json) => one.stream_id === id)
  for (const id of subject !== undefined || new_stream_id !== undefined ? message_ids : []) {
    const group = groupOf(id)
    if (!group) continue
    const isMentioned = unread.mentions.includes(id)
    removeUnread(state, [id])
    const place = { type: 'stream', stream_id: new_stream_id ?? stream_id, subject: subject ?? group.topic }
    if (isSubscribed(place.stream_id)) addUnread(state, { id, ...place }, isMentioned)
  }
  return state
}

function applyFlags(state: Json, { op, flag, messages, all, message_details }: Json): Json {
  const isAdding = op === 'add'
  if (flag === 'starred') state.starred_messages = change(state.starred_messages, messages, isAdding)
  if (flag !== 'read') return state
  if (all) {
    Object.assign(state.unread_msgs, { count: 0, pms: [], streams: [], huddles: [], mentions: [] })
  } else if (isAdding) removeUnread(state, messages)
  else {
    for (const id of messages) {
      const { type, mentioned, user_ids, stream_id, topic } = message_details[id]
      const message = {
        id,
        type,
        stream_id,
        subject: topic,
        display_recipient: user_ids?.map((one: number) => ({ id: one })),
      }
      addUnread(state, message, mentioned === true)
    }
  }
  return state
}

function removeUnread(state: Json, ids: number[]): Json {
  const { unread_msgs: unread } = state
  unread.mentions = unread.mentions.filter((id: number) => !ids.includes(id))
  for (const list of ['streams', 'pms', 'huddles']) {
    for (const group of unread[list]) {
      const left = group.unread_message_ids.filter((id: number) => !ids.includes(id))
      unread.count -= group.unread_message_ids.length - left.length
      group.unread_message_ids = left
    }
    unread[list] = unread[list].filter((group: Json) => group.unread_message_ids.length > 0)
  }
  return state
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
  if (!flags.includes('read')) {
    const partners = message.type === 'private' ? message.display_recipient : []
    const others = partners.filter((one: Json) => one.id !== ownId)
    const isMentioned = flags.some((flag: string) => flag.endsWith('mentioned'))
    addUnread(state, { ...message, display_recipient: others }, isMentioned)
  }
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

/** Adds a message, whose partners are given without the reader. */
function addUnread(state: Json, message: Json, isMentioned: boolean): void {
  const { unread_msgs: unread, user_id: ownId } = state
  unread.count++
  if (isMentioned) unread.mentions.push(message.id)
  const others: number[] =
    message.type === 'private' ? message.display_recipient.map((one: Json) => one.id) : []
  const everyone = [...others, ownId].sort((a, b) => a - b).join(',')
  const [list, matches, fresh]: [Json[], (one: Json) => boolean, Json] =
    message.type === 'stream'
      ? [
          unread.streams,
          (one) =>
            one.stream_id === message.stream_id && one.topic.toLowerCase() === message.subject.toLowerCase(),
          { stream_id: message.stream_id, topic: message.subject, unread_message_ids: [] },
        ]
      : others.length <= 1
        ? freshPair(unread, others[0] ?? ownId)
        : [
            unread.huddles,
            (one) => one.user_ids_string === everyone,
            { user_ids_string: everyone, unread_message_ids: [] },
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

/** Somebody new, or who was unknown so far and goes by another address from now on. */
function placeUser(state: Json, person: Json): Json {
  if (person.is_system_bot) {
    state.cross_realm_bots.push(person)
    return state
  }
  takeUser(state, person.user_id)
  const presences = Object.entries(state.presences).map(([key, presence]) => [
    key.startsWith(`user${person.user_id}@`) ? person.email : key,
    presence,
  ])
  state.presences = Object.fromEntries(presences)
  state[person.is_active ? 'realm_users' : 'realm_non_active_users'].push(person)
  return state
}

function takeUser(state: Json, id: number): Json {
  for (const list of ['realm_users', 'realm_non_active_users']) {
    state[list] = state[list].filter((one: Json) => one.user_id !== id)
  }
  return state
}

function changeEmail(state: Json, user: Json, email: string, ownId: number): void {
  if (user.user_id === ownId) state.email = email
  const { [user.email]: presence, ...others } = state.presences
  state.presences = presence === undefined ? others : { ...others, [email]: presence }
  user.email = email
}

function fillIn(user: Json, { id, ...filled }: Json): void {
  if (filled.value === null) delete user.profile_data[id]
  else user.profile_data[id] = filled
}

function applyUserUpdate(state: Json, person: Json, ownId: number): Json {
  const all = [...state.realm_users, ...state.realm_non_active_users]
  const user = all.find((one: Json) => one.user_id === person.user_id)
  if (!user) throw new Error(`an event is about user ${person.user_id}, of whom the client was never told`)
  const { new_email, custom_profile_field, avatar_source, avatar_url_medium, ...changes } = person
  Object.assign(user, changes)
  if (new_email !== undefined) changeEmail(state, user, new_email, ownId)
  if (custom_profile_field !== undefined) fillIn(user, custom_profile_field)
  if (avatar_url_medium !== undefined && person.user_id === ownId) {
    Object.assign(state, { avatar_url: person.avatar_url, avatar_url_medium, avatar_source })
  }
  // Who knows the address makes the avatar's from it.
  if (avatar_source === 'G' && user.delivery_email !== null) user.avatar_url = null
  if (person.user_id === ownId && person.full_name !== undefined) state.full_name = person.full_name
  if (person.user_id === ownId && person.delivery_email) state.delivery_email = person.delivery_email
  if (person.role !== undefined) {
    const standing = {
      is_owner: person.role === 100,
      is_admin: person.role <= 200,
      is_guest: person.role === 600,
    }
    Object.assign(user, standing)
    if (person.user_id === ownId) Object.assign(state, { ...standing, is_moderator: person.role === 300 })
  }
  state.realm_users = all.filter((one: Json) => one.is_active)
  state.realm_non_active_users = all.filter((one: Json) => !one.is_active)
  return state
}
