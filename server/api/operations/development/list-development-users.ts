/** `GET /dev_list_users`: the users whose keys need no password, if the operator enables it. */

import { isAdministrator } from '../../../domain/channels/channel-access.ts'
import type { User } from '../../../domain/entities.ts'
import { operation } from '../../operation.ts'
import { viewAddress } from '../../registration/address.ts'
import { arrayOf, record, STRING } from '../../../domain/json-schema.ts'

/** Listed users, the first by id: clients show them as buttons. */
const USERS_LISTED_MAX = 100

const USERS = arrayOf(record({ email: STRING, full_name: STRING, realm_url: STRING, realm_uri: STRING }))

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
