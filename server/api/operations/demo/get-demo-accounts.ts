/** `GET /demo_accounts`: the accounts of the demo, for the holder of its link. */

import { arrayOf, INTEGER, record, STRING } from '../../../domain/json-schema.ts'
import { operation } from '../../operation.ts'
import { DEMO_PARAMS, findDemoUsers } from './demo-token.ts'

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
