/** Steps of the client's state that need no server. */

import t from 'tap'
import type { DraftEntry } from '../../../client/store/drafts/draft-entry.ts'
import { mergeDrafts } from '../../../client/store/drafts/merge-drafts.ts'
import { mayEnter } from '../../../client/store/messages/may-enter.ts'
import { type Narrow, ofTopic, term } from '../../../client/store/narrows/narrow.ts'
import { Outbox } from '../../../client/store/outbox/outbox.ts'
import type { OutboxEntry } from '../../../client/store/outbox/stored-entry.ts'
import type { Draft, Event, Message } from '../../../packages/client/src/wire-types.ts'

t.test('[STORE120] a moved message enters narrows of its new place, never those of direct messages', (t) => {
  const moved = { type: 'update_message', stream_id: 1, subject: 'new', flags: [] } as unknown as Event
  const enters = (...narrow: Narrow) => mayEnter(narrow, moved)
  t.ok(enters(...ofTopic(1, 'New')))
  t.notOk(enters(...ofTopic(2, 'new')))
  t.notOk(enters(...ofTopic(1, 'old')))
  t.ok(enters(term('channel', 1), term('sender', 4)))
  t.notOk(enters(term('channel', 1), term('dm-including', [4])))
  t.notOk(enters(term('topic', 'new'), term('dm', [4])))
  t.end()
})

t.test('[STORE121] an event with an own earlier text leaves a draft as it is by now', (t) => {
  const draft = { id: 7, type: 'stream', to: [1], topic: 'a', content: 'half', timestamp: 1 } as const
  const entry: DraftEntry = {
    place: { type: 'channel', channelId: 1, topic: 'a' },
    topic: '',
    content: 'half a sentence',
    editedAtMs: 2_000,
    serverId: 7,
    isSaved: true,
  }
  const merge = (isOwnEcho: boolean) =>
    mergeDrafts(new Map([['key', entry]]), [draft as Draft], {
      wasThere: () => true,
      isBeingMade: () => false,
      isOwnEcho: () => isOwnEcho,
    })
  t.same([...merge(true)], [])
  t.match(merge(false).get('key'), { content: 'half' }, 'that of another device counts')
  t.end()
})

t.test('[STORE122] of two messages to one place a message that has arrived hides one', async (t) => {
  const entry = (localId: string, typedAtMs: number): OutboxEntry => ({
    to: { type: 'channel', channelId: 1, topic: 'a' },
    content: 'yes',
    queueId: 'former',
    localId,
    typedAtMs,
    triedAtMs: typedAtMs,
    afterId: 10,
    phase: { name: 'waiting' },
  })
  const stored = [entry('first', 1), entry('second', 2)]
  const outbox = new Outbox({
    storage: { load: async () => stored, put: async () => undefined, remove: async () => undefined },
    send: () => new Promise(() => undefined),
    queueId: () => 'queue',
    nowMs: () => 3,
    newId: () => 'id',
  })
  void outbox.run(new AbortController().signal)
  await new Promise<void>((resolve) => {
    outbox.entries.subscribe((entries) => entries.length === 2 && resolve())
  })
  const message = (id: number) =>
    ({ id, type: 'stream', stream_id: 1, subject: 'a', sender_id: 4, flags: [] }) as unknown as Message
  const shown = (...ids: number[]) =>
    outbox.shownIn(ofTopic(1, 'a'), ids.map(message), 4).map(({ localId }) => localId)
  t.same(shown(), ['first', 'second'])
  t.same(shown(10), ['first', 'second'], 'it is older')
  t.same(shown(11), ['second'])
  t.same(shown(11, 12), [])
})
