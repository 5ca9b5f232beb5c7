/** `GET /dev_list_users`: whose keys can be had without a password, where the operator allows that. */

import { isAdministrator } from '../../../domain/channel-access.ts'
import type { User } from '../../../domain/entities.ts'
import { operation } from '../../operation.ts'
import { arrayOf, record, STRING } from '../../../domain/json-schema.ts'

/** Users listed, the first by id: a client shows them as buttons. */
const USERS_LISTED_MAX = 100

const USERS = arrayOf(record({ email: STRING, full_name: STRING, realm_url: STRING, realm_uri: STRING }))

export const listDevelopmentUsers = operation({
  method: 'GET',
  path: '/dev_list_users',
  summary: 'List the users of a development server',
  description:
    'For development servers: it is there only where the operator sets `DEVELOPMENT_LOGINS=on`. The first people by ' +
    'their ids, as a client offers them to log in without a password.',
  access: 'anyone',
  params: {},
  reply: {
    direct_admins: { schema: USERS, description: 'Administrators and owners.' },
    direct_users: { schema: USERS, description: 'The others.' },
  },
  errors: [],
  events: [],
  run({ services: { state, publicUrl } }) {
    const people = [...state.users.values()]
      .filter(({ isActive, botType }) => isActive && botType === null)
      .slice(0, USERS_LISTED_MAX)
    const view = ({ email, fullName }: User) => {
      return { email, full_name: fullName, realm_url: publicUrl, realm_uri: publicUrl }
    }
    return {
      direct_admins: people.filter(isAdministrator).map(view),
      direct_users: people.filter((user) => !isAdministrator(user)).map(view),
    }
  },
})
