/** The initial state of presence and statuses. */

import { INTEGER, mapOf, NUMBER } from '../../domain/json-schema.ts'
import { EITHER_PRESENCES } from '../../views/presence-view.ts'
import { USER_STATUS, viewStatuses } from '../../views/status-view.ts'
import { EncodedField } from '../operation.ts'
import { statePart } from './state-part.ts'

/** `presence`. */
export const presences = statePart({
  fields: {
    presences: {
      schema: EITHER_PRESENCES,
      description:
        'The last activity of each user: by user id with `slim_presence`, else by email address in the older form.',
    },
    presence_last_update_id: {
      schema: INTEGER,
      description: 'The last update in `presences`; -1 if the organization hides presence.',
    },
    server_timestamp: { schema: NUMBER, description: 'UNIX seconds of the reply.' },
  },
  fetch({ user, services, presence }) {
    const { presences: reported, clock } = services
    // The full list in the legacy form is encoded already, as viewers who know all users see it.
    const isEveryone = presence.isLegacy && presence.sinceId === undefined && presence.daysMax === undefined
    const isShared = isEveryone && services.state.userVisibility.of(user.id) === undefined
    return {
      presences: isShared
        ? new EncodedField(['{', ...reported.encodeEveryone(), '}'])
        : new EncodedField([reported.encode(presence, user.id)]),
      presence_last_update_id: reported.lastId,
      server_timestamp: clock.nowMs() / 1000,
    }
  },
})

/** `user_status`. */
export const statuses = statePart({
  fields: {
    user_status: {
      schema: mapOf(USER_STATUS),
      description: 'The statuses of the users whom the user knows, by id, without empty fields.',
    },
  },
  fetch: ({ user, options, services: { state } }) => ({
    user_status: viewStatuses(user.id, state, options.readsOriginalTypes),
  }),
})
