/** `GET /avatar/{user_id_or_email}` and `/medium`: leads to the picture of a user, also without the API's base. */

import { findAddressedUser, findTargetUser } from '../../../decisions/users/find-target-user.ts'
import type { UserId } from '../../../domain/ids.ts'
import { avatarUrl } from '../../../views/user-view.ts'
import { operation, RedirectReply } from '../../operation.ts'
import { emailParam } from './email-param.ts'

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

export const getAvatar = avatarOf('small')
export const getMediumAvatar = avatarOf('medium')
