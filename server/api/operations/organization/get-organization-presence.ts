/** `GET /realm/presence`: the users who were active in the last 14 days. */

import { EncodedField, EncodedReply, operation } from '../../operation.ts'
import { NUMBER } from '../../../domain/json-schema.ts'
import { PRESENCES } from '../../../views/presence-view.ts'

const END = Buffer.from('}}')

export const getOrganizationPresence = operation({
  method: 'GET',
  path: '/realm/presence',
  summary: 'Get presence of all users',
  description: 'The last activity of each user, by email address, without bots.',
  access: 'user',
  params: {},
  reply: {
    server_timestamp: { schema: NUMBER, description: 'UNIX seconds of the reply.' },
    presences: {
      schema: PRESENCES,
      description: 'The presences by email address, each in two forms with the same data.',
    },
  },
  errors: [],
  events: [],
  run({ user, services: { state, presences, clock } }) {
    if (state.userVisibility.of(user.id)) {
      const seen = presences.encode({ isLegacy: true }, user.id)
      return { server_timestamp: clock.nowMs() / 1000, presences: new EncodedField([seen]) }
    }
    // The length is constant, so that the following bytes keep their position.
    const now = (clock.nowMs() / 1000).toFixed(3)
    const start = Buffer.from(`{"result":"success","msg":"","server_timestamp":${now},"presences":{`)
    return new EncodedReply(presences.encodeEveryoneBetween(start, END))
  },
})
