/** Ends log-in sessions: the caller's own, one or all others, and another user's. */

import { endSessions } from '../../../changes/users/login-sessions.ts'
import {
  decideSessionsEndByAdministrator,
  END_SESSIONS_ERRORS,
} from '../../../decisions/users/end-sessions.ts'
import type { UserId } from '../../../domain/ids.ts'
import { change } from '../../change-operation.ts'
import { operation } from '../../operation.ts'
import { id, required, text } from '../../params.ts'

/** Characters of a session's id. */
const ID_LENGTH_MAX = 36

export const logOut = operation({
  method: 'POST',
  path: '/logout',
  summary: 'Log out',
  description:
    "Ends the session of the request and removes its cookies. The user's other sessions and API keys stay.",
  access: 'user',
  needsNoFactor: true,
  params: {},
  reply: {},
  errors: ['SESSION_MISSING'],
  events: ['login_sessions_changed'],
  async run({ user, visit, services, fail }) {
    const { session } = visit
    if (!session) throw fail('SESSION_MISSING')
    await endSessions(services, user.id, (one) => one.id === session.id, user.id)
    visit.closeSession()
    return {}
  },
})

export const revokeSession = operation({
  method: 'DELETE',
  path: '/users/me/sessions/{session_id}',
  summary: 'End an own session',
  description: 'The browser of the session is logged out at once, and its event streams are closed.',
  access: 'user',
  needsNoFactor: true,
  params: { session_id: required(text({ lengthMax: ID_LENGTH_MAX }), 'The id of the session.') },
  reply: {},
  errors: ['SESSION_UNKNOWN'],
  events: ['login_sessions_changed'],
  async run({ user, params, visit, services, fail }) {
    const isMeant = (session: { readonly id: string }) => session.id === params.session_id
    if (services.state.loginSessions.get(user.id)?.some(isMeant) !== true) throw fail('SESSION_UNKNOWN')
    await endSessions(services, user.id, isMeant, user.id)
    if (visit.session && isMeant(visit.session)) visit.closeSession()
    return {}
  },
})

export const revokeOtherSessions = operation({
  method: 'DELETE',
  path: '/users/me/sessions',
  summary: 'End all other own sessions',
  description: 'Ends all sessions of the caller except that of the request; with an API key, all of them.',
  access: 'user',
  needsNoFactor: true,
  params: {},
  reply: {},
  errors: [],
  events: ['login_sessions_changed'],
  async run({ user, visit, services }) {
    await endSessions(services, user.id, (one) => one.id !== visit.session?.id, user.id)
    return {}
  },
})

export const endUserSessions = change({
  method: 'DELETE',
  path: '/users/{user_id}/sessions',
  summary: "End a user's sessions",
  description:
    'For administrators; only owners can end the sessions of an owner. Ends all of them. API keys stay valid.',
  access: 'user',
  params: { user_id: required(id<UserId>(), 'The id of the user.') },
  reply: {},
  errors: END_SESSIONS_ERRORS,
  events: ['login_sessions_changed'],
  prepare: ({ params }) => ({ userId: params.user_id }),
  decide: decideSessionsEndByAdministrator,
})
