/** `GET /realm/emoji`. */

import { CUSTOM_EMOJI, viewCustomEmoji } from '../../../views/custom-emoji-view.ts'
import { mapOf } from '../../../domain/json-schema.ts'
import { operation } from '../../operation.ts'

export const getCustomEmoji = operation({
  method: 'GET',
  path: '/realm/emoji',
  summary: 'Get custom emoji',
  description: 'All emoji that the organization has had, by id; existing uses still show deactivated ones.',
  access: 'user',
  params: {},
  reply: {
    emoji: {
      schema: mapOf(CUSTOM_EMOJI),
      description: 'The emoji by id.',
    },
  },
  errors: [],
  events: [],
  run: ({ services: { state } }) => ({ emoji: viewCustomEmoji(state.emoji) }),
})
