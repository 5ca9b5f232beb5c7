/** Unsubscribes users from channels. */

import { canSeeChannel } from '../../../packages/rules/channels.ts'
import { canRemoveSubscriber } from '../../../packages/rules/memberships.ts'
import type { User } from '../../domain/entities.ts'
import type { EventOf } from '../../domain/events.ts'
import { SUBSCRIPTIONS_PER_CALL_MAX, SUBSCRIPTIONS_PER_CHANGE_MAX } from '../../domain/limits.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import { answering, type Decision } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { findPrincipals, NAMED_USER_ERRORS, type NamedUser } from '../users/find-users.ts'

/** Users, and the names of the channels that they leave. */
export interface UnsubscribeRequest {
  /** Without names it is the caller. */
  readonly principals: readonly NamedUser[] | undefined
  readonly names: readonly string[]
  /** The result of the first part; undefined in it. */
  readonly earlier?: UnsubscribeResult
}

/** The subscriptions of a request, as its first part finds them. */
export interface Unsubscribed {
  /** The name of the channel for each subscription that ends. */
  readonly removed: readonly string[]
  /** The name of the channel for each subscription that did not exist. */
  readonly notRemoved: readonly string[]
}

/** The same with the names of the channels for the next part; without any after the last. */
export interface UnsubscribeResult extends Unsubscribed {
  readonly rest: readonly string[]
}

/** How ending one's own subscriptions can fail. */
export const LEAVE_ERRORS = ['CHANNEL_NAMED_UNKNOWN', 'PERMISSION_MISSING'] as const

/** How ending subscriptions can fail. */
export const UNSUBSCRIBE_ERRORS = [...LEAVE_ERRORS, ...NAMED_USER_ERRORS, 'TOO_MANY_SUBSCRIPTIONS'] as const

/** Unsubscribes users from channels, or fails without any change; a long request in parts. */
export function decideUnsubscribe(
  scope: Scope<(typeof UNSUBSCRIBE_ERRORS)[number]>,
  { principals, names, earlier }: UnsubscribeRequest,
): Decision<UnsubscribeResult> {
  const users = findPrincipals(scope, principals)
  const channels = findNamedChannels(scope, names)
  if (channels.size * users.length > SUBSCRIPTIONS_PER_CALL_MAX) {
    throw scope.fail('TOO_MANY_SUBSCRIPTIONS', { countMax: SUBSCRIPTIONS_PER_CALL_MAX })
  }
  const left = findLeft(scope, channels, users)
  const { part, rest } = takePart(left, scope.caller)
  const result = { ...(earlier ?? listLeft(left)), rest: rest.map(({ before }) => before.channel.name) }
  return answering(result, leaveChannels(part))
}

/** The first channels, of the last one perhaps only some users, and the rest. */
function takePart(left: readonly Left[], { id: callerId }: User): { part: Left[]; rest: Left[] } {
  const part: Left[] = []
  let room = SUBSCRIPTIONS_PER_CHANGE_MAX
  for (const [index, one] of left.entries()) {
    if (one.leaving.size > room) {
      // The caller leaves last: the next part may need their access to the channel.
      const leaving = one.leaving.without([callerId]).first(room)
      return { part: [...part, { ...one, leaving }], rest: left.slice(index) }
    }
    part.push(one)
    room -= one.leaving.size
  }
  return { part, rest: [] }
}

/** The channels of some names that the caller may see: absent and forbidden look alike. */
export function findNamedChannels(
  { state, caller, fail }: Scope<'CHANNEL_NAMED_UNKNOWN'>,
  names: readonly string[],
): ReadonlySet<ChannelState> {
  const channels = names.map((given) => {
    const name = given.trim()
    const channel = state.findChannelByName(name)
    if (!channel || !canSeeChannel(caller, channel, state.rights))
      throw fail('CHANNEL_NAMED_UNKNOWN', { name })
    return channel
  })
  return new Set(channels)
}

/** A channel that users are to leave. */
interface Left {
  readonly before: ChannelState
  readonly after: ChannelState
  /** Users who were subscribed. */
  readonly leaving: UserSet
  /** The number of users who were not subscribed. */
  readonly absentCount: number
}

/** The channels after the users left them. */
export function findLeft(
  { state, caller, fail }: Scope<'PERMISSION_MISSING'>,
  channels: ReadonlySet<ChannelState>,
  users: readonly User[],
): Left[] {
  const named = UserSet.of(users.map(({ id }) => id))
  return [...channels].map((before) => {
    if (!users.every((user) => canRemoveSubscriber(caller, user, before, state.rights)))
      throw fail('PERMISSION_MISSING')
    const leaving = named.intersection(before.subscribers)
    const after = { ...before, subscribers: before.subscribers.difference(leaving) }
    return { before, after, leaving, absentCount: named.size - leaving.size }
  })
}

/** The names of the channels, for each subscription of the request. */
export function listLeft(left: readonly Left[]): Unsubscribed {
  const repeat = (count: (one: Left) => number) =>
    left.flatMap((one) => Array<string>(count(one)).fill(one.before.channel.name))
  return {
    removed: repeat(({ leaving }) => leaving.size),
    notRemoved: repeat(({ absentCount }) => absentCount),
  }
}

/** Ends the subscriptions; channels that the same users leave share a fact. */
export function leaveChannels(left: readonly Left[]): EventOf<'subscription/remove'>[] {
  const some = left.filter(({ leaving }) => leaving.size > 0)
  return [...Map.groupBy(some, ({ leaving }) => leaving.encode()).values()].map((group) => {
    const channels = group.map(({ before }) => before.channel)
    return {
      type: 'subscription/remove',
      channelIds: channels.map(({ id }) => id),
      userIds: (group[0] as Left).leaving.toArray(),
      names: channels.map(({ name }) => name),
    }
  })
}
