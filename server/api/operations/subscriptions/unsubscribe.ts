/** `DELETE /users/me/subscriptions`: ends subscriptions, one's own or those of others. */

import { CHANNELS_PER_CALL_MAX } from '../../../domain/limits.ts'
import { decideUnsubscribe } from '../../../decisions/channels/unsubscribe-users.ts'
import { operation } from '../../operation.ts'
import { list, optional, required, text } from '../../params.ts'
import { arrayOf, STRING } from '../../../domain/json-schema.ts'
import { findPrincipals } from '../../../decisions/users/find-active-users.ts'
import { principalsType } from './principal-params.ts'

export const unsubscribe = operation({
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
  errors: [
    'CHANNEL_NAMED_UNKNOWN',
    'PERMISSION_MISSING',
    'USER_UNKNOWN',
    'USER_DEACTIVATED',
    'TOO_MANY_SUBSCRIPTIONS',
  ],
  events: ['subscription/remove', 'subscription/peer_remove', 'stream/delete'],
  run: ({ user, params, services, fail }) =>
    services.committer.submit({
      kind: 'structure',
      decide(state) {
        const caller = state.getUser(user.id)
        const users = findPrincipals(params.principals, caller, state, fail)
        const result = decideUnsubscribe(state, caller, users, params.subscriptions, fail)
        const { events, removed, notRemoved } = result
        return { events, reply: () => ({ removed, not_removed: notRemoved }) }
      },
    }),
})
