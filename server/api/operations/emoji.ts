/** Custom emoji. */

import { CUSTOM_EMOJI, viewCustomEmoji } from '../../views/custom-emoji-view.ts'
import { mapOf } from '../../domain/json-schema.ts'
import { operation } from '../operation.ts'
import { IMAGE_ERRORS, makePicture } from '../../changes/pictures/make-picture.ts'
import {
  checkEmojiName,
  checkNewEmoji,
  DEACTIVATE_EMOJI_ERRORS,
  decideEmojiDeactivation,
  decideNewEmoji,
  NEW_EMOJI_ERRORS,
} from '../../decisions/emoji/change-emoji.ts'
import { EMOJI_NAME_LENGTH_MAX } from '../../domain/text/emoji.ts'
import { EMOJI_MIB_MAX } from '../../domain/limits.ts'
import { change } from '../change-operation.ts'
import { required, text } from '../params.ts'

/** `GET /realm/emoji`. */
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

/** `POST /realm/emoji/{emoji_name}`. */
export const addCustomEmoji = change({
  method: 'POST',
  path: '/realm/emoji/{emoji_name}',
  summary: 'Upload a custom emoji',
  description:
    'From a PNG, JPEG, GIF or WebP, which may be animated. For users with the permission to add custom emoji. ' +
    'Only administrators can use the name of a Unicode emoji, which the new one then replaces.',
  access: 'user',
  file: { description: 'The image.', mibMax: EMOJI_MIB_MAX },
  params: {
    emoji_name: required(
      text({ lengthMax: EMOJI_NAME_LENGTH_MAX, takesNull: true }),
      'Its name, of `a` to `z`, digits, `_`, `-` and `.`; spaces become `_`.',
    ),
  },
  reply: {},
  errors: ['FILE_COUNT', ...NEW_EMOJI_ERRORS, ...IMAGE_ERRORS],
  events: ['realm_emoji/update'],
  async prepare({ user, params, files, services, fail }) {
    const name = checkEmojiName({ fail }, params.emoji_name)
    // Checked before the slow image processing, and again by the decision.
    checkNewEmoji({ state: services.state, caller: user, fail }, name)
    const [file] = files
    if (!file || files.length > 1) throw fail('FILE_COUNT')
    const { id: pictureId, isAnimated } = await makePicture(
      services,
      { kind: 'emoji', file, userId: user.id },
      fail,
    )
    return { name, pictureId, isAnimated }
  },
  decide: decideNewEmoji,
})

/** `DELETE /realm/emoji/{emoji_name}`. */
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
