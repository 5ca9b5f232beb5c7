/** The channels that a call makes or lets users join. */

import { canAddSubscribers, canJoinChannel, canSeeChannel } from '../../domain/channel-access.ts'
import type { Channel, NewChannelSettings, User } from '../../domain/entities.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { NEW_CHANNELS_PER_CALL_MAX } from '../../domain/limits.ts'
import { UserSet } from '../../domain/user-set.ts'
import { type ChannelState, newChannelState } from '../../state/channel-state.ts'
import { checkShare } from '../check-share.ts'
import type { Scope } from '../scope.ts'

/** A channel to which users are to be subscribed. */
export interface WantedChannel extends Pick<Channel, 'name' | 'description' | 'renderedDescription'> {
  /** How the caller wants to see it, where they join it. */
  readonly color: string | undefined
}

/** One channel of a call. */
export interface SubscribedChannel {
  readonly channel: Channel
  readonly isNew: boolean
  /** Users who join it now. */
  readonly joined: UserSet
  /** Users of the call who were there before. */
  readonly present: UserSet
}

/** The result of a call. */
export interface SubscribeResult {
  /** In the order in which they were asked for. */
  readonly channels: readonly SubscribedChannel[]
  /** The names, as the caller spelled them, of channels that they may not join, make or bring others into. */
  readonly unauthorized: readonly string[]
}

/** One channel of a call. */
export interface Target extends SubscribedChannel {
  readonly color: string | undefined
}

/** The users and the channels of a call, found and checked. */
interface Wish {
  readonly users: readonly User[]
  readonly wanted: readonly WantedChannel[]
  /** The channel of a name, where there is one. */
  readonly findChannel: (name: string) => ChannelState | undefined
  /** The settings of channels to be made; undefined where the caller may make none. Asked for once, if at all. */
  readonly checkNew: () => NewChannelSettings | undefined
}

/** The wanted channels, as far as the caller may make and join them and bring the others in; the names of the rest. */
export interface Targets {
  readonly targets: readonly Target[]
  /** Those that the caller may not join. */
  readonly inaccessible: readonly string[]
  /** Those that the caller may not make, or not bring others into. */
  readonly closed: readonly string[]
}

/** Finds the channels that are there, and drafts the others. */
export function findTargets(scope: Scope<'SHARE_SPENT'>, wish: Wish): Targets {
  const { state, caller } = scope
  const users = UserSet.of(wish.users.map(({ id }) => id))
  const addsOthers = users.without([caller.id]).size > 0
  const mayAddOthers = (channel: ChannelState) =>
    !addsOthers || canAddSubscribers(caller, channel, state.rights, state.permissions.canAddSubscribers)

  const targets: Target[] = []
  const inaccessible: string[] = []
  const closed: string[] = []
  let id = state.nextChannelId
  // Settled at the first channel to be made: without one its settings do not matter.
  let settled: { readonly settings: NewChannelSettings | undefined } | undefined
  const settle = () => (settled ??= { settings: wish.checkNew() }).settings
  for (const { color, ...texts } of wish.wanted) {
    let before = wish.findChannel(texts.name)
    const isNew = before === undefined
    if (before === undefined) {
      const settings = settle()
      before = settings && newChannelState({ ...texts, ...settings, id })
      // Its maker is inside of it, even if only the others are subscribed.
      if (!before || !mayAddOthers({ ...before, subscribers: UserSet.of([caller.id]) })) {
        closed.push(texts.name)
        continue
      }
      id = (id + 1) as ChannelId
    } else if (!canJoinChannel(caller, before, state.rights)) {
      // To a caller who may create no channel, one that they may not see is as one that is not there.
      if (!canSeeChannel(caller, before, state.rights)) settle()
      inaccessible.push(texts.name) // As the caller spelled it: the rest of the name is the channel's own.
      continue
    } else if (!mayAddOthers(before)) {
      closed.push(texts.name)
      continue
    }
    const joined = users.difference(before.subscribers)
    const present = users.difference(joined)
    targets.push({ channel: before.channel, isNew, joined, present, color })
  }
  checkShare(scope, 'channels', targets.filter(({ isNew }) => isNew).length)
  return { targets, inaccessible, closed }
}

/** Throws where one call would make too many channels. */
export function checkNewCount(
  { fail }: Pick<Scope<'TOO_MANY_NEW_CHANNELS'>, 'fail'>,
  { targets }: Targets,
): void {
  if (targets.filter(({ isNew }) => isNew).length > NEW_CHANNELS_PER_CALL_MAX)
    throw fail('TOO_MANY_NEW_CHANNELS', { countMax: NEW_CHANNELS_PER_CALL_MAX })
}

/** Throws where the caller may not have all that they want. */
export function checkAllFound(
  { fail }: Pick<Scope<'CHANNEL_INACCESSIBLE' | 'PERMISSION_MISSING'>, 'fail'>,
  { inaccessible, closed }: Targets,
): void {
  if (inaccessible.length > 0) throw fail('CHANNEL_INACCESSIBLE', { names: inaccessible })
  if (closed.length > 0) throw fail('PERMISSION_MISSING')
}

/** The result of a call that makes or joins these channels. */
export function resultOf({ targets, inaccessible, closed }: Targets): SubscribeResult {
  return {
    channels: targets,
    unauthorized: [...inaccessible, ...closed],
  }
}
