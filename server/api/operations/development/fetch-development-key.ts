/** `POST /dev_fetch_api_key`: an API key for an email address alone, if the operator enables it. */

import { EMAIL_LENGTH_MAX } from '../../../domain/limits.ts'
import { logIn } from '../../../changes/users/log-in.ts'
import { openSession } from '../../log-in-session.ts'
import { operation } from '../../operation.ts'
import { required, text } from '../../params.ts'
import { API_KEY_REPLY } from '../users/fetch-api-key.ts'

export const fetchDevelopmentKey = operation({
  method: 'POST',
  path: '/dev_fetch_api_key',
  summary: 'Fetch an API key without a password',
  description:
    'For development servers: exists only if the operator sets `DEVELOPMENT_LOGINS=on`. Returns a new API key ' +
    'of any account, like `POST /fetch_api_key` for a password, and sets the cookies of a session, like ' +
    '`POST /login`.',
  access: 'anyone',
  isLogin: true,
  params: {
    username: required(
      text({ lengthMax: EMAIL_LENGTH_MAX, trim: true }),
      'The email address of the account.',
    ),
  },
  reply: API_KEY_REPLY,
  errors: ['PASSWORD_INCORRECT'],
  events: ['api_keys_changed', 'login_sessions_changed'],
  async run({ params: { username }, visit, userAgent, services, fail }) {
    const user = services.state.findUserByEmail(username)
    if (!user || user.isSystem) throw fail('PASSWORD_INCORRECT')
    if (!user.isActive) throw fail('ACCOUNT_DEACTIVATED')
    const key = await logIn(services, user.id)
    if (key === undefined) throw fail('ACCOUNT_DEACTIVATED')
    await openSession(services, visit, user, { userAgent })
    return { api_key: key, email: user.email, user_id: user.id }
  },
})
