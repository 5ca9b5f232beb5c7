/** `POST /fetch_api_key`: an API key for an email address and a password. */

import { isLoginAddress, storeLoginAddress } from '../../../../db/login-addresses.ts'
import { findPasswordHash } from '../../../../db/users.ts'
import { EMAIL_LENGTH_MAX, PASSWORD_LENGTH_MAX } from '../../../domain/limits.ts'
import type { UserId } from '../../../domain/ids.ts'
import { logIn } from '../../../changes/users/log-in.ts'
import { operation } from '../../operation.ts'
import { required, text } from '../../params.ts'
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
  params: {
    username: required(
      text({ lengthMax: EMAIL_LENGTH_MAX, trim: true }),
      'The email address of the account.',
    ),
    password: required(text({ lengthMax: PASSWORD_LENGTH_MAX }), 'Its password.'),
  },
  reply: API_KEY_REPLY,
  errors: ['PASSWORD_INCORRECT'],
  events: ['api_keys_changed', 'realm_user/update'],
  async run({ params: { username, password }, visit, services, fail }) {
    const { sql, state, passwords, clock } = services
    const user = state.findUserByEmail(username)
    // An unknown account gets a look-up, too, with an unused id, so that it takes as long.
    const id = user?.id ?? (0 as UserId)
    const { address } = visit
    // Guesses from other addresses do not lock users out of addresses that they have used.
    if (!(await isLoginAddress(sql, id, address))) visit.countAccount(username)
    const hash = await findPasswordHash(sql, id)
    const isRight = await passwords.verify(password, hash)
    if (!user || !isRight) throw fail('PASSWORD_INCORRECT')
    if (!state.getUser(user.id).isActive) throw fail('ACCOUNT_DEACTIVATED')
    const key = await logIn(services, user.id)
    await storeLoginAddress(sql, user.id, address, clock.nowMs())
    return { api_key: key, email: user.email, user_id: user.id }
  },
})
