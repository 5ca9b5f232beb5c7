/** `POST /fetch_api_key`: an API key for an email address and a password. */

import { logIn } from '../../../changes/users/log-in.ts'
import { checkPassword, PASSWORD_LOGIN_PARAMS } from '../../check-password.ts'
import { operation } from '../../operation.ts'
import { INTEGER, STRING } from '../../../domain/json-schema.ts'

/** The reply of a log-in. */
export const API_KEY_REPLY = {
  api_key: { schema: STRING, description: 'The key, 32 letters and digits.' },
  email: { schema: STRING, description: 'The email address, as the user name of later requests.' },
  user_id: { schema: INTEGER, description: 'The id of the user.' },
}

export const fetchApiKey = operation({
  method: 'POST',
  path: '/fetch_api_key',
  summary: 'Fetch an API key',
  description:
    'Returns a new API key for an account. Keys are stored as hashes, so each call creates a new one. Earlier ' +
    'keys stay valid until the account has 100 newer ones or regenerates its key. The first call completes an ' +
    'account that an administrator created. Attempts are also counted per account, over all addresses from ' +
    'which its user has not logged in before.',
  access: 'anyone',
  isLogin: true,
  params: PASSWORD_LOGIN_PARAMS,
  reply: API_KEY_REPLY,
  errors: ['PASSWORD_INCORRECT'],
  events: ['api_keys_changed', 'realm_user/update'],
  async run({ params, visit, services, fail }) {
    const { user } = await checkPassword(services, visit, params, fail)
    return { api_key: await logIn(services, user.id), email: user.email, user_id: user.id }
  },
})
