/** Log-ins without a password, for development alone. */

import { isAdministrator } from '../../../packages/rules/roles.ts'
import type { User } from '../../domain/entities.ts'
import { operation } from '../operation.ts'
import { viewAddress } from '../registration/address.ts'
import { arrayOf, record, STRING } from '../../domain/json-schema.ts'
import { EMAIL_LENGTH_MAX } from '../../domain/limits.ts'
import { logIn } from '../../changes/users/log-in.ts'
import { openSession } from '../log-in-session.ts'
import { required, text } from '../params.ts'
import { API_KEY_REPLY } from './users/api-keys.ts'

/** Listed users, the first by id: clients show them as buttons. */
const USERS_LISTED_MAX = 100

const USERS = arrayOf(record({ email: STRING, full_name: STRING, realm_url: STRING, realm_uri: STRING }))

/** `GET /dev_list_users`: the users whose keys need no password, if the operator enables it. */
export const listDevelopmentUsers = operation({
  method: 'GET',
  path: '/dev_list_users',
  summary: 'List the users of a development server',
  description:
    'For development servers: exists only if the operator sets `DEVELOPMENT_LOGINS=on`. Returns the first ' +
    'users by id, for clients that offer log-in without a password.',
  access: 'anyone',
  params: {},
  reply: {
    direct_admins: { schema: USERS, description: 'Administrators and owners.' },
    direct_users: { schema: USERS, description: 'All other users.' },
  },
  errors: [],
  events: [],
  run({ services: { state, publicUrl } }) {
    const people = [...state.users.values()]
      .filter(({ isActive, botType }) => isActive && botType === null)
      .slice(0, USERS_LISTED_MAX)
    const view = ({ email, fullName }: User) => {
      return { email, full_name: fullName, ...viewAddress(publicUrl) }
    }
    return {
      direct_admins: people.filter(isAdministrator).map(view),
      direct_users: people.filter((user) => !isAdministrator(user)).map(view),
    }
  },
})

/** `POST /dev_fetch_api_key`: an API key for an email address alone, if the operator enables it. */
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
  async run({ params: { username }, exchange, userAgent, services, fail }) {
    const user = services.state.findUserByEmail(username)
    if (!user || user.isSystem) throw fail('PASSWORD_INCORRECT')
    if (!user.isActive) throw fail('ACCOUNT_DEACTIVATED')
    const key = await logIn(services, user.id)
    if (key === undefined) throw fail('ACCOUNT_DEACTIVATED')
    await openSession(services, exchange, user, { userAgent })
    return { api_key: key, email: user.email, user_id: user.id }
  },
})
