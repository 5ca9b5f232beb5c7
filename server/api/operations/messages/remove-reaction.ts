/** `DELETE /messages/{message_id}/reactions`: takes a reaction back. */

import { EMOJI_CODE_LENGTH_MAX, EMOJI_NAME_LENGTH_MAX } from '../../../domain/emoji.ts'
import type { MessageId } from '../../../domain/ids.ts'
import { changeReaction } from '../../changes/change-reactions.ts'
import { findReaction } from '../../../decisions/emoji/choose-reaction.ts'
import { operation } from '../../operation.ts'
import { id, optional, required, text } from '../../params.ts'

export const removeReaction = operation({
  method: 'DELETE',
  path: '/messages/{message_id}/reactions',
  summary: 'Remove a reaction',
  description: "Takes back one of the user's own reactions to a message, by its name or its code.",
  access: 'user',
  params: {
    message_id: required(id<MessageId>(), 'The message.'),
    emoji_name: optional(text({ lengthMax: EMOJI_NAME_LENGTH_MAX }), 'The name of the emoji.'),
    emoji_code: optional(text({ lengthMax: EMOJI_CODE_LENGTH_MAX }), 'Its code, which goes before the name.'),
    reaction_type: optional(text({ lengthMax: EMOJI_NAME_LENGTH_MAX }), 'What the code is of.'),
  },
  reply: {},
  errors: ['MESSAGE_UNKNOWN', 'EMOJI_MISSING', 'EMOJI_UNKNOWN', 'REACTION_MISSING'],
  events: ['reaction/remove'],
  async run({ params, ...call }) {
    const { user, services, fail } = call
    const { emoji_name: name, emoji_code: code, reaction_type } = params
    const type = reaction_type && services.names.neutralReactionType(reaction_type)
    await changeReaction('reaction/remove', params.message_id, call, (reactions) =>
      findReaction({ name, code, type }, user.id, reactions, services.state.emoji, fail),
    )
    return {}
  },
})
