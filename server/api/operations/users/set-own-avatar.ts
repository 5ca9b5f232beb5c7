/** `POST` and `DELETE /users/me/avatar`: how users are shown. */

import { AVATAR_MIB_MAX } from '../../../domain/limits.ts'
import { avatarUrl } from '../../../views/user-view.ts'
import { changeAvatar, checkAvatarChanges } from '../../../decisions/users/change-avatar.ts'
import { IMAGE_ERRORS, makePicture } from '../../../changes/pictures/make-picture.ts'
import { operation } from '../../operation.ts'
import { STRING } from '../../../domain/json-schema.ts'

const reply = { avatar_url: { schema: STRING, description: 'The address of the avatar from now on.' } }

export const setOwnAvatar = operation({
  method: 'POST',
  path: '/users/me/avatar',
  summary: 'Set own avatar',
  description: 'Of a PNG, JPEG, GIF or WebP, its middle is shown as a square.',
  access: 'user',
  file: { description: 'The image.', mibMax: AVATAR_MIB_MAX },
  params: {},
  reply,
  errors: ['AVATAR_COUNT', 'AVATAR_CHANGES_DISABLED', ...IMAGE_ERRORS],
  events: ['realm_user/update', 'realm_bot/update'],
  async run({ user, files, services, fail }) {
    const { committer, state: present } = services
    const [file] = files
    if (!file || files.length > 1) throw fail('AVATAR_COUNT')
    checkAvatarChanges(present, present.getUser(user.id), fail)
    const { id } = await makePicture('avatar', file, user.id, services, fail)
    await committer.submit({
      kind: 'structure',
      decide(state) {
        const own = state.getUser(user.id)
        checkAvatarChanges(state, own, fail)
        return { events: changeAvatar(state, own, id), reply: () => undefined }
      },
    })
    return { avatar_url: avatarUrl(present.getUser(user.id), present) }
  },
})

export const removeOwnAvatar = operation({
  method: 'DELETE',
  path: '/users/me/avatar',
  summary: 'Remove own avatar',
  description: 'From then on the one is shown that belongs to the email address.',
  access: 'user',
  params: {},
  reply,
  errors: ['AVATAR_CHANGES_DISABLED'],
  events: ['realm_user/update', 'realm_bot/update'],
  async run({ user, services: { committer, state: present }, fail }) {
    await committer.submit({
      kind: 'structure',
      decide(state) {
        const own = state.getUser(user.id)
        checkAvatarChanges(state, own, fail)
        return { events: changeAvatar(state, own, null), reply: () => undefined }
      },
    })
    return { avatar_url: avatarUrl(present.getUser(user.id), present) }
  },
})
