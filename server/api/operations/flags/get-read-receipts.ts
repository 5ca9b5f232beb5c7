/** `GET /messages/{message_id}/read_receipts`: the users who have read a message. */

import { findUsersWhoRead } from '../../../../db/unread/flag-holders.ts'
import type { MessageId } from '../../../domain/ids.ts'
import { findMessage } from '../../../changes/messages/find-message.ts'
import { operation } from '../../operation.ts'
import { id, required } from '../../params.ts'
import { arrayOf, INTEGER } from '../../../domain/json-schema.ts'

export const getReadReceipts = operation({
  method: 'GET',
  path: '/messages/{message_id}/read_receipts',
  summary: "Get a message's read receipts",
  description:
    'The recipients who have read the message, without its sender, users who do not share read receipts, ' +
    'deactivated users, and users who have muted the caller or whom the caller has muted.',
  access: 'user',
  params: { message_id: required(id<MessageId>(), 'The message.') },
  reply: { user_ids: { schema: arrayOf(INTEGER), description: 'The users, ascending.' } },
  errors: ['MESSAGE_UNKNOWN', 'READ_RECEIPTS_DISABLED'],
  events: [],
  async run({ params, user, services, fail }) {
    const { state, sql } = services
    if (!state.settings.hasReadReceipts) throw fail('READ_RECEIPTS_DISABLED')
    const found = await findMessage(params.message_id, user, services)
    if (!found) throw fail('MESSAGE_UNKNOWN')
    const ids = await findUsersWhoRead(sql, found.message.id)
    const isShared = (userId: (typeof ids)[number]) =>
      state.users.get(userId)?.isActive === true &&
      state.settingsOf(userId).sendsReadReceipts &&
      !state.mutes.mutersOf.get(userId)?.has(user.id) &&
      !state.mutes.mutersOf.get(user.id)?.has(userId)
    return { user_ids: ids.filter(isShared) }
  },
})
