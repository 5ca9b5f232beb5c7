/** Unsubscribes from some channels and subscribes to others in one change. */

import { ROLES } from '../../domain/entities.ts'
import { answering, type Decision } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { checkAllFound, checkNewCount, findTargets, type WantedChannel } from './find-targets.ts'
import { checkPlainChannel } from './new-channel.ts'
import { joinPart, NOTHING_JOINED, type SubscribeResult } from './join-in-parts.ts'
import {
  findLeft,
  findNamedChannels,
  LEAVE_ERRORS,
  leaveChannels,
  listLeft,
  type Unsubscribed,
} from './unsubscribe-users.ts'

/** The channels that the caller leaves, and then joins. */
export interface SubscriptionsRequest {
  readonly left: readonly string[]
  readonly wanted: readonly WantedChannel[]
  /** The result of the parts before; undefined in the first. */
  readonly earlier?: SubscriptionsResult
}

/** The channels that the caller left and joined. */
export interface SubscriptionsResult {
  readonly left: Unsubscribed
  readonly joined: SubscribeResult
}

/** How changing the caller's own subscriptions can fail. */
export const SUBSCRIPTIONS_ERRORS = [
  ...LEAVE_ERRORS,
  'CHANNEL_INACCESSIBLE',
  'TOO_MANY_NEW_CHANNELS',
  'SHARE_SPENT',
  'ROLE_REQUIRED',
] as const

/**
 * Unsubscribes the caller from channels and subscribes them to others; missing channels are made as public ones.
 * It leaves all channels in the first part.
 */
export function decideSubscriptions(
  scope: Scope<(typeof SUBSCRIPTIONS_ERRORS)[number]>,
  { wanted, earlier, ...request }: SubscriptionsRequest,
): Decision<SubscriptionsResult> {
  const { state, caller, fail } = scope
  const channels = findLeft(scope, findNamedChannels(scope, request.left), [caller])
  const left = earlier?.left ?? listLeft(channels)
  const leaving = leaveChannels(channels)
  if (wanted.length === 0) return answering({ left, joined: NOTHING_JOINED }, leaving)
  if (caller.role === ROLES.guest) throw fail('ROLE_REQUIRED', { role: 'member' })
  const after = new Map(channels.map((one) => [one.before, one.after]))
  const found = findTargets(scope, {
    users: [caller],
    wanted,
    findChannel(name) {
      const channel = state.findChannelByName(name)
      return channel && (after.get(channel) ?? channel)
    },
    checkNew: () => checkPlainChannel(scope),
  })
  checkNewCount(scope, found)
  checkAllFound(scope, found)
  const { result: joined, facts } = joinPart(scope, found, { isDefault: false, earlier: earlier?.joined })
  return answering({ left, joined }, [...leaving, ...facts])
}
