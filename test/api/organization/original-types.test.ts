/** The type of the server's own emoji: existing clients refuse the neutral name, and all others get it. */

import t from 'tap'
import { Session } from '../../../server/actors/session.ts'
import { placeInTime } from '../../../server/actors/timeline.ts'
import type { LogEntry } from '../../../server/domain/events.ts'
import type { EventId, QueueId, UserId } from '../../../server/domain/ids.ts'
import type { Client } from '../../harness/client/client.ts'
import { type Person, startTestServer, type TestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
await owner.subscribe(['town'], { principals: [1, 4] })

const ORIGINAL = 'zulip_extra_emoji'
const NEUTRAL = 'service_extra_emoji'

const program = (userAgent: string, from: TestServer = server, person: Person = 'member'): Client =>
  Object.assign(from.as(person), { userAgent })

/** The types in all that a program reads: a status in three places, a reaction in three. */
async function readTypes(client: Client, messageId: number): Promise<Record<string, unknown>> {
  const { state } = await client.register({ fetch_event_types: ['user_status'] })
  const page = { anchor: 'newest', num_before: 5, num_after: 0 }
  const inTown = { ...page, narrow: [['channel', 'town']] }
  const search = { ...page, narrow: [['search', 'hello']] }
  const typeIn = async (query: object) => {
    const { messages } = await client.must('GET', '/messages', { ...query })
    return messages.find(({ id }: { id: number }) => id === messageId).reactions[0].reaction_type
  }
  return {
    registered: state.user_status[1]?.reaction_type,
    status: (await client.must('GET', '/users/1/status')).status.reaction_type,
    message: (await client.must('GET', `/messages/${messageId}`)).message.reactions[0].reaction_type,
    page: await typeIn(inTown),
    given: await typeIn({ message_ids: [messageId] }),
    found: await typeIn(search),
  }
}

const allOf = (type: string) => ({
  registered: type,
  status: type,
  message: type,
  page: type,
  given: type,
  found: type,
})

t.test(
  '[ORIGINAL1] a client of the family reads the original type of the extra emoji, every other the neutral one',
  async (t) => {
    const id = await owner.send('town', 'x', 'hello')
    await owner.must('POST', `/messages/${id}/reactions`, { emoji_name: 'zulip', reaction_type: ORIGINAL })
    await owner.must('POST', '/users/me/status', { emoji_name: 'zulip', reaction_type: NEUTRAL })
    for (const [userAgent, type] of [
      ['', NEUTRAL],
      ['ZulipFlutter/30.0.1 (Android 14)', ORIGINAL],
      ['Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', NEUTRAL],
      ['ZulipMobile/27.230 (iOS 17)', ORIGINAL],
      ['ZulipElectron/5.12.0 Mozilla/5.0 (X11)', ORIGINAL],
      ['curl/8.5.0', NEUTRAL],
      ['zulip-js/2.0.9', ORIGINAL],
      ['ZulipPython/0.9.0 (Ubuntu; 24.04)', ORIGINAL],
      ['python-requests/2.32.0', ORIGINAL],
      ['my-python-requests', NEUTRAL],
    ] as const) {
      t.same(await readTypes(program(userAgent), id), allOf(type), userAgent)
    }
  },
)

t.test('[ORIGINAL2] a queue gets the spelling of the client that registered it', async (t) => {
  const id = await owner.send('town', 'x', 'hello')
  const clients = ['', 'ZulipFlutter/30.0.1', 'curl/8.5.0', 'ZulipMobile/27.230'].map((name) => program(name))
  const queues = await Promise.all(clients.map((client) => client.register()))
  const emoji = { emoji_name: 'zulip', emoji_code: 'zulip' }
  await owner.must('POST', '/users/me/status', { emoji_name: '' })
  await owner.must('POST', `/messages/${id}/reactions`, emoji)
  await owner.must('DELETE', `/messages/${id}/reactions`, { ...emoji, reaction_type: ORIGINAL })
  await owner.must('POST', '/users/me/status', emoji)
  for (const [index, queue] of queues.entries()) {
    // Whatever program polls: the queue has its own form.
    const events = withoutIds(await program('Polling/1').events(queue)).filter(
      ({ emoji_name }: { emoji_name?: string }) => emoji_name === 'zulip',
    )
    const type = index % 2 === 0 ? NEUTRAL : ORIGINAL
    t.match(events, [
      { type: 'reaction', op: 'add', reaction_type: type },
      { type: 'reaction', op: 'remove', reaction_type: type },
      { type: 'user_status', user_id: 1, reaction_type: type },
    ])
    t.equal(events.length, 3)
  }
})

t.test('[ORIGINAL3] without client aliases every client reads the neutral type', async (t) => {
  const plain = await startTestServer(t, { env: { CLIENT_ALIASES: 'off' } })
  const sender = plain.as('owner')
  await sender.subscribe(['town'], { principals: [1, 4] })
  const id = await sender.send('town', 'x', 'hello')
  await sender.must('POST', `/messages/${id}/reactions`, { emoji_name: 'zulip' })
  await sender.must('POST', '/users/me/status', { emoji_name: 'zulip', reaction_type: ORIGINAL })
  t.same(await readTypes(program('ZulipFlutter/30.0.1', plain), id), allOf(NEUTRAL))
})

t.test('[ORIGINAL4] only an event with the extra emoji is encoded once more for the family', async (t) => {
  const { state } = server.node.services
  const sessionOf = (readsOriginalTypes: boolean) =>
    new Session({
      queueId: '' as QueueId,
      userId: 4 as UserId,
      options: { ...OPTIONS, readsOriginalTypes },
      acknowledgedId: 0 as EventId,
      idleTimeoutMs: 0,
      sinceMs: 0,
    })
  /** The text for a client of the family when another client has read the event already. */
  const sharedWithFamily = (reactionType: string) => {
    const reaction = { messageId: 1, channelId: 1, emojiName: 'x', emojiCode: 'x', reactionType, userId: 1 }
    const audience = { kind: 'users', userIds: [4] }
    const entry = { id: 1, event: { type: 'reaction/add', ...reaction }, audience } as unknown as LogEntry
    const placed = placeInTime(entry, state)
    const other = sessionOf(false)
    other.encode(placed, state, 0)
    t.ok(placed.encodings.get(other.variant))
    placed.encodings.set(other.variant, 'shared')
    return sessionOf(true).encode(placed, state, 0)
  }
  t.equal(sharedWithFamily('unicode_emoji'), 'shared')
  t.match(sharedWithFamily(NEUTRAL), `"reaction_type":"${ORIGINAL}"`)
})

const OPTIONS = {
  eventTypes: null,
  narrow: [],
  allPublicChannels: false,
  applyMarkdown: true,
  clientGravatar: false,
  includeSubscribers: false,
  allowsNullSettings: true,
  allowEmptyTopic: true,
  hasIncompleteUsers: true,
  hasEmojiChanges: true,
  hasArchivedChannels: true,
  hasDeactivatedGroups: true,
  hasBulkDeletion: true,
  hasChannelTyping: true,
  hasSettingsObject: true,
  hasSimplifiedPresence: true,
  hasLinkifierTemplates: true,
}
