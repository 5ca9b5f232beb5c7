/** Views whose fields are easily confused. */

import t from 'tap'
import type { EventId, MessageId, UploadId, UserId } from '../../server/domain/ids.ts'
import { viewAttachment } from '../../server/views/attachment-view.ts'
import type { EventContext } from '../../server/events/view.ts'
import { EVENTS } from '../../server/events/table.ts'
import { viewUnread } from '../../server/views/unread-view.ts'

t.test('[PLAINVIEW1] an attachment lists when each message was sent, not when the file came', (t) => {
  const upload = {
    id: 1 as UploadId,
    ownerId: 4 as UserId,
    name: 'a.txt',
    path: '1/a/b/a.txt',
    size: 3,
    createdAt: 1_000.5,
  }
  const shown = viewAttachment(upload as never, [{ id: 7 as MessageId, sentAt: 2_000 }] as never)
  t.match(shown, { create_time: 1_000, messages: [{ id: 7, date_sent: 2_000 }], message_ids: [7] })
  t.end()
})

t.test('[PLAINVIEW2] messages of several places whose flag changes are listed by id', (t) => {
  const messages = [[5, 9], [3, 12], [4]].map((messageIds) => ({ place: 0, messageIds }))
  const event = { type: 'update_message_flags', userId: 4, op: 'add', flag: 'read', messages }
  const context = { id: 1, options: { allowEmptyTopic: true } } as EventContext
  const shown = JSON.parse(EVENTS.update_message_flags.view?.encode(event as never, context, '"op":1') ?? '')
  t.same(shown.messages, [3, 4, 5, 9, 12])
  t.end()
})

t.test('[PLAINVIEW3] unread messages of a topic are one group in any case of its name', (t) => {
  const unread = ['Tea', 'tea', 'TEA'].map((topic, index) => ({
    id: (index + 1) as number as EventId & MessageId,
    channelId: 1,
    topic,
    userIds: null,
    isMentioned: index === 1,
  }))
  const { streams, mentions, count } = viewUnread(unread as never, 4 as UserId, true)
  t.same(streams, [{ stream_id: 1, topic: 'Tea', unread_message_ids: [1, 2, 3] }])
  t.same([mentions, count], [[2], 3])
  t.end()
})
