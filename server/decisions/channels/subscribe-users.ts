/** Subscribes users to channels, and makes channels that do not exist. */

import { ROLES } from '../../domain/entities.ts'
import { SUBSCRIPTIONS_PER_CALL_MAX } from '../../domain/limits.ts'
import { ApiError, type ErrorName } from '../../errors/api-error.ts'
import { answering, type Decision } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { findPrincipals, NAMED_USER_ERRORS, type NamedUser } from '../users/find-users.ts'
import { checkAllFound, checkNewCount, findTargets, type WantedChannel } from './find-targets.ts'
import { checkNewChannel, NEW_CHANNEL_ERRORS, type NewChannelRequest } from './new-channel.ts'
import { joinPart, type SubscribeResult } from './join-in-parts.ts'

/** Users, and the channels that they join; missing channels are made with the settings of `newChannel`. */
export interface SubscribeRequest {
  /** Without names it is the caller. */
  readonly principals: readonly NamedUser[] | undefined
  readonly wanted: readonly WantedChannel[]
  readonly newChannel: NewChannelRequest
  /** Whether one channel that the caller may not join, make or subscribe others to fails the request. */
  readonly isUnauthorizedFatal: boolean
  /** The result of the parts before; undefined in the first. */
  readonly earlier?: SubscribeResult
}

/** How subscribing can fail. */
export const SUBSCRIBE_ERRORS = [
  ...NEW_CHANNEL_ERRORS,
  'CHANNEL_INACCESSIBLE',
  'TOO_MANY_SUBSCRIPTIONS',
  'TOO_MANY_NEW_CHANNELS',
  ...NAMED_USER_ERRORS,
] as const

type SubscribeScope = Scope<(typeof SUBSCRIBE_ERRORS)[number]>

/** Subscribes users to channels, or fails without any change; a long request in parts. */
export function decideSubscribe(
  scope: SubscribeScope,
  { principals, wanted, newChannel, isUnauthorizedFatal, earlier }: SubscribeRequest,
): Decision<SubscribeResult> {
  const { state, caller, fail } = scope
  const users = findPrincipals(scope, principals)
  if (caller.role === ROLES.guest) throw fail('ROLE_REQUIRED', { role: 'member' })
  if (wanted.length * users.length > SUBSCRIPTIONS_PER_CALL_MAX) {
    throw fail('TOO_MANY_SUBSCRIPTIONS', { countMax: SUBSCRIPTIONS_PER_CALL_MAX })
  }
  const found = findTargets(scope, {
    users,
    wanted,
    findChannel: (name) => state.findChannelByName(name),
    checkNew: () =>
      isUnauthorizedFatal ? checkNewChannel(scope, newChannel) : checkIfAuthorized(scope, newChannel),
  })
  checkNewCount(scope, found)
  if (isUnauthorizedFatal) checkAllFound(scope, found)
  const { result, facts } = joinPart(scope, found, { isDefault: newChannel.isDefault, earlier })
  return answering(result, facts)
}

/** The settings of new channels, or undefined if another user could make them. */
function checkIfAuthorized(scope: SubscribeScope, newChannel: NewChannelRequest) {
  try {
    return checkNewChannel(scope, newChannel)
  } catch (error) {
    if (error instanceof ApiError && AUTHORIZATION_ERRORS.includes(error.errorName)) return undefined
    throw error
  }
}

/** Failures of a caller who lacks a right that other users have. */
const AUTHORIZATION_ERRORS: readonly ErrorName[] = ['PERMISSION_MISSING', 'ROLE_REQUIRED']
