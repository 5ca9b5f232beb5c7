/** `POST /login`: a session for an email address and a password. */

import { INTEGER, STRING } from '../../../domain/json-schema.ts'
import {
  checkPassword,
  checkSecondFactor,
  SECOND_STEP_ERRORS,
  WHOLE_LOGIN_PARAMS,
} from '../../check-password.ts'
import { openCheckedSession } from '../../log-in-session.ts'
import { operation } from '../../operation.ts'

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
  errors: ['PASSWORD_INCORRECT', ...SECOND_STEP_ERRORS],
  events: ['login_sessions_changed', 'realm_user/update'],
  async run({ params, visit, userAgent, services, fail }) {
    const checked = await checkPassword(services, visit, params, fail)
    await checkSecondFactor(services, checked, params.otp_token, fail)
    await openCheckedSession(services, visit, { ...checked, userAgent }, fail)
    const { email, id } = checked.user
    return { email, user_id: id }
  },
})
