/** `DELETE /realm/emoji/{emoji_name}`. */

import { DEACTIVATE_EMOJI_ERRORS, decideEmojiDeactivation } from '../../../decisions/emoji/change-emoji.ts'
import { EMOJI_NAME_LENGTH_MAX } from '../../../domain/text/emoji.ts'
import { change } from '../../change-operation.ts'
import { required, text } from '../../params.ts'

export const deactivateCustomEmoji = change({
  method: 'DELETE',
  path: '/realm/emoji/{emoji_name}',
  summary: 'Deactivate a custom emoji',
  description:
    'For administrators, and for the author of the emoji. Existing uses still show it; its name becomes free.',
  access: 'user',
  params: { emoji_name: required(text({ lengthMax: EMOJI_NAME_LENGTH_MAX }), 'The name of the emoji.') },
  reply: {},
  errors: DEACTIVATE_EMOJI_ERRORS,
  events: ['realm_emoji/update'],
  prepare: ({ params }) => ({ name: params.emoji_name }),
  decide: decideEmojiDeactivation,
})
