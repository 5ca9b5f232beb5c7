/** Words about who is in a call, for all who read its message, in the organization's language. */

import { listSome, mentionUser, noticeTexts } from '../../../server/decisions/notice-wording.ts'
import type { Message } from '../../../server/domain/entities.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import type { PeopleInCall } from '../../../server/changes/calls/people-in-call.ts'
import type { OrganizationState } from '../../../server/state/organization-state.ts'

/**
 * The Markdown; empty if nobody came yet.
 *
 * @param wasShown whether the message has said something of the call.
 */
export function wordCall(
  state: OrganizationState,
  destination: Message['destination'],
  { userIds, others }: PeopleInCall,
  wasShown: boolean,
): string {
  const texts = noticeTexts(state)
  const { t } = texts
  const count = userIds.length + others
  if (count === 0) return wasShown ? t('The call has ended.') : ''
  const named = userIds.filter((id) => mayBeNamed(state, destination, id)).map((id) => state.getUser(id))
  const names = listSome(texts, named.map(mentionUser))
  const unnamed = count - named.length
  if (named.length === 0)
    return t('{count, plural, one {# person is} other {# people are}} in the call.', { count })
  if (unnamed > 0)
    names.push(t('{count, plural, one {# other person} other {# other people}}', { count: unnamed }))
  return t('In the call: {names}', { names: names.join(', ') })
}

/** Whether all readers may know a user: guests may not know everybody, and all readers get the same text. */
function mayBeNamed(state: OrganizationState, destination: Message['destination'], id: UserId): boolean {
  if (!state.users.has(id)) return false
  if (destination.kind === 'direct') return true
  const channel = state.getChannel(destination.channelId)
  if (channel.channel.isWebPublic) return false // Visitors know nobody.
  const { limited } = state.userVisibility
  if (limited.size === 0) return true
  const readers = state.readersOf(channel).intersection(limited)
  return [...readers].every((reader) => state.userVisibility.knows(reader, id))
}
