/** `POST /messages/flags`: adds or removes a flag of messages. */

import { readFlaggedMessages } from '../../../../db/unread/flagged-messages.ts'
import type { MessageId } from '../../../domain/ids.ts'
import { FLAGGED_PER_CALL_MAX } from '../../../domain/limits.ts'
import { changeFlagsOfReadable, channelIdsOf } from '../../../changes/flags/change-flags.ts'
import { checkReadable } from '../../../decisions/flags/change-flags.ts'
import { FLAG_ERRORS, FLAG_PARAMS, readFlag } from './flag-params.ts'
import { scopeOfCall } from '../../call-scope.ts'
import { operation } from '../../operation.ts'
import { id, list, required } from '../../params.ts'
import { arrayOf, INTEGER } from '../../../domain/json-schema.ts'

export const updateFlags = operation({
  method: 'POST',
  path: '/messages/flags',
  summary: 'Update personal message flags',
  description:
    'Adds or removes a flag of messages that the user can read. Messages of channels without a subscription ' +
    'cannot become unread.',
  access: 'user',
  params: {
    messages: required(list(id<MessageId>(), { lengthMax: FLAGGED_PER_CALL_MAX }), 'The messages.'),
    ...FLAG_PARAMS,
  },
  reply: {
    messages: { schema: arrayOf(INTEGER), description: 'The messages that have the requested state now.' },
    ignored_because_not_subscribed_channels: {
      schema: arrayOf(INTEGER),
      description: 'Channels whose messages were not changed.',
    },
  },
  errors: ['MESSAGE_UNKNOWN', ...FLAG_ERRORS],
  events: ['update_message_flags'],
  async run(call) {
    const { params, user, services, fail } = call
    const change = { op: params.op, flag: readFlag(params.flag, fail) }
    const ids = [...new Set(params.messages)]
    const found = await readFlaggedMessages(services.sql, ids, user.id)
    if (found.length < ids.length) throw fail('MESSAGE_UNKNOWN')
    checkReadable(scopeOfCall(call), found)
    const { ignored } = await changeFlagsOfReadable(services, user.id, change, found)
    const ignoredIds = new Set(ignored.map((message) => message.id))
    return {
      messages: params.messages.filter((one) => !ignoredIds.has(one)),
      ignored_because_not_subscribed_channels: channelIdsOf(ignored),
    }
  },
})
