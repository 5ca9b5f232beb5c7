/** `DELETE /users/me/subscriptions`: unsubscribes the caller or others. */

import {
  decideUnsubscribe,
  UNSUBSCRIBE_ERRORS,
  type UnsubscribeRequest,
} from '../../../decisions/channels/unsubscribe-users.ts'
import { arrayOf, STRING } from '../../../domain/json-schema.ts'
import { CHANNELS_PER_CALL_MAX } from '../../../domain/limits.ts'
import { change } from '../../change-operation.ts'
import { list, optional, required, text } from '../../params.ts'
import { LONG_REQUEST } from './long-request.ts'
import { principalsType } from './principal-params.ts'

export const unsubscribe = change({
  method: 'DELETE',
  path: '/users/me/subscriptions',
  summary: 'Unsubscribe from a channel',
  description:
    'Administrators can remove all users from all channels. Other users can remove themselves, their bots from ' +
    'channels that they can access, and all users from channels that they administer or whose ' +
    '`can_remove_subscribers_group` they are in. All of the changes apply, or none. ' +
    LONG_REQUEST,
  access: 'user',
  params: {
    subscriptions: required(
      list(text({ takesNull: true }), { lengthMax: CHANNELS_PER_CALL_MAX }),
      'The names of the channels.',
    ),
    principals: optional(
      principalsType,
      'The users to unsubscribe, by ids or email addresses; by default the caller.',
    ),
  },
  reply: {
    removed: {
      schema: arrayOf(STRING),
      description: 'The name of a channel for each subscription that ended.',
    },
    not_removed: {
      schema: arrayOf(STRING),
      description: 'The name of a channel for each subscription that did not exist.',
    },
  },
  errors: UNSUBSCRIBE_ERRORS,
  events: ['subscription/remove', 'subscription/peer_remove', 'stream/delete'],
  prepare: ({ params }): UnsubscribeRequest => ({
    principals: params.principals,
    names: params.subscriptions,
  }),
  decide: decideUnsubscribe,
  rest: (earlier, request) =>
    earlier.rest.length > 0 ? { ...request, names: earlier.rest, earlier } : undefined,
  answer: ({ removed, notRemoved }) => ({ removed, not_removed: notRemoved }),
})
