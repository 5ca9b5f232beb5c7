/** Log-ins to the demo organization. */

import { hash, timingSafeEqual } from 'node:crypto'
import type { User } from '../../domain/entities.ts'
import type { Fail } from '../../errors/api-error.ts'
import { required, text } from '../params.ts'
import type { Services } from '../services.ts'
import { arrayOf, INTEGER, record, STRING } from '../../domain/json-schema.ts'
import { operation } from '../operation.ts'
import { findCredentials } from '../../../db/accounts/second-factors.ts'
import { EMAIL_LENGTH_MAX } from '../../domain/limits.ts'
import { openSession } from '../log-in-session.ts'

/** Characters of a token: longer ones are not ours. */
const TOKEN_LENGTH_MAX = 100

const DEMO_PARAMS = {
  token: required(text({ lengthMax: TOKEN_LENGTH_MAX }), 'The token in the link that the server printed.'),
}

/** The accounts of the demo for the holder of its link; the same failure for a wrong token and without a demo. */
function findDemoUsers(
  { demo, state }: Services,
  token: string,
  fail: Fail<'DEMO_LINK_INVALID'>,
): readonly User[] {
  if (!demo || !timingSafeEqual(digest(token), digest(demo.token))) throw fail('DEMO_LINK_INVALID')
  return demo.accounts.flatMap(({ email, apiKeyHash }) => {
    const user = state.findUserByEmail(email)
    const hashes = user ? (state.apiKeyHashes.get(user.id) ?? []) : []
    return user?.isActive && hashes.includes(apiKeyHash) ? [user] : []
  })
}

function digest(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** `GET /demo_accounts`: the accounts of the demo, for the holder of its link. */
export const getDemoAccounts = operation({
  method: 'GET',
  path: '/demo_accounts',
  summary: 'Get the accounts of the demo',
  description:
    'For servers that were started with the demo organization. They print a link with a token, which is new with ' +
    'each start. An account is listed until its API key is changed.',
  access: 'anyone',
  isLogin: true,
  params: DEMO_PARAMS,
  reply: {
    accounts: {
      schema: arrayOf(record({ email: STRING, full_name: STRING, role: INTEGER })),
      description: 'The accounts.',
    },
  },
  errors: ['DEMO_LINK_INVALID'],
  events: [],
  run({ params, services, fail }) {
    const users = findDemoUsers(services, params.token, fail)
    return { accounts: users.map(({ email, fullName, role }) => ({ email, full_name: fullName, role })) }
  },
})

/** `POST /demo_login`: a session for an account of the demo, without its password. */
export const logInToDemo = operation({
  method: 'POST',
  path: '/demo_login',
  summary: 'Log in to the demo',
  description:
    'For browsers: sets the cookies of a session, as `POST /login` does. The token is that of `GET /demo_accounts`.',
  access: 'anyone',
  isLogin: true,
  params: {
    ...DEMO_PARAMS,
    email: required(text({ lengthMax: EMAIL_LENGTH_MAX }), 'The email address of an account of the demo.'),
  },
  reply: {
    email: { schema: STRING, description: 'The email address of the user.' },
    user_id: { schema: INTEGER, description: 'The id of the user.' },
  },
  errors: ['DEMO_LINK_INVALID'],
  events: ['login_sessions_changed', 'realm_user/update'],
  async run({ params, exchange, userAgent, services, fail }) {
    const user = findDemoUsers(services, params.token, fail).find(({ email }) => email === params.email)
    // An account with a second factor belongs to somebody by now.
    if (!user || (await findCredentials(services.sql, user.id)).totp) throw fail('DEMO_LINK_INVALID')
    if (!(await openSession(services, exchange, user, { userAgent }))) throw fail('DEMO_LINK_INVALID')
    return { email: user.email, user_id: user.id }
  },
})
