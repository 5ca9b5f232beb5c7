/** `GET /user_groups`: all user groups, including system groups. */

import { USER_GROUP, viewGroup } from '../../../views/group-view.ts'
import { operation } from '../../operation.ts'
import { boolean, defaulted } from '../../params.ts'
import { arrayOf } from '../../../domain/json-schema.ts'

export const getUserGroups = operation({
  method: 'GET',
  path: '/user_groups',
  summary: 'Get all user groups',
  access: 'user',
  params: {
    include_deactivated_groups: defaulted(boolean(), false, 'Whether to list deactivated groups too.'),
  },
  reply: { user_groups: { schema: arrayOf(USER_GROUP), description: 'The groups, by id.' } },
  errors: [],
  events: [],
  run({ params, services: { state } }) {
    const groups = [...state.groups.groups.values()]
    return {
      user_groups: groups
        .filter(({ group }) => params.include_deactivated_groups || !group.isDeactivated)
        .map((group) => viewGroup(group, state.rights.activeUsers)),
    }
  },
})
