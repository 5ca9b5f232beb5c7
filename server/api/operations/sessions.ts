/** Log-in sessions. */

import { describeClient } from '../../../packages/rules/describe-client.ts'
import { readLoginSessions } from '../../../db/accounts/login-sessions.ts'
import { nowSeconds } from '../../domain/clock.ts'
import { arrayOf, BOOLEAN, INTEGER, record, STRING } from '../../domain/json-schema.ts'
import { isYoungSession } from '../../domain/accounts/login-sessions.ts'
import { operation } from '../operation.ts'
import { endSessions } from '../../changes/users/login-sessions.ts'
import {
  decideSessionsEndByAdministrator,
  END_SESSIONS_ERRORS,
} from '../../decisions/users/change-login-sessions.ts'
import type { UserId } from '../../domain/ids.ts'
import { change } from '../change-operation.ts'
import { id, required, text } from '../params.ts'
import { redeemDesktopToken } from '../log-in-app.ts'
import {
  checkPassword,
  checkSecondFactor,
  PASSWORD_LOGIN_ERRORS,
  SECOND_STEP_ERRORS,
  WHOLE_LOGIN_PARAMS,
} from '../check-password.ts'
import { openCheckedSession } from '../log-in-session.ts'

const SESSION = record({
  id: STRING,
  client: STRING,
  client_name: STRING,
  address: STRING,
  created_at: INTEGER,
  last_seen_at: INTEGER,
  is_current: BOOLEAN,
})

/** `GET /users/me/sessions`. */
export const getOwnSessions = operation({
  method: 'GET',
  path: '/users/me/sessions',
  summary: 'Get own sessions',
  description: 'Only the user themselves sees these.',
  access: 'user',
  needsNoFactor: true,
  params: {},
  reply: {
    sessions: {
      schema: arrayOf(SESSION),
      description:
        'The sessions, the one used last first: with the `User-Agent` of the log-in, the name of that ' +
        'browser or program for people (`Firefox on Linux`), the network address of the log-in, its ' +
        'time, the time of last use (ten minutes late at most), both in UNIX seconds, and whether it is that of ' +
        'the request.',
    },
  },
  errors: [],
  events: [],
  async run({ user, exchange, services: { sql, state, clock } }) {
    // The tables may be ahead of this process, or behind its clock.
    const live = new Map((state.loginSessions.get(user.id) ?? []).map((session) => [session.id, session]))
    const rows = (await readLoginSessions(sql, user.id)).filter(({ id }) => {
      const session = live.get(id)
      return session !== undefined && isYoungSession(session, nowSeconds(clock))
    })
    return {
      sessions: rows.map(({ id, client, address, createdAt, seenAt }) => ({
        id,
        client,
        client_name: describeClient(client),
        address,
        created_at: createdAt,
        last_seen_at: seenAt,
        is_current: id === exchange.session?.id,
      })),
    }
  },
})

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
  async run({ user, exchange, services, fail }) {
    const { session } = exchange
    if (!session) throw fail('SESSION_MISSING')
    await endSessions(services, user.id, (one) => one.id === session.id, user.id)
    exchange.cookies.closeSession()
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
  async run({ user, params, exchange, services, fail }) {
    const isMeant = (session: { readonly id: string }) => session.id === params.session_id
    if (services.state.loginSessions.get(user.id)?.some(isMeant) !== true) throw fail('SESSION_UNKNOWN')
    await endSessions(services, user.id, isMeant, user.id)
    if (exchange.session && isMeant(exchange.session)) exchange.cookies.closeSession()
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
  async run({ user, exchange, services }) {
    await endSessions(services, user.id, (one) => one.id !== exchange.session?.id, user.id)
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

const TOKEN_LENGTH_MAX = 100

/** `POST /login/desktop`: a session of the desktop app, by a token of the system's browser. */
export const logInDesktop = operation({
  method: 'POST',
  path: '/login/desktop',
  summary: 'Log in the desktop app',
  description:
    "For a desktop app whose person logged in by the system's browser, on a page with `desktop_flow_otp`. The token " +
    'counts once, for five minutes. Starts a session as `POST /login` does.',
  access: 'anyone',
  isLogin: true,
  params: { token: required(text({ lengthMax: TOKEN_LENGTH_MAX, trim: true }), 'The decrypted token.') },
  reply: {
    email: { schema: STRING, description: 'The email address of the user.' },
    user_id: { schema: INTEGER, description: 'The id of the user.' },
  },
  errors: ['LOGIN_TOKEN_INVALID'],
  events: ['login_sessions_changed'],
  async run({ params: { token }, exchange, userAgent, services, fail }) {
    const { email, id } = await redeemDesktopToken(services, exchange, { token, userAgent }, fail)
    return { email, user_id: id }
  },
})

/** `POST /login`: a session for an email address and a password. */
export const startLoginSession = operation({
  method: 'POST',
  path: '/login',
  summary: 'Log in with a session',
  description:
    'For browsers. Sets the cookie `sessionid`, which scripts cannot read, and `csrftoken`, which they can; over ' +
    'TLS both names start with `__Host-`. Requests with these cookies act as the user. A request that is not GET ' +
    'or HEAD also needs the value of `csrftoken` in the header `X-CSRFToken`. The session replaces the one that ' +
    'the browser had. It ends after 30 days without use, after 180 days, and when the role, password or ' +
    'API key of the user changes. A user has 30 sessions; another log-in ends the oldest. Attempts count as for ' +
    '`POST /fetch_api_key`. An account with an authenticator app also needs `otp_token`: if it is missing while the ' +
    'password is right, the code of the error is `SECOND_FACTOR_REQUIRED`.',
  access: 'anyone',
  isLogin: true,
  params: WHOLE_LOGIN_PARAMS,
  reply: {
    email: { schema: STRING, description: 'The email address of the user.' },
    user_id: { schema: INTEGER, description: 'The id of the user.' },
  },
  errors: [...PASSWORD_LOGIN_ERRORS, ...SECOND_STEP_ERRORS],
  events: ['login_sessions_changed', 'realm_user/update'],
  async run({ params, exchange, userAgent, services, fail }) {
    const checked = await checkPassword(services, exchange, params, fail)
    await checkSecondFactor(services, checked, params.otp_token, fail)
    await openCheckedSession(services, exchange, { ...checked, userAgent }, fail)
    const { email, id } = checked.user
    return { email, user_id: id }
  },
})
