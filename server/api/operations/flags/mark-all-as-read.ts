/** `POST /mark_all_as_read`: everything that was sent so far becomes read. */

import { hasUnread } from '../../../../db/unread.ts'
import { flagsEvent } from '../../../changes/flags/change-flags.ts'
import { operation } from '../../operation.ts'
import { BOOLEAN } from '../../../domain/json-schema.ts'

export const markAllAsRead = operation({
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
  async run({ user, services: { sql, state, committer } }) {
    if (await hasUnread(sql, user.id, state.appliedId)) {
      const event = {
        type: 'update_message_flags',
        userId: user.id,
        op: 'add',
        flag: 'read',
        messages: [],
        isAll: true,
      } as const
      await committer.submit({
        kind: 'structure',
        decide: () => ({ events: [flagsEvent(event)], reply: () => undefined }),
      })
    }
    return { complete: true }
  },
})
