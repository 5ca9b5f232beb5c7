/** `GET /scheduled_messages`: the caller's scheduled messages. */

import { readScheduled } from '../../../../db/messages/scheduled-messages.ts'
import { SCHEDULED_MESSAGE, viewScheduledMessage } from '../../../views/scheduled-message-view.ts'
import { operation } from '../../operation.ts'
import { arrayOf } from '../../../domain/json-schema.ts'

export const getScheduledMessages = operation({
  method: 'GET',
  path: '/scheduled_messages',
  summary: 'Get scheduled messages',
  access: 'user',
  params: {},
  reply: {
    scheduled_messages: {
      schema: arrayOf(SCHEDULED_MESSAGE),
      description: 'The pending messages, and those that failed, by their time.',
    },
  },
  errors: [],
  events: [],
  async run({ user, services: { sql, state } }) {
    return {
      scheduled_messages: (await readScheduled(sql, user.id, state.appliedId)).map(viewScheduledMessage),
    }
  },
})
