/** Finds the channels that a request makes or subscribes users to. */

import { canSeeChannel } from '../../../packages/rules/channels.ts'
import { canAddSubscribers, canJoinChannel } from '../../../packages/rules/memberships.ts'
import type { Channel, NewChannelSettings, User } from '../../domain/entities.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { NEW_CHANNELS_PER_CALL_MAX } from '../../domain/limits.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import { type ChannelState, newChannelState } from '../../state/channel-state.ts'
import { checkShare } from '../check-share.ts'
import type { Scope } from '../scope.ts'

/** A channel to which users are to be subscribed. */
export interface WantedChannel extends Pick<Channel, 'name' | 'description' | 'renderedDescription'> {
  /** The caller's settings for the channel, if they join it. */
  readonly color: string | undefined
}

/** A channel of a request. */
export interface SubscribedChannel {
  readonly channel: Channel
  readonly isNew: boolean
  /** Users who join it with this request. */
  readonly joined: UserSet
  /** Users of the request who were subscribed before. */
  readonly present: UserSet
}

/** The same with what the request says of it. */
export interface Target extends SubscribedChannel {
  readonly wanted: WantedChannel
}

/** The users and the channels of a request, checked. */
interface TargetRequest {
  readonly users: readonly User[]
  readonly wanted: readonly WantedChannel[]
  /** The channel of a name, if it exists. */
  readonly findChannel: (name: string) => ChannelState | undefined
  /** The settings of new channels; undefined if the caller may not make any. Called at most once. */
  readonly checkNew: () => NewChannelSettings | undefined
}

/** The channels that the caller may make, join and subscribe others to, and the names of the rest. */
export interface Targets {
  readonly targets: readonly Target[]
  /** Names of channels that the caller may not join. */
  readonly inaccessible: readonly string[]
  /** Names of channels that the caller may not make, or may not subscribe others to. */
  readonly closed: readonly string[]
}

/** Finds the channels that exist, and drafts the others. */
export function findTargets(scope: Scope<'SHARE_SPENT'>, request: TargetRequest): Targets {
  const { state, caller } = scope
  const users = UserSet.of(request.users.map(({ id }) => id))
  const addsOthers = users.without([caller.id]).size > 0
  const mayAddOthers = (channel: ChannelState) =>
    !addsOthers || canAddSubscribers(caller, channel, state.rights, state.permissions.canAddSubscribers)

  const targets: Target[] = []
  const inaccessible: string[] = []
  const closed: string[] = []
  let id = state.nextChannelId
  // Made for the first new channel: without one its settings do not matter.
  let settled: { readonly settings: NewChannelSettings | undefined } | undefined
  const settle = () => (settled ??= { settings: request.checkNew() }).settings
  for (const wanted of request.wanted) {
    const { name, description, renderedDescription } = wanted
    let before = request.findChannel(name)
    const isNew = before === undefined
    if (before === undefined) {
      const settings = settle()
      before = settings && newChannelState({ name, description, renderedDescription, ...settings, id })
      // The maker counts as inside, even if only others are subscribed.
      if (!before || !mayAddOthers({ ...before, subscribers: UserSet.of([caller.id]) })) {
        closed.push(name)
        continue
      }
      id = (id + 1) as ChannelId
    } else if (!canJoinChannel(caller, before, state.rights)) {
      // A caller who may not create channels cannot distinguish a missing channel from a hidden one.
      if (!canSeeChannel(caller, before, state.rights)) settle()
      inaccessible.push(name) // As the caller spelled it: the other spelling belongs to the channel.
      continue
    } else if (!mayAddOthers(before)) {
      closed.push(name)
      continue
    }
    const joined = users.difference(before.subscribers)
    const present = users.difference(joined)
    targets.push({ channel: before.channel, isNew, joined, present, wanted })
  }
  checkShare(scope, 'channels', targets.filter(({ isNew }) => isNew).length)
  return { targets, inaccessible, closed }
}

/** Throws if one request would make too many channels. */
export function checkNewCount(
  { fail }: Pick<Scope<'TOO_MANY_NEW_CHANNELS'>, 'fail'>,
  { targets }: Targets,
): void {
  if (targets.filter(({ isNew }) => isNew).length > NEW_CHANNELS_PER_CALL_MAX)
    throw fail('TOO_MANY_NEW_CHANNELS', { countMax: NEW_CHANNELS_PER_CALL_MAX })
}

/** Throws unless the caller may have every channel. */
export function checkAllFound(
  { fail }: Pick<Scope<'CHANNEL_INACCESSIBLE' | 'PERMISSION_MISSING'>, 'fail'>,
  { inaccessible, closed }: Targets,
): void {
  if (inaccessible.length > 0) throw fail('CHANNEL_INACCESSIBLE', { names: inaccessible })
  if (closed.length > 0) throw fail('PERMISSION_MISSING')
}
