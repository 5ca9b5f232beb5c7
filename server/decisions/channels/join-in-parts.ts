/** Splits a long request into parts, each a change of its own, so that messages are sent between them. */

import { NEW_CHANNELS_PER_CHANGE_MAX, SUBSCRIPTIONS_PER_CHANGE_MAX } from '../../domain/limits.ts'
import type { Fact } from '../../domain/events.ts'
import type { Scope } from '../scope.ts'
import type { SubscribedChannel, Target, Targets, WantedChannel } from './find-targets.ts'
import { joinTargets } from './join-targets.ts'

/** The result of a request, as far as its parts are committed. */
export interface SubscribeResult {
  /** In the order of the request. */
  readonly channels: readonly SubscribedChannel[]
  /** The names, as the caller spelled them, of channels that they may not join, make or subscribe others to. */
  readonly unauthorized: readonly string[]
  /** The channels of the next part; empty after the last. */
  readonly rest: readonly WantedChannel[]
}

/** Options of a part. */
interface Joining {
  /** Whether new channels become default channels. */
  readonly isDefault: boolean
  /** The result of the parts before; undefined in the first. */
  readonly earlier?: SubscribeResult | undefined
}

/** Makes and joins the channels of the first part; the result covers the earlier parts, too. */
export function joinPart(
  scope: Scope,
  { targets, inaccessible, closed }: Targets,
  { isDefault, earlier = NOTHING_JOINED }: Joining,
): { readonly result: SubscribeResult; readonly facts: readonly Fact[] } {
  const { part, rest } = takePart(targets)
  const result = {
    channels: append(earlier.channels, part),
    unauthorized: [...earlier.unauthorized, ...inaccessible, ...closed],
    rest: rest.map(({ wanted }) => wanted),
  }
  return { result, facts: joinTargets(scope, part, isDefault) }
}

/** The result of a request that joins nothing. */
export const NOTHING_JOINED: SubscribeResult = { channels: [], unauthorized: [], rest: [] }

/** The first targets, of the last one perhaps only some users, and the rest. */
interface Split {
  readonly part: readonly Target[]
  readonly rest: readonly Target[]
}

function takePart(targets: readonly Target[]): Split {
  const part: Target[] = []
  let room = SUBSCRIPTIONS_PER_CHANGE_MAX
  let newRoom = NEW_CHANNELS_PER_CHANGE_MAX
  for (const target of targets) {
    // A new channel gets all its subscribers at once: later its caller may lack the right to add them.
    const isTooLarge = target.isNew && part.length > 0 && (newRoom === 0 || target.joined.size > room)
    if (room <= 0 || isTooLarge) break
    const joined = target.isNew ? target.joined : target.joined.first(room)
    part.push({ ...target, joined })
    room -= joined.size
    if (target.isNew) newRoom--
    if (joined.size < target.joined.size) return { part, rest: targets.slice(part.length - 1) }
  }
  return { part, rest: targets.slice(part.length) }
}

/** A channel whose users are split among two parts appears once. */
function append(
  earlier: readonly SubscribedChannel[],
  part: readonly SubscribedChannel[],
): readonly SubscribedChannel[] {
  const last = earlier.at(-1)
  const [next, ...others] = part
  if (!last || !next || last.channel.id !== next.channel.id) return [...earlier, ...part]
  const whole = {
    ...next,
    joined: last.joined.union(next.joined),
    present: next.present.difference(last.joined),
  }
  return [...earlier.slice(0, -1), whole, ...others]
}
