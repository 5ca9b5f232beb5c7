/** `POST /messages/flags`: sets or takes back a flag of messages. */

import { readFlaggedMessages } from '../../../../db/flagged-messages.ts'
import type { MessageId } from '../../../domain/ids.ts'
import { FLAGGED_PER_CALL_MAX } from '../../../domain/limits.ts'
import type { OrganizationState } from '../../../state/organization-state.ts'
import { changeFlags, channelIdsOf } from '../../../changes/flags/change-flags.ts'
import { canReadMessage } from '../../../decisions/messages/message-access.ts'
import { FLAG_ERRORS, FLAG_PARAMS, readFlag } from './flag-params.ts'
import { operation } from '../../operation.ts'
import { id, list, required } from '../../params.ts'
import { arrayOf, INTEGER } from '../../../domain/json-schema.ts'

export const updateFlags = operation({
  method: 'POST',
  path: '/messages/flags',
  summary: 'Update personal message flags',
  description:
    'Sets or takes back a flag of messages that the user may read. Messages of channels that the user is not ' +
    'subscribed to do not become unread.',
  access: 'user',
  params: {
    messages: required(list(id<MessageId>(), { lengthMax: FLAGGED_PER_CALL_MAX }), 'The messages.'),
    ...FLAG_PARAMS,
  },
  reply: {
    messages: { schema: arrayOf(INTEGER), description: 'The messages that are now as was asked.' },
    ignored_because_not_subscribed_channels: {
      schema: arrayOf(INTEGER),
      description: 'The channels whose messages were left as they are.',
    },
  },
  errors: ['MESSAGE_UNKNOWN', ...FLAG_ERRORS],
  events: ['update_message_flags'],
  async run({ params, user, services, fail }) {
    const { state, sql } = services
    const change = { op: params.op, flag: readFlag(params.flag, fail) }
    const ids = [...new Set(params.messages)]
    const found = await readFlaggedMessages(sql, ids, user.id)
    const check = (now: OrganizationState) => {
      const own = now.getUser(user.id)
      const isReadable = (one: (typeof found)[number]) =>
        one.message.id <= now.appliedId && canReadMessage(own, one, now)
      if (found.length < ids.length || !found.every(isReadable)) throw fail('MESSAGE_UNKNOWN')
    }
    check(state)
    const messages = found.map(({ message }) => message)
    const { ignored } = await changeFlags(messages, change, user.id, services, check)
    const ignoredIds = new Set(ignored.map((message) => message.id))
    return {
      messages: params.messages.filter((one) => !ignoredIds.has(one)),
      ignored_because_not_subscribed_channels: channelIdsOf(ignored),
    }
  },
})
