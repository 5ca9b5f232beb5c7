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
import type { Fail } from '../../errors/api-error.ts'

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
  const left: Left[] = []
  const removed: string[] = []
  const notRemoved: string[] = []
  const after = new Map<ChannelId, ChannelState>()
  const named = UserSet.of(users.map(({ id }) => id))
  for (const before of channels) {
    if (!users.every((user) => canRemoveSubscriber(caller, user, before, state.rights)))
      throw fail('PERMISSION_MISSING')
    const leaving = named.intersection(before.subscribers)
    const channel = { ...before, subscribers: before.subscribers.difference(leaving) }
    const { id, name } = before.channel
    after.set(id, channel)
    removed.push(...Array<string>(leaving.size).fill(name))
    notRemoved.push(...Array<string>(named.size - leaving.size).fill(name))
    if (leaving.size > 0) left.push({ before, after: channel, leaving })
  }
  return {
    events: [...tellLeft(state, left), ...tellVisibility(left, state.rights)],
    removed,
    notRemoved,
    after,
  }
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

/** A channel that some users leave. */
interface Left {
  readonly before: ChannelState
  readonly after: ChannelState
  readonly leaving: UserSet
}

/** One event for all channels that the same users leave, and one for those who see them leave. */
function tellLeft(state: OrganizationState, left: readonly Left[]): NewEvent[] {
  const groups = Map.groupBy(
    left,
    ({ before: { channel }, leaving }) => `${leaving.encode()}/${channel.isArchived}`,
  )
  return [...groups.values()].flatMap((group) => {
    const { before, leaving } = group[0] as Left
    const userIds = leaving.toArray()
    const channels = group.map((one) => one.before.channel)
    const clients = clientsOf(before.channel)
    const removed: NewEvent = {
      event: {
        type: 'subscription/remove',
        channelIds: channels.map(({ id }) => id),
        userIds,
        names: channels.map(({ name }) => name),
        ...clients,
      },
      audience: { kind: 'users', users: leaving },
    }
    // Those who leave together see each other leave, as far as they still see the channel.
    const byObservers = Map.groupBy(group, ({ after }) => {
      const staying = state.observersOf(after)
      return (leaving.size === 1 ? staying.difference(leaving) : staying).encode()
    })
    const peers = [...byObservers]
      .filter(([observers]) => observers !== '')
      .map(
        ([observers, some]): NewEvent => ({
          event: {
            type: 'subscription/peer_remove',
            channelIds: some.map((one) => one.before.channel.id),
            userIds,
            ...clients,
          },
          audience: { kind: 'users', users: UserSet.decode(observers) },
        }),
      )
    return [removed, ...peers]
  })
}
