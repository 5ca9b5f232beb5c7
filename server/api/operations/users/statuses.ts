/** Statuses of users. */

import {
  decideOwnStatus,
  decideStatus,
  OWN_STATUS_ERRORS,
  STATUS_ERRORS,
  type StatusChange,
} from '../../../decisions/users/change-status.ts'
import { EMOJI_CODE_LENGTH_MAX, EMOJI_NAME_LENGTH_MAX } from '../../../domain/text/emoji.ts'
import { STATUS_TEXT_LENGTH_MAX } from '../../../../packages/rules/limits.ts'
import type { Names } from '../../../views/names.ts'
import { boolean, id, optional, required, text, type ValuesOf } from '../../params.ts'
import type { UserId } from '../../../domain/ids.ts'
import { USER_STATUS, viewStatus } from '../../../views/status-view.ts'
import { operation } from '../../operation.ts'
import { findTargetUser } from '../../../decisions/users/find-users.ts'
import { change } from '../../change-operation.ts'

/** The fields of a status; missing ones stay unchanged. */
const statusParams = {
  status_text: optional(
    text({ lengthMax: STATUS_TEXT_LENGTH_MAX, trim: true }),
    'The text; empty to remove it.',
  ),
  emoji_name: optional(
    text({ lengthMax: EMOJI_NAME_LENGTH_MAX }),
    'The name of the emoji; empty to remove it.',
  ),
  emoji_code: optional(
    text({ lengthMax: EMOJI_CODE_LENGTH_MAX }),
    'Its code: the code points in hex, joined by dashes, the id of a custom emoji, or the name of the extra one. By default that of the name.',
  ),
  reaction_type: optional(
    text({ lengthMax: EMOJI_NAME_LENGTH_MAX }),
    'The kind of code: `unicode_emoji`, `realm_emoji` or `service_extra_emoji`. By default that of the name.',
  ),
}

/** The requested status. */
function readStatusChange(
  { status_text: text, emoji_name: name, emoji_code: code, reaction_type }: ValuesOf<typeof statusParams>,
  { neutralReactionType }: Names,
): StatusChange {
  const type = reaction_type === undefined ? undefined : neutralReactionType(reaction_type)
  return { text, emoji: { name, code, type } }
}

/** `GET /users/{user_id}/status`. */
export const getUserStatus = operation({
  method: 'GET',
  path: '/users/{user_id}/status',
  summary: "Get a user's status",
  access: 'user',
  params: { user_id: required(id<UserId>(), 'The id of the user.') },
  reply: { status: { schema: USER_STATUS, description: 'The status, without empty fields.' } },
  errors: ['USER_UNKNOWN'],
  events: [],
  run({ user: caller, userAgent, params, services: { state, names }, fail }) {
    const target = findTargetUser({ state, caller, fail }, params.user_id)
    return { status: viewStatus(target.id, state, names.readsOriginalTypes(userAgent)) }
  },
})

/** `POST /users/me/status`: changes one's own status. */
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

/** `POST /users/{user_id}/status`: changes a user's status as an administrator. */
export const setStatus = change({
  method: 'POST',
  path: '/users/{user_id}/status',
  summary: 'Update user status',
  description: 'For administrators. Changes the status of another user, and sends an event to all users.',
  access: 'user',
  params: { user_id: required(id<UserId>(), 'The id of the user.'), ...statusParams },
  reply: {},
  errors: STATUS_ERRORS,
  events: ['user_status'],
  prepare: ({ params, services: { names } }) => {
    return { ...readStatusChange(params, names), userId: params.user_id }
  },
  decide: decideStatus,
})
