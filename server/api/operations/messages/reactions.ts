/** Reactions. */

import { EMOJI_CODE_LENGTH_MAX, EMOJI_NAME_LENGTH_MAX } from '../../../domain/text/emoji.ts'
import type { ChannelId, MessageId } from '../../../domain/ids.ts'
import { prepareMessageChange } from '../../../changes/messages/prepare-change.ts'
import { decideMessageChange } from '../../../decisions/messages/change-message.ts'
import { followByReacting } from '../../../changes/topics/follow-topics.ts'
import {
  chooseReaction,
  findReaction,
  REACTION_ERRORS,
  REACTION_REMOVAL_ERRORS,
} from '../../../decisions/emoji/choose-reaction.ts'
import { change } from '../../change-operation.ts'
import type { Call } from '../../operation.ts'
import { id, optional, type Params, required, text } from '../../params.ts'
import { turnOfMessage } from './turn-of-message.ts'

/** `POST /messages/{message_id}/reactions`: adds a reaction to a message. */
export const addReaction = change({
  method: 'POST',
  path: '/messages/{message_id}/reactions',
  summary: 'Add a reaction',
  description:
    'Adds an emoji reaction to a message. The server knows common emoji by name; others need their code. A ' +
    'reaction that the message already has is found by either.',
  access: 'user',
  params: {
    message_id: required(id<MessageId>(), 'The message.'),
    emoji_name: required(text({ lengthMax: EMOJI_NAME_LENGTH_MAX }), 'The name of the emoji.'),
    emoji_code: optional(
      text({ lengthMax: EMOJI_CODE_LENGTH_MAX }),
      'Its code: the code points in hex, joined by dashes, the id of a custom emoji, or the name of the extra one.',
    ),
    reaction_type: optional(
      text({ lengthMax: EMOJI_NAME_LENGTH_MAX }),
      'The kind of code: `unicode_emoji`, `realm_emoji` or `service_extra_emoji`.',
    ),
  },
  reply: {},
  errors: ['MESSAGE_UNKNOWN', ...REACTION_ERRORS],
  events: ['reaction/add', 'user_topic', 'muted_topics', 'agent_wrote'],
  async prepare(call) {
    const { params, user, services, fail } = call
    const { message_id: messageId, emoji_name: name, emoji_code: code, reaction_type } = params
    const type = reaction_type && services.names.neutralReactionType(reaction_type)
    return prepareMessageChange(services, { caller: user, fail }, messageId, ({ reactions }, channelId) => {
      checkKey(call, channelId)
      return {
        type: 'reaction/add',
        messageId,
        channelId,
        ...chooseReaction({ state: services.state, caller: user, fail }, { name, code, type }, reactions),
      }
    })
  },
  decide: decideMessageChange,
  turn: turnOfMessage,
  async answer(_, { user, services }, { found }) {
    await followByReacting(found.message.destination, user, services)
    return {}
  },
})

/** `DELETE /messages/{message_id}/reactions`: removes a reaction. */
export const removeReaction = change({
  method: 'DELETE',
  path: '/messages/{message_id}/reactions',
  summary: 'Remove a reaction',
  description: 'Removes an own reaction from a message, by its name or its code.',
  access: 'user',
  params: {
    message_id: required(id<MessageId>(), 'The message.'),
    emoji_name: optional(text({ lengthMax: EMOJI_NAME_LENGTH_MAX }), 'The name of the emoji.'),
    emoji_code: optional(
      text({ lengthMax: EMOJI_CODE_LENGTH_MAX }),
      'Its code, which takes precedence over the name.',
    ),
    reaction_type: optional(text({ lengthMax: EMOJI_NAME_LENGTH_MAX }), 'The kind of code.'),
  },
  reply: {},
  errors: ['MESSAGE_UNKNOWN', ...REACTION_REMOVAL_ERRORS],
  events: ['reaction/remove'],
  async prepare(call) {
    const { params, user, services, fail } = call
    const { message_id: messageId, emoji_name: name, emoji_code: code, reaction_type } = params
    const type = reaction_type && services.names.neutralReactionType(reaction_type)
    return prepareMessageChange(services, { caller: user, fail }, messageId, ({ reactions }, channelId) => {
      checkKey(call, channelId)
      return {
        type: 'reaction/remove',
        messageId,
        channelId,
        ...findReaction({ state: services.state, caller: user, fail }, { name, code, type }, reactions),
      }
    })
  },
  decide: decideMessageChange,
  turn: turnOfMessage,
})

/** For a key of one channel there are no messages elsewhere: the door does not know where a message is. */
function checkKey(
  { exchange: { key }, fail }: Pick<Call<Params, 'MESSAGE_UNKNOWN'>, 'exchange' | 'fail'>,
  channelId: ChannelId | null,
): void {
  if (key?.scope === 'channel' && key.channelId !== channelId) throw fail('MESSAGE_UNKNOWN')
}
