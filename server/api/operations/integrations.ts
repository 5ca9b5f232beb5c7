/** `GET /integrations`: the systems whose webhooks become messages. */

import { arrayOf, record, STRING } from '../../domain/json-schema.ts'
import { INTEGRATIONS } from '../../integrations/table.ts'
import { operation } from '../operation.ts'

const INTEGRATION = record({ name: STRING, title: STRING, events: arrayOf(STRING) })

export const getIntegrations = operation({
  method: 'GET',
  path: '/integrations',
  summary: 'Get the integrations',
  description: 'The systems whose webhooks `POST /external/{integration_name}` turns into messages.',
  access: 'user',
  params: {},
  reply: {
    integrations: {
      schema: arrayOf(INTEGRATION),
      description:
        'By name: the last part of its address, the name of the system for people, and the events that filters may name.',
    },
  },
  errors: [],
  events: [],
  run: () => ({
    integrations: [...INTEGRATIONS.values()].map(({ name, title, events }) => ({
      name,
      title,
      events: [...events],
    })),
  }),
})
