/** Telling others that somebody types: who lets it be told, and who is told. */

import type { NewEvent } from '../../domain/events.ts'
import type { EditTypingEvent, TypingEvent, TypingPlace } from '../../domain/events/presence.ts'
import type { UserId } from '../../domain/ids.ts'
import { TYPING_SUBSCRIBERS_MAX } from '../../domain/limits.ts'
import { UserSet } from '../../domain/user-set.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { Fail } from '../../errors/api-error.ts'

/** Throws where a user does not let it be told that they type in places of this kind. */
export function checkTypingIsTold(
  userId: UserId,
  kind: TypingPlace['kind'],
  state: OrganizationState,
  fail: Fail<'DIRECT_TYPING_DISABLED' | 'CHANNEL_TYPING_DISABLED'>,
): void {
  const { sendsDirectTyping, sendsChannelTyping } = state.settingsOf(userId)
  if (kind === 'direct' && !sendsDirectTyping) throw fail('DIRECT_TYPING_DISABLED')
  if (kind === 'channel' && !sendsChannelTyping) throw fail('CHANNEL_TYPING_DISABLED')
}

/**
 * The event for those of some users who want to know; none in a channel of many. Each costs the log an entry, and the
 * limit of requests is the limit of these too.
 */
export function tellTyping(
  event: TypingEvent | EditTypingEvent,
  users: UserSet,
  state: OrganizationState,
): NewEvent[] {
  const { place } = event
  const { activeUsers } = state.rights
  if (place.kind === 'channel') {
    const { subscribers } = state.getChannel(place.channelId)
    if (subscribers.intersection(activeUsers).size > TYPING_SUBSCRIBERS_MAX) return []
  }
  const listening = users
    .intersection(activeUsers)
    .toArray()
    .filter((id) => state.settingsOf(id).receivesTyping)
  if (listening.length === 0) return []
  const told = place.kind === 'channel' ? { ...event, clients: 'with_channel_typing' as const } : event
  return [{ event: told, audience: { kind: 'users', users: UserSet.of(listening) } }]
}
