/** The decision to end subscriptions. */

import { clientsOf, tellVisibility } from '../../audience/tell-visibility.ts'
import { canRemoveSubscriber, canSeeChannel } from '../../domain/channel-access.ts'
import type { User } from '../../domain/entities.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { SUBSCRIPTIONS_PER_CALL_MAX } from '../../domain/limits.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Fail } from '../errors.ts'

type UnsubscribeFail = Fail<'CHANNEL_NAMED_UNKNOWN' | 'PERMISSION_MISSING' | 'TOO_MANY_SUBSCRIPTIONS'>

/** What ending subscriptions comes to. */
export interface Unsubscribing {
  readonly events: readonly NewEvent[]
  /** A name for each subscription that ends. */
  readonly removed: readonly string[]
  /** A name for each that there is not. */
  readonly notRemoved: readonly string[]
  /** The channels concerned, as they will be. */
  readonly after: ReadonlyMap<ChannelId, ChannelState>
}

/** Ends the subscriptions of these users to the channels of these names, or none where one may not be ended. */
export function decideUnsubscribe(
  state: OrganizationState,
  caller: User,
  users: readonly User[],
  names: readonly string[],
  fail: UnsubscribeFail,
): Unsubscribing {
  const channels = new Set(names.map((name) => findChannel(state, caller, name.trim(), fail)))
  if (channels.size * users.length > SUBSCRIPTIONS_PER_CALL_MAX) {
    throw fail('TOO_MANY_SUBSCRIPTIONS', { countMax: SUBSCRIPTIONS_PER_CALL_MAX })
  }
  const events: NewEvent[] = []
  const removed: string[] = []
  const notRemoved: string[] = []
  const after = new Map<ChannelId, ChannelState>()
  const named = UserSet.of(users.map(({ id }) => id))
  for (const before of channels) {
    if (!users.every((user) => canRemoveSubscriber(caller, user, before, state.rights)))
      throw fail('PERMISSION_MISSING')
    const leaving = named.intersection(before.subscribers)
    const left = { ...before, subscribers: before.subscribers.difference(leaving) }
    const { id, name } = before.channel
    after.set(id, left)
    removed.push(...Array<string>(leaving.size).fill(name))
    notRemoved.push(...Array<string>(named.size - leaving.size).fill(name))
    if (leaving.size > 0) events.push(...leave(state, before, left, leaving))
  }
  return { events, removed, notRemoved, after }
}

/** Absent and forbidden look alike. */
function findChannel(
  state: OrganizationState,
  caller: User,
  name: string,
  fail: UnsubscribeFail,
): ChannelState {
  const channel = state.findChannelByName(name)
  if (!channel || !canSeeChannel(caller, channel, state.rights)) throw fail('CHANNEL_NAMED_UNKNOWN', { name })
  return channel
}

/** Those who leave are told, then those who still see the channel; and who does not any more, that it is gone. */
function leave(
  state: OrganizationState,
  before: ChannelState,
  after: ChannelState,
  leaving: UserSet,
): NewEvent[] {
  const { channel } = before
  const channelIds = [channel.id]
  const userIds = leaving.toArray()
  const clients = clientsOf(channel)
  const events: NewEvent[] = [
    {
      event: { type: 'subscription/remove', channelIds, userIds, names: [channel.name], ...clients },
      audience: { kind: 'users', users: leaving },
    },
  ]
  // Those who leave together see each other leave, as far as they still see the channel.
  const staying = state.observersOf(after)
  const observers = leaving.size === 1 ? staying.difference(leaving) : staying
  if (observers.size > 0) {
    events.push({
      event: { type: 'subscription/peer_remove', channelIds, userIds, ...clients },
      audience: { kind: 'users', users: observers },
    })
  }
  return [...events, ...tellVisibility([{ before, after }], state.rights)]
}
