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
  const { userVisibility: visibility } = state
  const limited = findLimitedReaders(state, destination)
  const named = limited
    ? userIds
        .filter((id) => state.users.has(id) && limited.every((reader) => visibility.knows(reader, id)))
        .map((id) => state.getUser(id))
    : []
  const names = listSome(texts, named.map(mentionUser))
  const unnamed = count - named.length
  if (named.length === 0)
    return t('{count, plural, one {# person is} other {# people are}} in the call.', { count })
  if (unnamed > 0)
    names.push(t('{count, plural, one {# other person} other {# other people}}', { count: unnamed }))
  return t('In the call: {names}', { names: names.join(', ') })
}

/**
 * The readers who may not know everybody: all readers get the same text, so they decide which names it has. Undefined if
 * visitors read it, who know nobody.
 */
function findLimitedReaders(
  state: OrganizationState,
  destination: Message['destination'],
): readonly UserId[] | undefined {
  const { limited } = state.userVisibility
  if (destination.kind === 'direct') return destination.userIds.filter((id) => limited.has(id))
  const channel = state.getChannel(destination.channelId)
  if (channel.channel.isWebPublic) return undefined
  return limited.size === 0 ? [] : [...state.readersOf(channel).intersection(limited)]
}
