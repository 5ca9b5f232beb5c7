/** `GET /realm/emoji`. */

import { CUSTOM_EMOJI, viewCustomEmoji } from '../../../views/custom-emoji-view.ts'
import { operation } from '../../operation.ts'

export const getCustomEmoji = operation({
  method: 'GET',
  path: '/realm/emoji',
  summary: 'Get custom emoji',
  description:
    'All that the organization ever had, by id; deactivated ones are still shown where they were used.',
  access: 'user',
  params: {},
  reply: {
    emoji: {
      schema: { type: 'object', additionalProperties: CUSTOM_EMOJI },
      description: 'The emoji by their ids.',
    },
  },
  errors: [],
  events: [],
  run: ({ services: { state } }) => ({ emoji: viewCustomEmoji(state.emoji) }),
})
