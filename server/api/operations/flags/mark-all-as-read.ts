/** `POST /mark_all_as_read`: everything that was sent so far becomes read. */

import { hasUnread } from '../../../../db/unread.ts'
import { decideAllRead } from '../../../decisions/flags/change-flags.ts'
import { change } from '../../change-operation.ts'
import { BOOLEAN } from '../../../domain/json-schema.ts'

export const markAllAsRead = change({
  method: 'POST',
  path: '/mark_all_as_read',
  summary: 'Mark all messages as read',
  description: 'Everything that was sent to the user so far becomes read.',
  access: 'user',
  isDeprecated: true,
  params: {},
  reply: { complete: { schema: BOOLEAN, description: 'Whether all of them are read: always.' } },
  errors: [],
  events: ['update_message_flags'],
  prepare: async ({ user, services: { sql, state } }) => ({
    hasUnread: await hasUnread(sql, user.id, state.appliedId),
  }),
  decide: decideAllRead,
  answer: () => ({ complete: true }),
})
