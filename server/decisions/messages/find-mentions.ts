/** Finds the recipients whom a message mentions. */

import { canMentionTogether } from '../../../packages/rules/messages.ts'
import { refreshAlerted } from '../../domain/personal/alert-words.ts'
import type { MessageSent } from '../../domain/events/messages.ts'
import { MESSAGE_FLAGS, type Mention } from '../../domain/messages/message-flags.ts'
import { UserSet } from '../../domain/users/user-set.ts'
import type { ComposedMessage } from './composed-message.ts'
import type { SenderScope } from './channel-target.ts'

const NOBODY: Pick<MessageSent, 'mentions' | 'isForAll'> = {}

/** How a wildcard mention can fail. */
export const MENTION_ERRORS = [
  'GROUP_MENTION_FORBIDDEN',
  'CHANNEL_WILDCARD_FORBIDDEN',
  'TOPIC_WILDCARD_FORBIDDEN',
] as const

/**
 * The recipients whom a message mentions or alerts. The text can also name users who do not receive it; they have no
 * message that could get the flag.
 */
export function findMentions(
  { state, caller, fail }: SenderScope<(typeof MENTION_ERRORS)[number]>,
  { audience, userIds, groupIds, participantIds, isForAll, alerted }: ComposedMessage,
  recipients: UserSet,
): Pick<MessageSent, 'mentions' | 'isForAll'> {
  const alertedIds = refreshAlerted(alerted, state.alertIndex)
  if (!isForAll && userIds.length + groupIds.length + participantIds.length + alertedIds.length === 0)
    return NOBODY
  const { rights, groups } = state
  const named = [UserSet.of(userIds)]
  for (const id of groupIds) {
    const { group } = groups.get(id)
    if (group.isDeactivated) continue // Deactivated after the rendering: it mentions nobody now.
    if (!rights.holds(caller, group.permissions.canMention))
      throw fail('GROUP_MENTION_FORBIDDEN', { name: group.name })
    named.push(groups.membersOf(id))
  }
  const mentioned = UserSet.unionOf(named).intersection(recipients)
  const participants = UserSet.of(participantIds).intersection(recipients)
  if (audience === 'channel') {
    if (isForAll && !canMentionTogether(caller, recipients.countShared(rights.activeUsers), state))
      throw fail('CHANNEL_WILDCARD_FORBIDDEN')
    if (!canMentionTogether(caller, participants.size, state)) throw fail('TOPIC_WILDCARD_FORBIDDEN')
  }
  const alertedOnes = UserSet.of(alertedIds).intersection(recipients)
  const mentions = mentioned
    .union(participants)
    .union(alertedOnes)
    .toArray()
    .map((id): Mention => {
      const byName = mentioned.has(id) ? MESSAGE_FLAGS.mentioned : 0
      const byTopic = participants.has(id) ? MESSAGE_FLAGS.topic_wildcard_mentioned : 0
      return [id, byName | byTopic | (alertedOnes.has(id) ? MESSAGE_FLAGS.has_alert_word : 0)]
    })
  return { ...(mentions.length > 0 ? { mentions } : {}), ...(isForAll ? { isForAll } : {}) }
}
