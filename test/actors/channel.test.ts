/** The newest messages of all channels share one bound. */

import t from 'tap'
import { CHANNELS_BYTES_MAX } from '../../server/actors/channel.ts'
import type { Reaction } from '../../server/domain/entities.ts'
import { NEWEST } from '../../server/domain/messages/page-bounds.ts'
import type { ChannelId, EventId, MessageId, UserId } from '../../server/domain/ids.ts'
import type { LogEvent } from '../../server/domain/events.ts'
import type { MessageSent } from '../../server/domain/events/messages.ts'
import { messageOf } from '../../server/views/message-view.ts'
import { retainedBytes } from '../harness/servers/retained-bytes.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { makeEntry } from '../log/make-entry.ts'

await t.test('[RECENT1] messages sent to one channel push out the least read channels', async (t) => {
  const server = await startTestServer(t)
  await server.as('owner').subscribe(['quiet', 'loud'])
  const { channels, state } = server.node.services
  const [quiet, loud] = [1 as ChannelId, 2 as ChannelId]
  const held = await channels.messagesOf(quiet)
  await channels.messagesOf(loud)
  t.equal(await channels.messagesOf(quiet), held, 'cached')
  await channels.messagesOf(loud)
  const rendered = 'x'.repeat(1024 * 1024)
  for (let count = 1; count <= 50; count++) {
    channels.push(makeEntry(state.appliedId + count, {}, { channelId: loud, rendered }))
  }
  t.not(await channels.messagesOf(quiet), held, 'loaded again')
})

await t.test('[RECENT2] a reaction that was read from the database is not added twice', async (t) => {
  const server = await startTestServer(t)
  const owner = server.as('owner')
  await owner.subscribe(['town'])
  const messageId = (await owner.send('town', 'x', 'hello')) as MessageId
  const { channels, state } = server.node.services
  const channelId = 1 as ChannelId
  const given = (emojiName: string, emojiCode: string): Reaction => ({
    emojiName,
    emojiCode,
    reactionType: 'unicode_emoji',
    userId: 1 as UserId,
  })
  const [smile, heart] = [given('smile', '1f642'), given('heart', '2764')]
  await owner.must('POST', `/messages/${messageId}/reactions`, { emoji_name: 'smile' })
  const held = await channels.messagesOf(channelId)
  const push = (type: 'reaction/add' | 'reaction/remove', reaction: Reaction, id = messageId) => {
    const event = { type, channelId, messageId: id, ...reaction }
    channels.push({ id: state.appliedId, event, audience: { kind: 'nobody' } })
  }
  const options = { applyMarkdown: true, clientGravatar: true, allowEmptyTopic: true }
  const bounds = { anchor: NEWEST, before: 1, after: 0, isAnchorIncluded: true, topic: undefined }
  const query = { ...bounds, asOf: state.appliedId, options, flagsOf: () => 0 }
  const reactions = (): string[] => {
    const { messages } = JSON.parse(String(channels.readPage(channelId, query)))
    return messages[0].reactions.map((one: { emoji_name: string }) => one.emoji_name)
  }
  push('reaction/add', smile)
  t.same(reactions(), ['smile'])
  const before = held.bytes
  push('reaction/add', heart)
  t.same(reactions(), ['smile', 'heart'])
  t.ok(held.bytes > before, 'they count in the shared bound')
  push('reaction/remove', heart)
  push('reaction/remove', heart)
  push('reaction/add', heart, (messageId + 1_000) as MessageId)
  t.same(reactions(), ['smile'])
  t.equal(held.bytes, before)
})

await t.test(
  '[RECENT3] encodings and pages count towards the bound and leave with their channel',
  async (t) => {
    const server = await startTestServer(t)
    const owner = server.as('owner')
    await owner.subscribe(['quiet', 'loud'])
    const content = 'x'.repeat(5_000)
    for (let count = 0; count < 10; count++) await owner.send('quiet', 'x', content)
    const { channels, state } = server.node.services
    await channels.messagesOf(1 as ChannelId)
    const before = channels.bytes
    const narrow = JSON.stringify([{ operator: 'channel', operand: 'quiet' }])
    const page = { narrow, anchor: 'newest', num_before: 10, num_after: 0 }
    await owner.must('GET', '/messages', { ...page, apply_markdown: true })
    await owner.must('GET', '/messages', { ...page, apply_markdown: false })
    const read = channels.bytes - before
    t.ok(read >= 4 * 10 * content.length, `${read} bytes for two forms of each message, and two pages`)
    await owner.must('GET', '/messages', { ...page, apply_markdown: false })
    t.equal(channels.bytes - before, read, 'existing ones are not counted twice')
    const loud = await channels.messagesOf(2 as ChannelId)
    const rendered = 'x'.repeat(1024 * 1024)
    for (let count = 1; count <= 60; count++) {
      channels.push(makeEntry(state.appliedId + count, {}, { channelId: 2 as ChannelId, rendered }))
      t.ok(channels.bytes <= CHANNELS_BYTES_MAX, `${channels.bytes} bytes`)
    }
    t.not(
      await channels.messagesOf(2 as ChannelId),
      loud,
      'an entry that exceeds the bound alone is not cached',
    )
    t.ok(channels.bytes < before, 'nothing else is cached')
  },
)

await t.test(
  '[RECENT5] the cache holds as many encodings as the longest page of the newest messages',
  async (t) => {
    const server = await startTestServer(t)
    await server.as('owner').subscribe(['read', 'unread'])
    const { channels } = server.node.services
    const [read, unread] = [1 as ChannelId, 2 as ChannelId]
    const [heldOfRead, heldOfUnread] = [await channels.messagesOf(read), await channels.messagesOf(unread)]
    let id = 1_000_000 // All encodings have the same length.
    const push = (channelId: ChannelId) => channels.push(makeEntry((id += 1), {}, { channelId }))
    const options = { applyMarkdown: true, clientGravatar: true, allowEmptyTopic: true }
    const bounds = { anchor: NEWEST, after: 0, isAnchorIncluded: true, topic: undefined }
    const readPage = (before: number) =>
      channels.readPage(read, { ...bounds, before, asOf: id as EventId, options, flagsOf: () => 0 })
    const encodedBytes = () => heldOfRead.bytes - heldOfUnread.bytes
    for (let count = 0; count < 10; count++) {
      push(unread)
      push(read)
    }
    t.equal(encodedBytes(), 0)
    readPage(1)
    const one = encodedBytes()
    t.ok(one > 0, 'an encoding counts')
    for (const length of [1, 5, 3]) {
      for (let count = 0; count < 200; count++) {
        push(unread)
        push(read)
        readPage(length)
      }
      t.equal(encodedBytes(), Math.max(length, length === 3 ? 5 : 0) * one, `pages of ${length}`)
    }
  },
)

await t.test('[RECENT6] blanks that are trimmed off a text do not stay in memory', async (t) => {
  const server = await startTestServer(t)
  const owner = server.as('owner')
  await owner.subscribe(['town'])
  await server.node.services.channels.messagesOf(1 as ChannelId)
  const blanks = ' '.repeat(150_000)
  const makers = {
    topic: (text: string) => owner.send('town', `${blanks}${text}`, 'hello'),
    draft: (text: string) =>
      owner.must('POST', '/drafts', {
        drafts: [{ type: '', to: [], topic: '', content: `${text}${blanks}` }],
      }),
  }
  for (const [name, make] of Object.entries(makers)) {
    await make('the first one loads what it needs')
    const bytes = await retainedBytes(async () => {
      for (let count = 0; count < 40; count++) await make(`a text of some length ${count}`)
    })
    t.ok(bytes < 15 * blanks.length, `${name}: ${bytes} bytes`)
  }
})

await t.test('[RECENT7] cached messages share no memory with their source', async (t) => {
  const server = await startTestServer(t)
  const owner = server.as('owner')
  await owner.subscribe(['town'])
  const { channels, state } = server.node.services
  await channels.messagesOf(1 as ChannelId)
  await owner.send('town', 'x', 'hello')
  const options = { applyMarkdown: true, clientGravatar: true, allowEmptyTopic: true }
  const bounds = { anchor: NEWEST, before: 5, after: 0, isAnchorIncluded: true, topic: undefined }
  const page = channels.readPage(1 as ChannelId, {
    ...bounds,
    asOf: state.appliedId,
    options,
    flagsOf: () => 0,
  })
  t.equal(page?.buffer.byteLength, page?.length)
})

await t.test('[RECENT4] a page ends where the rights of its reader were checked', async (t) => {
  const server = await startTestServer(t)
  const owner = server.as('owner')
  await owner.subscribe(['town'])
  const first = await owner.send('town', 'x', 'before')
  const second = await owner.send('town', 'x', 'after')
  const { channels } = server.node.services
  await channels.messagesOf(1 as ChannelId)
  const options = { applyMarkdown: true, clientGravatar: true, allowEmptyTopic: true }
  const bounds = { before: 5, after: 5, isAnchorIncluded: true, topic: undefined }
  for (const anchor of [0, first, second, NEWEST]) {
    const query = {
      ...bounds,
      anchor: anchor as MessageId,
      asOf: first as EventId,
      options,
      flagsOf: () => 0,
    }
    const page = channels.readPage(1 as ChannelId, query)
    t.same(
      JSON.parse(String(page)).messages.map(({ id }: { id: number }) => id),
      [first],
    )
  }
  const query = { ...bounds, anchor: NEWEST, asOf: second as EventId, options, flagsOf: () => 0 }
  const { messages } = JSON.parse(String(channels.readPage(1 as ChannelId, query)))
  t.same(
    messages.map(({ id }: { id: number }) => id),
    [first, second],
    'a reader with later rights shares no page with the others',
  )
})

await t.test('[RECENT8] a page that was read before a change of messages is not cached', async (t) => {
  const server = await startTestServer(t)
  await server.as('owner').subscribe(['town'])
  const { channels, state } = server.node.services
  const channelId = 1 as ChannelId
  const held = await channels.messagesOf(channelId)
  const start = state.appliedId
  const entries = Array.from({ length: 300 }, (_, index) => makeEntry(start + 1 + index, {}, { channelId }))
  for (const entry of entries) channels.push(entry)
  const options = { applyMarkdown: true, clientGravatar: true, allowEmptyTopic: true }
  const [from, through] = [start + 1, start + 300]
  const query = {
    anchor: from as MessageId,
    before: 0,
    after: 5,
    isAnchorIncluded: true,
    topic: undefined,
    asOf: through as EventId,
    options,
    flagsOf: () => 0,
  }
  const read = () => channels.readPage(channelId, query)
  const messages = entries.map(({ id, event }) => messageOf(id, event as MessageSent))
  t.equal(read(), undefined, 'the oldest are not in memory')
  const takeOld = channels.expectPage(channelId)
  const change = { messageId: from as MessageId, emojiName: 'heart', emojiCode: '2764' } as const
  const event = { type: 'reaction/add', channelId, reactionType: 'unicode_emoji', userId: 1, ...change }
  channels.push({ id: (through + 1) as EventId, event: event as LogEvent, audience: { kind: 'nobody' } })
  takeOld(0, through, messages)
  t.equal(read(), undefined, 'a message of the page has changed')
  channels.expectPage(channelId)(0, through, messages)
  t.equal(JSON.parse(String(read())).messages.length, 6)
  t.equal(await channels.messagesOf(channelId), held)
})
