/** `DELETE /realm/emoji/{emoji_name}`. */

import { isAdministrator } from '../../../domain/channel-access.ts'
import { findCustomEmoji } from '../../../domain/custom-emoji.ts'
import { EMOJI_NAME_LENGTH_MAX } from '../../../domain/emoji.ts'
import { tellEmoji } from '../../../decisions/emoji/change-emoji.ts'
import { operation } from '../../operation.ts'
import { required, text } from '../../params.ts'

export const deactivateCustomEmoji = operation({
  method: 'DELETE',
  path: '/realm/emoji/{emoji_name}',
  summary: 'Deactivate a custom emoji',
  description:
    'For administrators, and for whoever uploaded it. It is still shown where it was used; its name is free again.',
  access: 'user',
  params: { emoji_name: required(text({ lengthMax: EMOJI_NAME_LENGTH_MAX }), 'The name of the emoji.') },
  reply: {},
  errors: ['EMOJI_UNKNOWN', 'EMOJI_OF_OTHERS'],
  events: ['realm_emoji/update'],
  run: ({ user, params: { emoji_name: name }, services: { committer }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        const emoji = findCustomEmoji(state.emoji, name)
        if (!emoji) throw fail('EMOJI_UNKNOWN', { name })
        if (emoji.authorId !== user.id && !isAdministrator(state.getUser(user.id)))
          throw fail('EMOJI_OF_OTHERS')
        return { events: [tellEmoji(state, { ...emoji, isDeactivated: true })], reply: () => ({}) }
      },
    }),
})
