/** `POST /typing`: tells others that the user began to type a message, or ended. */

import { hasMessages } from '../../../../db/topics.ts'
import { needsKnownConversation } from '../../../decisions/messages/recipients.ts'
import { decideTyping, TYPING_ERRORS, type TypingRequest } from '../../../decisions/typing/tell-typing.ts'
import type { User } from '../../../domain/entities.ts'
import type { ChannelId, UserId } from '../../../domain/ids.ts'
import { TOPIC_LENGTH_MAX } from '../../../domain/limits.ts'
import { parseTopic } from '../../../domain/topics.ts'
import { change } from '../../change-operation.ts'
import { defaulted, id, list, oneOf, optional, required, text } from '../../params.ts'
import type { Services } from '../../services.ts'

/** Ids in one list: more than may talk together, so that a client that names too many is told so. */
const IDS_MAX = 1_000

export const sendTyping = change({
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
  errors: [...TYPING_ERRORS, 'RECIPIENT_LIST_EMPTY'],
  events: ['typing/start', 'typing/stop'],
  async prepare({ params, user, services, fail }): Promise<TypingRequest> {
    const { op } = params
    if (params.type !== 'direct') {
      const { stream_id: channelId, topic } = params
      if (channelId === undefined) throw fail('PARAMETER_MISSING', { name: 'stream_id' })
      if (topic === undefined) throw fail('PARAMETER_MISSING', { name: 'topic' })
      return { op, place: { kind: 'channel', channelId, topic: parseTopic(topic) } }
    }
    if (params.to === undefined) throw fail('PARAMETER_MISSING', { name: 'to' })
    if (params.to.length === 0) throw fail('RECIPIENT_LIST_EMPTY')
    const userIds = [...new Set([...params.to, user.id])].sort((a, b) => a - b)
    const isKnown = await isConversationKnown(services, user, userIds)
    return { op, place: { kind: 'direct', userIds, isKnown } }
  },
  decide: decideTyping,
})

/** Whether anybody has written in a conversation, as far as that matters to one who types there. */
async function isConversationKnown(
  { state, conversations, sql }: Services,
  caller: User,
  userIds: readonly UserId[],
): Promise<boolean> {
  const partners = userIds.flatMap((one) => state.users.get(one) ?? [])
  if (partners.length < userIds.length) return false // Such ids are refused, and may be none that the database can hold.
  // A user who loses the right to begin one from here on is refused, until they type again.
  if (!needsKnownConversation({ state, caller }, partners)) return false
  const conversationId = await conversations.find(userIds)
  return conversationId !== undefined && hasMessages(sql, conversationId)
}
