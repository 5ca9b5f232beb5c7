/** `POST /login/desktop`: a session of the desktop app, by a token of the system's browser. */

import { INTEGER, STRING } from '../../../domain/json-schema.ts'
import { redeemDesktopToken } from '../../log-in-app.ts'
import { operation } from '../../operation.ts'
import { required, text } from '../../params.ts'

const TOKEN_LENGTH_MAX = 100

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
  async run({ params: { token }, visit, userAgent, services, fail }) {
    const { email, id } = await redeemDesktopToken(services, visit, { token, userAgent }, fail)
    return { email, user_id: id }
  },
})
