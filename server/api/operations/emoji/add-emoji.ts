/** `POST /realm/emoji/{emoji_name}`. */

import { EMOJI_NAME_LENGTH_MAX } from '../../../domain/emoji.ts'
import { EMOJI_MIB_MAX } from '../../../domain/limits.ts'
import {
  checkNewEmoji,
  NEW_EMOJI_ERRORS,
  readNewEmojiName,
  tellEmoji,
} from '../../../decisions/emoji/change-emoji.ts'
import { IMAGE_ERRORS, makePicture } from '../../../changes/pictures/make-picture.ts'
import { operation } from '../../operation.ts'
import { required, text } from '../../params.ts'

export const addCustomEmoji = operation({
  method: 'POST',
  path: '/realm/emoji/{emoji_name}',
  summary: 'Upload a custom emoji',
  description:
    'Of a PNG, JPEG, GIF or WebP, which may move. For those who may add custom emoji; only administrators give it the ' +
    'name of one of Unicode, in whose place it then stands.',
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
  async run({ user, params, files, services, fail }) {
    const { committer, state: present } = services
    const name = readNewEmojiName(params.emoji_name, fail)
    checkNewEmoji(present, present.getUser(user.id), name, fail)
    const [file] = files
    if (!file || files.length > 1) throw fail('FILE_COUNT')
    const picture = await makePicture(services, { kind: 'emoji', file, userId: user.id }, fail)
    return committer.submit({
      kind: 'structure',
      decide(state) {
        checkNewEmoji(state, state.getUser(user.id), name, fail)
        const emoji = {
          id: state.nextEmojiId,
          name,
          authorId: user.id,
          pictureId: picture.id,
          isAnimated: picture.isAnimated,
          isDeactivated: false,
        }
        return { events: [tellEmoji(state, emoji)], reply: () => ({}) }
      },
    })
  },
})
