/** `DELETE /users/me/subscriptions`: ends subscriptions, one's own or those of others. */

import { decideUnsubscribe, UNSUBSCRIBE_ERRORS } from '../../../decisions/channels/unsubscribe-users.ts'
import { arrayOf, STRING } from '../../../domain/json-schema.ts'
import { CHANNELS_PER_CALL_MAX } from '../../../domain/limits.ts'
import { change } from '../../change-operation.ts'
import { list, optional, required, text } from '../../params.ts'
import { principalsType } from './principal-params.ts'

export const unsubscribe = change({
  method: 'DELETE',
  path: '/users/me/subscriptions',
  summary: 'Unsubscribe from a channel',
  description:
    'Administrators may remove anyone from any channel; others themselves, their bots from channels they can ' +
    'access, and anyone from channels they administer or whose `can_remove_subscribers_group` they are in. All ' +
    'of it happens, or nothing.',
  access: 'user',
  params: {
    subscriptions: required(
      list(text({ takesNull: true }), { lengthMax: CHANNELS_PER_CALL_MAX }),
      'The names of the channels.',
    ),
    principals: optional(
      principalsType,
      'Whom to unsubscribe, by ids or email addresses; the caller by default.',
    ),
  },
  reply: {
    removed: { schema: arrayOf(STRING), description: 'A name for each subscription that ended.' },
    not_removed: { schema: arrayOf(STRING), description: 'A name for each that there was not.' },
  },
  errors: UNSUBSCRIBE_ERRORS,
  events: ['subscription/remove', 'subscription/peer_remove', 'stream/delete'],
  prepare: ({ params }) => ({ principals: params.principals, names: params.subscriptions }),
  decide: decideUnsubscribe,
  answer: ({ removed, notRemoved }) => ({ removed, not_removed: notRemoved }),
})
