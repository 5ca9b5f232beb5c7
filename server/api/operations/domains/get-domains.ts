/** `GET /realm/domains`. */

import { EMAIL_DOMAIN, viewEmailDomain } from '../../../views/organization-lists-view.ts'
import { operation } from '../../operation.ts'
import { arrayOf } from '../../../domain/json-schema.ts'

export const getDomains = operation({
  method: 'GET',
  path: '/realm/domains',
  summary: 'Get allowed domains',
  access: 'user',
  params: {},
  reply: {
    domains: { schema: arrayOf(EMAIL_DOMAIN), description: 'All domains, in the order of their creation.' },
  },
  errors: [],
  events: [],
  run: ({ services: { state } }) => ({ domains: state.emailDomains.map(viewEmailDomain) }),
})
