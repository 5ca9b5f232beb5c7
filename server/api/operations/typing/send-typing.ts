/** `POST /typing`: tells others that the user began to type a message, or ended. */

import { hasMessages } from '../../../../db/topics.ts'
import type { NewEvent } from '../../../domain/events.ts'
import type { ChannelId, UserId } from '../../../domain/ids.ts'
import { TOPIC_LENGTH_MAX } from '../../../domain/limits.ts'
import { parseTopic } from '../../../domain/topics.ts'
import { UserSet } from '../../../domain/user-set.ts'
import type { OrganizationState } from '../../../state/organization-state.ts'
import { checkTypingIsTold, tellTyping } from '../../../decisions/typing/tell-typing.ts'
import {
  checkPosting,
  checkRecipients,
  needsKnownConversation,
  TARGET_ERRORS,
} from '../../../decisions/messages/send-target.ts'
import { operation } from '../../operation.ts'
import type { Services } from '../../services.ts'
import { defaulted, id, list, oneOf, optional, required, text } from '../../params.ts'

/** Ids in one list: more than may talk together, so that whoever names too many is told so. */
const IDS_MAX = 1_000

export const sendTyping = operation({
  method: 'POST',
  path: '/typing',
  summary: 'Tell that one types',
  description:
    'Tells the partners of a direct conversation, or the subscribers of a channel that has few, that the user began ' +
    'to type a message to them, or ended. Nothing of it is kept; who does not want to know is not told.',
  access: 'user',
  params: {
    type: defaulted(
      oneOf('direct', 'stream', 'channel'),
      'direct',
      'Where the message will go: `channel` (or `stream`), or `direct`.',
    ),
    op: required(oneOf('start', 'stop'), 'Whether the user begins to type, or ends.'),
    to: optional(list(id<UserId>(), { lengthMax: IDS_MAX }), 'The people, for direct messages.'),
    stream_id: optional(id<ChannelId>(), 'The channel, for its messages.'),
    topic: optional(text({ lengthMax: TOPIC_LENGTH_MAX }), 'The topic there.'),
  },
  reply: {},
  errors: [...TARGET_ERRORS, 'DIRECT_TYPING_DISABLED', 'CHANNEL_TYPING_DISABLED', 'RECIPIENT_LIST_EMPTY'],
  events: ['typing/start', 'typing/stop'],
  async run({ params, user, services, fail }) {
    const typing = { type: `typing/${params.op}`, senderId: user.id } as const
    const tell = (decide: (state: OrganizationState) => NewEvent[]) =>
      services.committer.submit({
        kind: 'structure',
        decide: (now) => ({ events: decide(now), reply: () => ({}) }),
      })
    if (params.type !== 'direct') {
      const { stream_id: channelId, topic } = params
      if (channelId === undefined) throw fail('PARAMETER_MISSING', { name: 'stream_id' })
      if (topic === undefined) throw fail('PARAMETER_MISSING', { name: 'topic' })
      const place = { kind: 'channel', channelId, topic: parseTopic(topic) } as const
      return tell((now) => {
        checkTypingIsTold(user.id, 'channel', now, fail)
        const sender = now.getUser(user.id)
        const channel = now.findReadableChannel(sender, channelId)
        if (!channel) throw fail('CHANNEL_ID_UNKNOWN', { id: channelId })
        checkPosting(sender, channel, now, fail)
        return tellTyping({ ...typing, place }, channel.subscribers, now)
      })
    }
    if (params.to === undefined) throw fail('PARAMETER_MISSING', { name: 'to' })
    if (params.to.length === 0) throw fail('RECIPIENT_LIST_EMPTY')
    const userIds = [...new Set([...params.to, user.id])].sort((a, b) => a - b)
    const isKnown = await isConversationKnown(userIds, user.id, services)
    return tell((now) => {
      checkTypingIsTold(user.id, 'direct', now, fail)
      const partners = userIds.map((one) => {
        const partner = now.users.get(one)
        if (!partner) throw fail('RECIPIENT_ID_UNKNOWN', { id: one })
        return partner
      })
      checkRecipients(partners, user.id, now, fail)
      if (!isKnown && needsKnownConversation(partners, user.id, now)) throw fail('NEW_CONVERSATION_FORBIDDEN')
      return tellTyping({ ...typing, place: { kind: 'direct', userIds } }, UserSet.of(userIds), now)
    })
  },
})

/** Whether anybody has written in a conversation, as far as that matters to one who types there. */
async function isConversationKnown(
  userIds: readonly UserId[],
  senderId: UserId,
  { state, conversations, sql }: Services,
): Promise<boolean> {
  const partners = userIds.flatMap((one) => state.users.get(one) ?? [])
  if (partners.length < userIds.length) return false // Such ids are refused, and may be none that the database can hold.
  // Whoever loses the right to begin one from here on is refused, until they type again.
  if (!needsKnownConversation(partners, senderId, state)) return false
  const conversationId = await conversations.find(userIds)
  return conversationId !== undefined && hasMessages(sql, conversationId)
}
