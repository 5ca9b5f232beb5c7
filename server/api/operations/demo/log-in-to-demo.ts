/** `POST /demo_login`: a session for an account of the demo, without its password. */

import { findCredentials } from '../../../../db/accounts/second-factors.ts'
import { INTEGER, STRING } from '../../../domain/json-schema.ts'
import { EMAIL_LENGTH_MAX } from '../../../domain/limits.ts'
import { openSession } from '../../log-in-session.ts'
import { operation } from '../../operation.ts'
import { required, text } from '../../params.ts'
import { DEMO_PARAMS, findDemoUsers } from './demo-token.ts'

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
  async run({ params, visit, userAgent, services, fail }) {
    const user = findDemoUsers(services, params.token, fail).find(({ email }) => email === params.email)
    // An account with a second factor belongs to somebody by now.
    if (!user || (await findCredentials(services.sql, user.id)).totp) throw fail('DEMO_LINK_INVALID')
    if (!(await openSession(services, visit, user, { userAgent }))) throw fail('DEMO_LINK_INVALID')
    return { email: user.email, user_id: user.id }
  },
})
