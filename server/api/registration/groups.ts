/** The initial state of user groups. */

import { arrayOf } from '../../domain/json-schema.ts'
import { encodeGroup, USER_GROUP } from '../../views/group-view.ts'
import { EncodedField } from '../operation.ts'
import { statePart } from './state-part.ts'

/** `realm_user_groups`, `user_group`. */
export const groups = statePart({
  fields: {
    realm_user_groups: {
      schema: arrayOf(USER_GROUP),
      description: 'The user groups, by id; deactivated ones only with `include_deactivated_groups`.',
    },
  },
  fetch({ services: { state }, options }) {
    const all = [...state.groups.groups.values()]
    const listed = options.hasDeactivatedGroups ? all : all.filter(({ group }) => !group.isDeactivated)
    return {
      realm_user_groups: EncodedField.list(
        listed.map((group) => [encodeGroup(group, state.rights.activeUsers)]),
      ),
    }
  },
})
