/** `POST /mark_all_as_read`: marks all messages as read. */

import { hasUnread } from '../../../../db/unread/unread.ts'
import { decideAllRead } from '../../../decisions/flags/change-flags.ts'
import { change } from '../../change-operation.ts'
import { BOOLEAN } from '../../../domain/json-schema.ts'

export const markAllAsRead = change({
  method: 'POST',
  path: '/mark_all_as_read',
  summary: 'Mark all messages as read',
  description: 'Marks all messages that the user has received as read.',
  access: 'user',
  isDeprecated: true,
  params: {},
  reply: { complete: { schema: BOOLEAN, description: 'Whether all messages are read: always true.' } },
  errors: [],
  events: ['update_message_flags'],
  prepare: async ({ user, services: { sql, state } }) => ({
    hasUnread: await hasUnread(sql, user.id, state.appliedId),
  }),
  decide: decideAllRead,
  answer: () => ({ complete: true }),
})
