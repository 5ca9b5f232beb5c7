/** The decision to subscribe users to channels, making those that are not there. */

import type { Decision } from '../decision.ts'
import { clientsOf } from '../../audience/tell-visibility.ts'
import { canAddSubscribers, canJoinChannel, canSeeChannel } from '../../domain/channel-access.ts'
import { type Channel, type NewChannelSettings, ROLES, type User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { SUBSCRIPTIONS_PER_CALL_MAX } from '../../domain/limits.ts'
import { UserSet } from '../../domain/user-set.ts'
import { type ChannelState, newChannelState } from '../../state/channel-state.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { ApiError, type ErrorName, type Fail } from '../../errors/api-error.ts'
import { changeDefaultChannels } from './change-default-channels.ts'
import { checkShare } from '../check-share.ts'
import { type NewChannelFail, type NewChannelRequest, newChannelSettings } from './new-channel.ts'

type SubscribeFail = NewChannelFail & Fail<'CHANNEL_INACCESSIBLE' | 'TOO_MANY_SUBSCRIPTIONS'>

/** A channel that somebody is to be subscribed to. */
export interface WantedChannel extends Pick<Channel, 'name' | 'description' | 'renderedDescription'> {
  /** How the caller wants to see it, where they join it. */
  readonly color: string | undefined
}

/** Who is to join what; what is not there is made as `newChannel` says. */
export interface SubscribeRequest {
  readonly caller: User
  readonly principals: readonly User[]
  readonly isUnauthorizedFatal: boolean
  readonly wanted: readonly WantedChannel[]
  readonly newChannel: NewChannelRequest
  /** Finds the channels as they will be by then, where the same change alters them first. */
  readonly findChannel?: (name: string) => ChannelState | undefined
  readonly fail: SubscribeFail
}

/** One channel of the call. */
export interface SubscribedChannel {
  readonly channel: Channel
  readonly isNew: boolean
  /** Who came in now. */
  readonly joined: UserSet
  /** Who was there before. */
  readonly present: UserSet
}

/** What a call came to. */
export interface SubscribeOutcome {
  /** In the order in which they were asked for. */
  readonly channels: readonly SubscribedChannel[]
  /** The names, as the caller spelled them, of channels that they may not join, make or bring others into. */
  readonly unauthorized: readonly string[]
}

interface Target extends Omit<SubscribedChannel, 'channel'> {
  readonly before: ChannelState
  readonly after: ChannelState
  readonly color: string | undefined
}

/** What subscribing comes to: new channels, who joins what, and who is told. */
export function decideSubscribe(
  state: OrganizationState,
  request: SubscribeRequest,
): Decision<SubscribeOutcome> {
  const { caller, principals, wanted, fail } = request
  if (caller.role === ROLES.guest) throw fail('ROLE_REQUIRED', { role: 'member' })
  if (wanted.length * principals.length > SUBSCRIPTIONS_PER_CALL_MAX) {
    throw fail('TOO_MANY_SUBSCRIPTIONS', { countMax: SUBSCRIPTIONS_PER_CALL_MAX })
  }
  const { targets, unauthorized } = findTargets(state, request)
  const outcome: SubscribeOutcome = {
    channels: targets.map(({ before, isNew, joined, present }) => {
      return { channel: before.channel, isNew, joined, present }
    }),
    unauthorized,
  }
  const created = targets.filter(({ isNew }) => isNew)
  const existing = targets.filter(({ isNew }) => !isNew)
  return {
    events: [
      ...tellCreated(state, created, request.newChannel.isDefault),
      ...tellNewcomers(state, existing),
      ...keepColors(targets, caller),
      ...tellJoined(state, targets),
    ],
    reply: () => outcome,
  }
}

/** The channels that are wanted, as far as the caller may join them and bring the others in. */
function findTargets(state: OrganizationState, request: SubscribeRequest) {
  const { caller, principals, isUnauthorizedFatal, fail } = request
  const findChannel = request.findChannel ?? ((name: string) => state.findChannelByName(name))
  const users = UserSet.of(principals.map(({ id }) => id))
  const addsOthers = users.without([caller.id]).size > 0
  const mayAddOthers = (channel: ChannelState) =>
    !addsOthers || canAddSubscribers(caller, channel, state.rights, state.permissions.canAddSubscribers)

  const targets: Target[] = []
  const inaccessible: string[] = []
  const closedToOthers: string[] = []
  let id = state.nextChannelId
  // Settled at the first channel to be made: without one its settings do not matter.
  let settings: ReturnType<typeof makeSettings> | undefined
  for (const { color, ...texts } of request.wanted) {
    let before = findChannel(texts.name)
    const isNew = before === undefined
    if (before === undefined) {
      settings ??= makeSettings(state, request)
      if (settings === 'unauthorized') {
        closedToOthers.push(texts.name)
        continue
      }
      before = newChannelState({ ...texts, ...settings, id })
      // Its maker is inside of it, even if only the others are subscribed.
      if (!mayAddOthers({ ...before, subscribers: UserSet.of([caller.id]) })) {
        closedToOthers.push(texts.name)
        continue
      }
      id = (id + 1) as ChannelId
    } else if (!canJoinChannel(caller, before, state.rights)) {
      // To a caller who may create no channel, one that they may not see is as one that is not there.
      if (!canSeeChannel(caller, before, state.rights)) settings ??= makeSettings(state, request)
      inaccessible.push(texts.name) // As the caller spelled it: the rest of the name is the channel's own.
      continue
    } else if (!mayAddOthers(before)) {
      closedToOthers.push(texts.name)
      continue
    }
    const joined = users.difference(before.subscribers)
    const present = users.difference(joined)
    const after = { ...before, subscribers: before.subscribers.union(users) }
    targets.push({ before, after, isNew, joined, present, color })
  }
  checkShare({ state, caller, fail: request.fail }, 'channels', targets.filter(({ isNew }) => isNew).length)
  if (isUnauthorizedFatal && inaccessible.length > 0)
    throw fail('CHANNEL_INACCESSIBLE', { names: inaccessible })
  if (isUnauthorizedFatal && closedToOthers.length > 0) throw fail('PERMISSION_MISSING')
  return { targets, unauthorized: [...inaccessible, ...closedToOthers] }
}

/** The settings of the channels to be made, or that the caller may not make them where that fails nothing. */
function makeSettings(
  state: OrganizationState,
  { caller, newChannel, isUnauthorizedFatal, fail }: SubscribeRequest,
): NewChannelSettings | 'unauthorized' {
  try {
    return newChannelSettings(state, caller, newChannel, fail)
  } catch (error) {
    if (!isUnauthorizedFatal && error instanceof ApiError && AUTHORIZATION_ERRORS.includes(error.errorName))
      return 'unauthorized'
    throw error
  }
}

/** The failures that say that others may what the caller may not. */
const AUTHORIZATION_ERRORS: readonly ErrorName[] = ['PERMISSION_MISSING', 'ROLE_REQUIRED']

/** New channels all have the same settings, so the same people may know of them. */
function tellCreated(state: OrganizationState, created: readonly Target[], isDefault: boolean): NewEvent[] {
  const [first] = created
  if (!first) return []
  const channels = created.map(({ before }) => before.channel)
  const channelIds = channels.map(({ id }) => id)
  return [
    {
      event: { type: 'stream/create', channels, isNew: true },
      audience: { kind: 'users', users: state.observersOf(first.after) },
    },
    ...(isDefault ? changeDefaultChannels(state, channelIds, true) : []),
  ]
}

/** Those who could not see a channel until now are told that it is there, before they are told that they joined. */
function tellNewcomers(state: OrganizationState, existing: readonly Target[]): NewEvent[] {
  const groups = Map.groupBy(existing, ({ before, after }) => {
    const newcomers = state.observersOf(after).difference(state.observersOf(before))
    return `${before.channel.isArchived}/${newcomers.encode()}`
  })
  return [...groups].flatMap(([key, group]): NewEvent[] => {
    const users = UserSet.decode(key.slice(key.indexOf('/') + 1))
    const channels = group.map(({ before: { channel } }) => channel)
    if (users.size === 0) return []
    return [
      {
        event: { type: 'stream/create', channels, isNew: false, ...clientsOf(channels[0] as Channel) },
        audience: { kind: 'users', users },
      },
    ]
  })
}

/** Nobody is told of a color by itself: the subscription that follows shows it. What others see is theirs to choose. */
function keepColors(targets: readonly Target[], caller: User): NewEvent[] {
  return targets.flatMap(({ before, joined, color }): NewEvent[] => {
    if (color === undefined || !joined.has(caller.id)) return []
    const change = { property: 'color', value: color } as const
    const channelId = before.channel.id
    return [
      {
        event: { type: 'subscription/update', userId: caller.id, channelId, change },
        audience: { kind: 'nobody' },
      },
    ]
  })
}

/** One event for all channels that the same users join, and one for those who see them join. */
function tellJoined(state: OrganizationState, targets: readonly Target[]): NewEvent[] {
  const groups = Map.groupBy(
    targets.filter(({ joined }) => joined.size > 0),
    ({ joined, before: { channel } }) => `${joined.encode()}/${channel.isArchived}`,
  )
  return [...groups.values()].flatMap((group) => {
    const { joined, before } = group[0] as Target
    const channels = group.map(({ before: { channel } }) => channel)
    const userIds = joined.toArray()
    const added: NewEvent = {
      event: { type: 'subscription/add', channels, userIds, ...clientsOf(before.channel) },
      audience: { kind: 'users', users: joined },
    }
    return [added, ...tellPeers(state, group)]
  })
}

/** Channels that the same users join and the same others see share an event. */
function tellPeers(state: OrganizationState, group: readonly Target[]): NewEvent[] {
  const { joined, before } = group[0] as Target
  const byObservers = Map.groupBy(group, ({ after }) => state.observersOf(after).difference(joined).encode())
  return [...byObservers]
    .filter(([observers]) => observers !== '')
    .map(([observers, channels]) => ({
      event: {
        type: 'subscription/peer_add',
        channelIds: channels.map(({ before: { channel } }) => channel.id),
        userIds: joined.toArray(),
        ...clientsOf(before.channel),
      },
      audience: { kind: 'users', users: UserSet.decode(observers) },
    }))
}
