/** `POST /users/me/status`: changes one's own status. */

import { decideOwnStatus, OWN_STATUS_ERRORS } from '../../../decisions/users/change-status.ts'
import { change } from '../../change-operation.ts'
import { boolean, optional } from '../../params.ts'
import { readStatusChange, statusParams } from './status-params.ts'

export const setOwnStatus = change({
  method: 'POST',
  path: '/users/me/status',
  summary: 'Update own status',
  description: 'Changes the status of the caller, and sends an event to all users.',
  access: 'user',
  params: {
    ...statusParams,
    away: optional(boolean(), 'The opposite of the setting `presence_enabled`, which it changes.', {
      isDeprecated: true,
    }),
  },
  reply: {},
  errors: OWN_STATUS_ERRORS,
  events: ['user_status', 'user_settings/update', 'update_global_notifications'],
  prepare: ({ params, services: { names } }) => {
    return { ...readStatusChange(params, names), isAway: params.away }
  },
  decide: decideOwnStatus,
})
