/** `/legal_holds`: what is kept when it is deleted. Other servers of the API family do not have them. */

import { countKept } from '../../../../db/holds/legal-holds.ts'
import { checkOwner } from '../../../decisions/check-caller.ts'
import {
  decideLiftedHold,
  decideNewHold,
  LIFTED_HOLD_ERRORS,
  NEW_HOLD_ERRORS,
} from '../../../decisions/organization/change-holds.ts'
import type { ChannelId, HoldId, UserId } from '../../../domain/ids.ts'
import { arrayOf, INTEGER } from '../../../domain/json-schema.ts'
import { HOLD_NAME_LENGTH_MAX, HOLD_REASON_LENGTH_MAX } from '../../../../packages/rules/limits.ts'
import { HOLD_NAMES_MAX } from '../../../domain/limits.ts'
import { HOLD, viewHold } from '../../../views/hold-view.ts'
import { change } from '../../change-operation.ts'
import { operation } from '../../operation.ts'
import { boolean, defaulted, id, list, required, text } from '../../params.ts'

/** `GET /legal_holds`. */
export const getHolds = operation({
  method: 'GET',
  path: '/legal_holds',
  summary: 'Get legal holds',
  description: 'For owners: the holds that are not lifted, in the order in which they were placed.',
  access: 'user',
  params: {},
  reply: {
    legal_holds: {
      schema: arrayOf(HOLD),
      description: 'The holds; `kept_messages` is the number of deleted messages that one keeps.',
    },
  },
  errors: ['ROLE_REQUIRED'],
  events: [],
  async run({ user, services: { sql, state }, fail }) {
    checkOwner({ caller: user, fail })
    const counts = await countKept(sql)
    return { legal_holds: state.holds.map((hold) => viewHold(hold, counts.get(hold.id) ?? 0)) }
  },
})

/** `POST /legal_holds`. */
export const createHold = change({
  method: 'POST',
  path: '/legal_holds',
  summary: 'Place a legal hold',
  description:
    'For owners. Messages and files that are deleted from now on are kept aside, also those that retention deletes; for ' +
    'everyone they are gone as always, and nobody but owners learns of the hold. It is for the whole organization, or ' +
    'for people, channels or both. See `docs/legal-hold.md`.',
  access: 'user',
  params: {
    name: required(
      text({ lengthMax: HOLD_NAME_LENGTH_MAX, trim: true, blank: false }),
      'The name, which must be unique in any case.',
    ),
    reason: required(
      text({ lengthMax: HOLD_REASON_LENGTH_MAX, trim: true, blank: false }),
      'The reason, for the audit log.',
    ),
    whole_organization: defaulted(boolean(), false, 'Whether everything is held.'),
    user_ids: defaulted(
      list(id<UserId>(), { lengthMax: HOLD_NAMES_MAX }),
      [],
      'People and bots: all messages that they sent, their direct messages and their files are held.',
    ),
    stream_ids: defaulted(
      list(id<ChannelId>(), { lengthMax: HOLD_NAMES_MAX }),
      [],
      'Channels: all messages that are or were in them are held.',
    ),
  },
  reply: { legal_hold_id: { schema: INTEGER, description: 'The id of the hold.' } },
  errors: NEW_HOLD_ERRORS,
  events: [],
  prepare: ({ params }) => ({
    name: params.name,
    reason: params.reason,
    isForAll: params.whole_organization,
    userIds: params.user_ids,
    channelIds: params.stream_ids,
  }),
  decide: decideNewHold,
  answer: (holdId) => ({ legal_hold_id: holdId }),
})

/** `DELETE /legal_holds/{legal_hold_id}`. */
export const liftHold = change({
  method: 'DELETE',
  path: '/legal_holds/{legal_hold_id}',
  summary: 'Lift a legal hold',
  description: 'For owners. Messages and files that no other hold keeps are removed for good within minutes.',
  access: 'user',
  params: { legal_hold_id: required(id<HoldId>(), 'The hold.') },
  reply: {},
  errors: LIFTED_HOLD_ERRORS,
  events: [],
  prepare: ({ params }) => ({ holdId: params.legal_hold_id }),
  decide: decideLiftedHold,
})
