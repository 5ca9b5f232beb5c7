/** The decision to subscribe users to channels, making those that are not there. */

import type { Decision } from '../../actors/committer.ts'
import { canJoinChannel, canSeeChannel } from '../../domain/channel-access.ts'
import { type Channel, type NewChannelSettings, ROLES, type User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { ChannelId, UserId } from '../../domain/ids.ts'
import { SUBSCRIPTIONS_PER_CALL_MAX } from '../../domain/limits.ts'
import { UserSet } from '../../domain/user-set.ts'
import { type ChannelState, newChannelState, type OrganizationState } from '../../state/organization-state.ts'
import type { Fail } from '../errors.ts'

type SubscribeFail = Fail<
  'ROLE_REQUIRED' | 'CHANNEL_INACCESSIBLE' | 'CHANNEL_HISTORY_CONTRADICTION' | 'TOO_MANY_SUBSCRIPTIONS'
>

/** Who is to join what; new channels are made with the given settings. */
export interface SubscribeRequest {
  readonly caller: User
  readonly principals: readonly User[]
  readonly isUnauthorizedFatal: boolean
  readonly wanted: readonly Pick<Channel, 'name' | 'description' | 'renderedDescription'>[]
  readonly newChannel: NewChannelSettings
  readonly fail: SubscribeFail
}

type NamesByUser = Record<string, string[]>
type SubscribeResult = { subscribed: NamesByUser; already_subscribed: NamesByUser; unauthorized?: string[] }

/** What subscribing comes to: new channels, who joins what, and who is told. */
export function decideSubscribe(
  state: OrganizationState,
  request: SubscribeRequest,
): Decision<SubscribeResult> {
  const { caller, principals, wanted, newChannel, fail } = request
  if (caller.role === ROLES.guest) throw fail('ROLE_REQUIRED', { role: 'member' })
  if (wanted.length * principals.length > SUBSCRIPTIONS_PER_CALL_MAX) {
    throw fail('TOO_MANY_SUBSCRIPTIONS', { countMax: SUBSCRIPTIONS_PER_CALL_MAX })
  }
  const existing: ChannelState[] = []
  const created: ChannelState[] = []
  const unauthorized: string[] = []
  for (const channel of wanted) {
    const found = state.findChannelByName(channel.name)
    if (!found) {
      const id = (state.nextChannelId + created.length) as ChannelId
      created.push(newChannelState({ ...channel, ...newChannel, id }))
    } else if (canJoinChannel(caller, found, state.rights)) existing.push(found)
    else unauthorized.push(channel.name) // As the caller spelled it: the rest of the name is the channel's own.
  }
  if (created.length > 0 && !newChannel.isPrivate && !newChannel.isHistoryPublic)
    throw fail('CHANNEL_HISTORY_CONTRADICTION')
  if (created.length > 0 && newChannel.retentionDays !== null && caller.role !== ROLES.owner) {
    throw fail('ROLE_REQUIRED', { role: 'owner' })
  }
  if (unauthorized.length > 0 && request.isUnauthorizedFatal)
    throw fail('CHANNEL_INACCESSIBLE', { names: unauthorized })

  const joiningOf = (channel: ChannelState): Joining => ({
    channel,
    users: principals.filter(({ id }) => !channel.subscribers.has(id)),
  })
  const events = [
    ...announceCreated(state, created, principals),
    ...existing.map(joiningOf).flatMap((joining) => reveal(state, joining)),
    ...join(state, [...created, ...existing].map(joiningOf)),
  ]
  const result = namesByUser(principals, [...created, ...existing])
  return {
    events,
    reply: () => (request.isUnauthorizedFatal ? result : { ...result, unauthorized }),
  }
}

interface Joining {
  readonly channel: ChannelState
  /** Those who are not subscribed yet. */
  readonly users: readonly User[]
}

function announceCreated(
  state: OrganizationState,
  created: readonly ChannelState[],
  principals: readonly User[],
): NewEvent[] {
  const [first] = created
  if (!first) return []
  const users = state.observersOf(first).union(UserSet.of(principals.map(({ id }) => id)))
  const channels = created.map(({ channel }) => channel)
  return [{ event: { type: 'stream/create', channels, isNew: true }, audience: { kind: 'users', users } }]
}

/** Tells those who could not see a channel until now that it is there. */
function reveal(state: OrganizationState, { channel, users }: Joining): NewEvent[] {
  const newcomers = users.filter((user) => !canSeeChannel(user, channel, state.rights))
  if (newcomers.length === 0) return []
  return [
    {
      event: { type: 'stream/create', channels: [channel.channel], isNew: false },
      audience: { kind: 'users', users: UserSet.of(newcomers.map(({ id }) => id)) },
    },
  ]
}

/** One event for all channels that the same users join, and one for those who see them join. */
function join(state: OrganizationState, joining: readonly Joining[]): NewEvent[] {
  const groups = Map.groupBy(
    joining.filter(({ users }) => users.length > 0),
    ({ users, channel }) => `${users.map(({ id }) => id).join(',')}/${channel.channel.isPrivate}`,
  )
  return [...groups.values()].flatMap((group) => {
    const userIds = (group[0] as Joining).users.map(({ id }) => id)
    const joined = UserSet.of(userIds)
    const added: NewEvent = {
      event: {
        type: 'subscription/add',
        channels: group.map(({ channel }) => channel.channel),
        userIds,
      },
      audience: { kind: 'users', users: joined },
    }
    return [added, ...tellPeers(state, group, userIds)]
  })
}

/** Channels with the same observers share an event. */
function tellPeers(
  state: OrganizationState,
  group: readonly Joining[],
  userIds: readonly UserId[],
): NewEvent[] {
  const byObservers = Map.groupBy(group, ({ channel }) =>
    state.observersOf(channel).without(userIds).encode(),
  )
  return [...byObservers.entries()]
    .filter(([observers]) => observers !== '')
    .map(([observers, channels]) => ({
      event: {
        type: 'subscription/peer_add',
        channelIds: channels.map(({ channel }) => channel.channel.id),
        userIds,
      },
      audience: { kind: 'users', users: UserSet.decode(observers) },
    }))
}

function namesByUser(principals: readonly User[], channels: readonly ChannelState[]): SubscribeResult {
  const subscribed: NamesByUser = {}
  const already: NamesByUser = {}
  for (const { id } of principals) {
    for (const { channel, subscribers } of channels) {
      const names = subscribers.has(id) ? already : subscribed
      ;(names[id] ??= []).push(channel.name)
    }
  }
  return { subscribed, already_subscribed: already }
}
