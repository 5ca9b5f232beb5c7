/** Unsubscribes from some channels and subscribes to others in one change. */

import { ROLES } from '../../domain/entities.ts'
import { answering, type Decision } from '../decision.ts'
import type { Scope } from '../scope.ts'
import {
  checkAllFound,
  checkNewCount,
  findTargets,
  resultOf,
  type SubscribeResult,
  type WantedChannel,
} from './find-targets.ts'
import { checkPlainChannel } from './new-channel.ts'
import { joinTargets } from './join-targets.ts'
import {
  findLeft,
  findNamedChannels,
  LEAVE_ERRORS,
  leaveChannels,
  listLeft,
  type UnsubscribeResult,
} from './unsubscribe-users.ts'

/** The channels that the caller leaves, and then joins. */
export interface SubscriptionsRequest {
  readonly left: readonly string[]
  readonly wanted: readonly WantedChannel[]
}

/** The channels that the caller left and joined. */
export interface SubscriptionsResult {
  readonly left: UnsubscribeResult
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

/** Unsubscribes the caller from channels and subscribes them to others; missing channels are made as public ones. */
export function decideSubscriptions(
  scope: Scope<(typeof SUBSCRIPTIONS_ERRORS)[number]>,
  request: SubscriptionsRequest,
): Decision<SubscriptionsResult> {
  const { state, caller, fail } = scope
  const left = findLeft(scope, findNamedChannels(scope, request.left), [caller])
  const leaving = leaveChannels(left)
  if (request.wanted.length === 0) {
    return answering({ left: listLeft(left), joined: { channels: [], unauthorized: [] } }, leaving)
  }
  if (caller.role === ROLES.guest) throw fail('ROLE_REQUIRED', { role: 'member' })
  const after = new Map(left.map((one) => [one.before, one.after]))
  const found = findTargets(scope, {
    users: [caller],
    wanted: request.wanted,
    findChannel(name) {
      const channel = state.findChannelByName(name)
      return channel && (after.get(channel) ?? channel)
    },
    checkNew: () => checkPlainChannel(scope),
  })
  checkNewCount(scope, found)
  checkAllFound(scope, found)
  const joining = joinTargets(scope, found.targets, false)
  return answering({ left: listLeft(left), joined: resultOf(found) }, [...leaving, ...joining])
}
