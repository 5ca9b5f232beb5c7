/** Makes one channel that does not exist yet. */

import { type Channel, ROLES } from '../../domain/entities.ts'
import { answering, type Decision } from '../decision.ts'
import type { Scope } from '../scope.ts'
import { findActiveUsers, NAMED_USER_ERRORS, type NamedUser } from '../users/find-users.ts'
import { findTargets } from './find-targets.ts'
import { checkNewChannel, NEW_CHANNEL_ERRORS, type NewChannelRequest } from './new-channel.ts'
import { joinPart, type SubscribeResult } from './join-in-parts.ts'

/** A channel to make. */
export interface CreateChannelRequest extends Pick<Channel, 'name' | 'description' | 'renderedDescription'> {
  readonly newChannel: NewChannelRequest
  readonly subscribers: readonly NamedUser[]
}

/** How making a channel can fail. */
export const CREATE_CHANNEL_ERRORS = [...NEW_CHANNEL_ERRORS, 'CHANNEL_EXISTS', ...NAMED_USER_ERRORS] as const

/** The settings, if the caller may make such a channel; the operation asks before it renders the description. */
export function checkCreation(
  scope: Scope<(typeof CREATE_CHANNEL_ERRORS)[number]>,
  newChannel: NewChannelRequest,
): ReturnType<typeof checkNewChannel> {
  if (scope.caller.role === ROLES.guest) throw scope.fail('ROLE_REQUIRED', { role: 'member' })
  return checkNewChannel(scope, newChannel)
}

/** Makes a channel, and subscribes users to it. */
export function decideNewChannel(
  scope: Scope<(typeof CREATE_CHANNEL_ERRORS)[number]>,
  { newChannel, subscribers, ...texts }: CreateChannelRequest,
): Decision<SubscribeResult> {
  const { state, fail } = scope
  // Before the check of the name: only a caller who may make the channel learns that its name is taken.
  const settings = checkCreation(scope, newChannel)
  if (state.findChannelByName(texts.name)) throw fail('CHANNEL_EXISTS', { name: texts.name })
  const found = findTargets(scope, {
    users: findActiveUsers(scope, subscribers),
    wanted: [{ ...texts, color: undefined }],
    findChannel: () => undefined,
    checkNew: () => settings,
  })
  if (found.closed.length > 0) throw fail('PERMISSION_MISSING')
  const { result, facts } = joinPart(scope, found, newChannel)
  return answering(result, facts)
}
