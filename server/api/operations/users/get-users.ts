/** `GET /users`. */

import type { UserId } from '../../../domain/ids.ts'
import { encodeUsers } from '../../../views/encode-users.ts'
import { USER, viewUser } from '../../../views/user-view.ts'
import { EncodedField, operation } from '../../operation.ts'
import { id, list, optional } from '../../params.ts'
import { arrayOf } from '../../../domain/json-schema.ts'
import { readUserViewOptions, userViewParams } from './user-view-params.ts'

export const getUsers = operation({
  method: 'GET',
  path: '/users',
  summary: 'Get all users',
  description: 'All users whom the caller knows: people and bots, active and deactivated.',
  access: 'user',
  params: {
    ...userViewParams,
    user_ids: optional(list(id<UserId>()), 'Only these users; unknown ids are ignored.'),
  },
  reply: { members: { schema: arrayOf(USER), description: 'The users, by id.' } },
  errors: [],
  events: [],
  run({ user: caller, params, services: { state } }) {
    const options = readUserViewOptions(params)
    if (!params.user_ids) {
      const everyone = encodeUsers(caller, state, { ...options, accounts: 'all', isIncomplete: true })
      return { members: EncodedField.list(everyone.map((piece) => [piece])) }
    }
    const wanted = new Set(params.user_ids)
    const users = [...state.users.values()].filter(
      ({ id, isSystem }) => !isSystem && wanted.has(id) && state.sight.knows(caller.id, id),
    )
    return { members: users.map((user) => viewUser(user, caller, state, options)) }
  },
})
