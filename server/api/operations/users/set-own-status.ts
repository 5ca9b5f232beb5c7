/** `POST /users/me/status`: users say how they are. */

import { changeSettings } from '../../../decisions/users/change-settings.ts'
import { changeUserStatus, readStatus, STATUS_ERRORS, statusParams } from '../../changes/change-status.ts'
import { operation } from '../../operation.ts'
import { boolean, optional } from '../../params.ts'

export const setOwnStatus = operation({
  method: 'POST',
  path: '/users/me/status',
  summary: 'Update own status',
  description: "Changes the caller's own status, of which everyone is told.",
  access: 'user',
  params: {
    ...statusParams,
    away: optional(boolean(), 'The contrary of the setting `presence_enabled`, which it changes.', {
      isDeprecated: true,
    }),
  },
  reply: {},
  errors: STATUS_ERRORS,
  events: ['user_status', 'user_settings/update', 'update_global_notifications'],
  run: ({ user, params, services: { committer, names }, fail }) =>
    committer.submit({
      kind: 'structure',
      decide(state) {
        const changes = readStatus(params, user.id, names, state, fail)
        const { away } = params
        if (away === undefined && Object.keys(changes).length === 0) throw fail('STATUS_UNCHANGED')
        const seen = away === undefined ? [] : [{ name: 'presenceEnabled', value: !away } as const]
        const events = [
          ...changeSettings(state, state.getUser(user.id), seen),
          ...changeUserStatus(state, user.id, changes),
        ]
        return { events, reply: () => ({}) }
      },
    }),
})
