/** Profile pictures. */

import { findAddressedUser, findTargetUser } from '../../../decisions/users/find-users.ts'
import type { UserId } from '../../../domain/ids.ts'
import { avatarUrl } from '../../../views/user-view.ts'
import { type Call, operation, RedirectReply } from '../../operation.ts'
import { emailParam } from './account-params.ts'
import { AVATAR_MIB_MAX } from '../../../domain/limits.ts'
import { AVATAR_ERRORS, checkAvatarChanges, decideOwnAvatar } from '../../../decisions/users/change-avatar.ts'
import { IMAGE_ERRORS, makePicture } from '../../../changes/pictures/make-picture.ts'
import { change } from '../../change-operation.ts'
import type { Params } from '../../params.ts'
import { STRING } from '../../../domain/json-schema.ts'

const avatarOf = (size: 'small' | 'medium') =>
  operation({
    method: 'GET',
    path: size === 'small' ? '/avatar/{user_id_or_email}' : '/avatar/{user_id_or_email}/medium',
    summary: size === 'small' ? 'Get the picture of a user' : 'Get the large picture of a user',
    description: 'Redirects to it. A number is an id. The path works without `/api/v1`, too.',
    access: 'user',
    params: { user_id_or_email: emailParam },
    reply: {},
    errors: ['USER_UNKNOWN'],
    events: [],
    run({ user: caller, params: { user_id_or_email: name }, services: { state }, fail }) {
      const scope = { state, caller, fail }
      const isId = /^[0-9]{1,15}$/.test(name)
      const user = isId ? findTargetUser(scope, Number(name) as UserId) : findAddressedUser(scope, name)
      return new RedirectReply(avatarUrl(user, state, size))
    },
  })

/** `GET /avatar/{user_id_or_email}` and `/medium`: leads to the picture of a user, also without the API's base. */
export const getAvatar = avatarOf('small')
export const getMediumAvatar = avatarOf('medium')

const reply = { avatar_url: { schema: STRING, description: 'The address of the new avatar.' } }

/** `POST` and `DELETE /users/me/avatar`: change the caller's avatar. */
export const setOwnAvatar = change({
  method: 'POST',
  path: '/users/me/avatar',
  summary: 'Set own avatar',
  description: 'From a PNG, JPEG, GIF or WebP, cropped to the square in its middle.',
  access: 'user',
  file: { description: 'The image.', mibMax: AVATAR_MIB_MAX },
  params: {},
  reply,
  errors: ['AVATAR_COUNT', ...AVATAR_ERRORS, ...IMAGE_ERRORS],
  events: ['realm_user/update', 'realm_bot/update'],
  async prepare({ user, files, services, fail }) {
    const { state } = services
    const [file] = files
    if (!file || files.length > 1) throw fail('AVATAR_COUNT')
    checkAvatarChanges({ state, caller: state.getUser(user.id), fail })
    const { id } = await makePicture(services, { kind: 'avatar', file, userId: user.id }, fail)
    return { pictureId: id }
  },
  decide: decideOwnAvatar,
  answer,
})

export const removeOwnAvatar = change({
  method: 'DELETE',
  path: '/users/me/avatar',
  summary: 'Remove own avatar',
  description:
    'That of their source replaces it: a drawn one, or the one that Gravatar has for the email address.',
  access: 'user',
  params: {},
  reply,
  errors: AVATAR_ERRORS,
  events: ['realm_user/update', 'realm_bot/update'],
  prepare: () => ({ pictureId: null }),
  decide: decideOwnAvatar,
  answer,
})

function answer(_: void, { user, services: { state } }: Pick<Call<Params, never>, 'user' | 'services'>) {
  return { avatar_url: avatarUrl(state.getUser(user.id), state) }
}
