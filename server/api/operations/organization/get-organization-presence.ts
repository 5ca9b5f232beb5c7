/** `GET /realm/presence`: the users who were present in the last 14 days. */

import { EncodedField, EncodedReply, operation } from '../../operation.ts'
import { NUMBER } from '../../../domain/json-schema.ts'
import { PRESENCES } from '../../../views/presence-view.ts'

const END = Buffer.from('}}')

export const getOrganizationPresence = operation({
  method: 'GET',
  path: '/realm/presence',
  summary: 'Get presence of all users',
  description: 'When each person was last there, by email address. Bots are not listed.',
  access: 'user',
  params: {},
  reply: {
    server_timestamp: { schema: NUMBER, description: 'UNIX seconds of the reply.' },
    presences: { schema: PRESENCES, description: 'By email address, the same data twice.' },
  },
  errors: [],
  events: [],
  run({ user, services: { state, presences, clock } }) {
    if (state.sight.of(user.id)) {
      const seen = presences.encode({ isLegacy: true }, user.id)
      return { server_timestamp: clock.nowMs() / 1000, presences: new EncodedField([seen]) }
    }
    // Always as long, so that what follows stays where it is.
    const now = (clock.nowMs() / 1000).toFixed(3)
    const start = Buffer.from(`{"result":"success","msg":"","server_timestamp":${now},"presences":{`)
    return new EncodedReply(presences.encodeEveryoneBetween(start, END))
  },
})
