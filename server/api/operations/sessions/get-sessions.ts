/** `GET /users/me/sessions`. */

import { readLoginSessions } from '../../../../db/accounts/login-sessions.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import { BOOLEAN, INTEGER, arrayOf, record, STRING } from '../../../domain/json-schema.ts'
import { isYoungSession } from '../../../domain/accounts/login-sessions.ts'
import { describeClient } from '../../../domain/users/describe-client.ts'
import { operation } from '../../operation.ts'

const SESSION = record({
  id: STRING,
  client: STRING,
  client_name: STRING,
  address: STRING,
  created_at: INTEGER,
  last_seen_at: INTEGER,
  is_current: BOOLEAN,
})

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
  async run({ user, visit, services: { sql, state, clock } }) {
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
        is_current: id === visit.session?.id,
      })),
    }
  },
})
