/** Legal holds: owners place and lift them. */

import { foldCase } from '../../../packages/rules/fold-case.ts'
import type { ChannelId, EventId, HoldId, UserId } from '../../domain/ids.ts'
import { HOLDS_MAX } from '../../domain/limits.ts'
import { checkOwner } from '../check-caller.ts'
import { type Decision, done } from '../decision.ts'
import type { Scope } from '../scope.ts'

/** A hold to place: for the whole organization, or for people, channels or both. */
export interface HoldRequest {
  readonly name: string
  readonly reason: string
  readonly isForAll: boolean
  readonly userIds: readonly UserId[]
  readonly channelIds: readonly ChannelId[]
}

/** How placing a hold can fail. */
export const NEW_HOLD_ERRORS = [
  'ROLE_REQUIRED',
  'HOLD_TARGET_MISSING',
  'HOLD_TARGET_BEYOND',
  'USER_UNKNOWN',
  'CHANNEL_UNKNOWN',
  'HOLD_NAME_TAKEN',
  'TOO_MANY_HOLDS',
] as const

/** Places a hold; answers its id. Owners may hold channels that they cannot read, and people who left. */
export function decideNewHold(
  scope: Scope<(typeof NEW_HOLD_ERRORS)[number]>,
  { name, reason, isForAll, userIds, channelIds }: HoldRequest,
): Decision<EventId> {
  checkOwner(scope)
  const { state, caller, now, fail } = scope
  const hasNames = userIds.length + channelIds.length > 0
  if (!isForAll && !hasNames) throw fail('HOLD_TARGET_MISSING')
  if (isForAll && hasNames) throw fail('HOLD_TARGET_BEYOND')
  if (!userIds.every((id) => state.users.has(id))) throw fail('USER_UNKNOWN')
  if (!channelIds.every((id) => state.channels.has(id))) throw fail('CHANNEL_UNKNOWN')
  if (state.holds.some((hold) => foldCase(hold.name) === foldCase(name))) throw fail('HOLD_NAME_TAKEN')
  if (state.holds.length >= HOLDS_MAX) throw fail('TOO_MANY_HOLDS', { countMax: HOLDS_MAX })
  const hold = {
    name,
    reason,
    isForAll,
    userIds: [...new Set(userIds)],
    channelIds: [...new Set(channelIds)],
    placedBy: caller.id,
    placedAt: now,
  }
  return { events: [{ type: 'legal_hold/add', hold }], reply: (firstId) => firstId }
}

/** How lifting a hold can fail. */
export const LIFTED_HOLD_ERRORS = ['ROLE_REQUIRED', 'HOLD_UNKNOWN'] as const

/** Lifts a hold; a job removes what it alone had kept. */
export function decideLiftedHold(
  scope: Scope<(typeof LIFTED_HOLD_ERRORS)[number]>,
  { holdId }: { readonly holdId: HoldId },
): Decision<void> {
  checkOwner(scope)
  const hold = scope.state.holds.find(({ id }) => id === holdId)
  if (!hold) throw scope.fail('HOLD_UNKNOWN')
  return done([{ type: 'legal_hold/remove', holdId, name: hold.name }])
}
