/** The timeline: a window on the end of the log with bounded memory. */

import t from 'tap'
import { Timeline, type TimelineEntry, Encodings } from '../../server/actors/timeline.ts'
import type { MessageSent } from '../../server/domain/events/messages.ts'
import type { ChannelId, EventId, UserId } from '../../server/domain/ids.ts'
import { UserSet } from '../../server/domain/users/user-set.ts'
import { retainedBytes } from '../harness/servers/retained-bytes.ts'
import { makeEntry } from '../log/make-entry.ts'

function place(id: number, event: Partial<MessageSent> = {}): TimelineEntry {
  return {
    ...makeEntry(id, {}, event),
    wireType: 'message',
    recipients: UserSet.empty,
    isPublicMessage: true,
    encodings: new Encodings(),
  }
}

const idsAfter = (timeline: Timeline, id: number) =>
  [...timeline.after(id as EventId)].map((entry) => entry.id)

t.test('[TIME1] the timeline holds the newest entries, up to its bound', async (t) => {
  const timeline = new Timeline(100 as EventId, 8)
  for (let id = 101; id <= 150; id++) {
    timeline.push(place(id), 0)
    t.equal(timeline.lastId, id)
    t.equal(timeline.startId, Math.max(100, id - 8))
    t.same(
      idsAfter(timeline, timeline.startId),
      Array.from({ length: Math.min(8, id - 100) }, (_, index) => timeline.startId + index + 1),
    )
  }
  t.same(idsAfter(timeline, 148), [149, 150])
  t.same(idsAfter(timeline, 150), [])
})

t.test('[TIME2] reading entries that were dropped is refused, not skipped', async (t) => {
  const timeline = new Timeline(0 as EventId, 2)
  for (let id = 1; id <= 5; id++) timeline.push(place(id), 0)
  t.throws(() => idsAfter(timeline, 2), { message: 'the timeline starts after 3, not 2' })
})

t.test('[TIME3] an entry out of sequence is refused', async (t) => {
  const timeline = new Timeline(0 as EventId)
  t.throws(() => timeline.push(place(2), 0), { message: 'entry 2 does not follow 0' })
})

t.test('[TIME4] long texts push out more entries than short ones', async (t) => {
  const timeline = new Timeline(0 as EventId, 1_000, 20_000)
  for (let id = 1; id <= 10; id++) timeline.push(place(id, { content: 'x'.repeat(9_000), rendered: '' }), 0)
  t.same(idsAfter(timeline, timeline.startId), [9, 10])
  timeline.push(place(11, { content: 'x'.repeat(30_000) }), 0)
  t.same(idsAfter(timeline, 11), [])
  t.equal(timeline.startId, 11, 'one that exceeds the bound alone is not cached')
  timeline.push(place(12), 0)
  t.same(idsAfter(timeline, 11), [12])
})

t.test('[TIME5] encodings count towards the bound, and are dropped if there is no room', async (t) => {
  const timeline = new Timeline(0 as EventId, 1_000, 8_000)
  const [first, second] = [place(1), place(2)]
  timeline.push(first, 0)
  timeline.push(second, 0)
  first.encodings.set(1, 'x'.repeat(5_000))
  second.encodings.set(1, 'x'.repeat(5_000))
  t.equal(first.encodings.get(1)?.length, 5_000)
  t.equal(second.encodings.get(1), undefined)
  for (let id = 3; id <= 4; id++) timeline.push(place(id), 0)
  t.equal(timeline.startId, 1, 'the first, with its encoding, gave way')
  second.encodings.set(1, 'x'.repeat(4_500))
  t.equal(second.encodings.get(1)?.length, 4_500, 'there is room again')
})

t.test('[TIME10] the pieces of a joined encoding are freed', async (t) => {
  const pieces = Array.from({ length: 100 }, (_, index) => `${index},`)
  const encodings: Encodings[] = []
  const take = () => {
    // The first thousands get the method compiled: an optimized-away reference stays away.
    for (let count = 0; count < 20_000; count++) {
      const one = new Encodings()
      let text = `event ${count}:`
      for (const piece of pieces) text += piece
      one.set(1, text)
      if (count >= 10_000) encodings.push(one)
    }
    return encodings
  }
  const length = pieces.join('').length
  const bytes = (await retainedBytes(take)) / 10_000
  t.ok(bytes < length + 1_000, `${bytes} bytes for ${length} characters`)
})

t.test('[TIME6] an event that names many objects counts by their number', async (t) => {
  const timeline = new Timeline(0 as EventId, 1_000, 25_000)
  const userIds = Array.from({ length: 2_000 }, (_, index) => (index + 1_000) as UserId)
  for (let id = 1; id <= 10; id++) {
    const event = { type: 'subscription/peer_add', channelIds: [1 as ChannelId], userIds } as const
    timeline.push({ ...place(id), event }, 0)
  }
  t.same(idsAfter(timeline, timeline.startId), [9, 10])
})

t.test('[TIME7] mentioned users count towards the bound, since a group may be large', async (t) => {
  const timeline = new Timeline(0 as EventId, 1_000, 100_000)
  const mentions = Array.from({ length: 1_000 }, (_, index) => [(index + 1) as UserId, 8] as const)
  for (let id = 1; id <= 10; id++) timeline.push(place(id, { mentions }), 0)
  t.same(idsAfter(timeline, timeline.startId), [10])
})

t.test('[TIME8] a set of users counts once while it is unchanged', async (t) => {
  const everyone = UserSet.of(Array.from({ length: 80_000 }, (_, index) => (index + 1) as UserId))
  const timeline = new Timeline(0 as EventId, 1_000, 25_000)
  for (let id = 1; id <= 10; id++) timeline.push({ ...place(id), recipients: everyone }, 0)
  t.equal(timeline.startId, 0, 'all are held')
  for (let id = 11; id <= 20; id++) {
    const recipients = everyone.without([id as UserId])
    timeline.push({ ...place(id), recipients }, 0)
  }
  t.same(idsAfter(timeline, timeline.startId), [19, 20])
})

t.test('[TIME9] old entries are dropped, except for some thousand', async (t) => {
  const timeline = new Timeline(0 as EventId)
  const minute = 60_000
  for (let id = 1; id <= 1_000; id++) timeline.push(place(id), 0)
  timeline.push(place(1_001), 60 * minute)
  t.equal(timeline.startId, 0, 'few entries stay for hours')
  for (let id = 1_002; id <= 4_000; id++) timeline.push(place(id), 60 * minute + id)
  t.equal(timeline.startId, 1_001 - 1, 'of many, only new ones stay')
  for (let id = 4_001; id <= 8_000; id++) timeline.push(place(id), 70 * minute + id)
  t.equal(timeline.startId, 4_000)
})
