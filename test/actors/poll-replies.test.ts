/** Replies that several polls share: each contains its own queue. */

import t from 'tap'
import { PollReplies } from '../../server/actors/poll-replies.ts'
import type { QueueId } from '../../server/domain/ids.ts'

const first = '00000000-0000-4000-8000-000000000001' as QueueId
const second = '00000000-0000-4000-8000-000000000002' as QueueId

t.test('[POLLR1] a shared reply names the queue that it is for', async (t) => {
  const replies = new PollReplies()
  const encode = (queueId: QueueId, ...events: string[]) =>
    JSON.parse(replies.encode(queueId, events).toString()) as Record<string, unknown>
  const event = '{"id":1,"content":"ä 😀"}'
  const expected = (queueId: string, ...events: string[]) => ({
    result: 'success',
    msg: '',
    events: events.map((one) => JSON.parse(one) as unknown),
    queue_id: queueId,
  })
  t.same(encode(first, event), expected(first, event))
  t.same(encode(second, event), expected(second, event))
  t.same(encode(first, event, event), expected(first, event, event), 'more events')
  t.same(encode(second, event, '{"id":2}'), expected(second, event, '{"id":2}'), 'others')
  t.same(encode('short' as QueueId, event, '{"id":2}'), expected('short', event, '{"id":2}'), 'a shorter id')
  t.same(encode(first, event, '{"id":2}'), expected(first, event, '{"id":2}'))
})
