/** A random walk over messages and users: state, events and pages agree for older and newer clients. */

import { inspect, isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { addUser } from '../harness/worlds/add-user.ts'
import type { Client, Fields } from '../harness/client/client.ts'
import { expectConsistent, REGISTRATION, VIEWERS } from '../harness/states/expect-consistent.ts'
import { ManualClock } from '../harness/servers/manual-clock.ts'
import { describeMessage, HeldMessages } from '../harness/states/held-messages.ts'
import { openTestSender, sendDue } from '../harness/worlds/open-test-sender.ts'
import { type Person, startTestServer } from '../harness/servers/start-server.ts'
import { drawImage } from '../harness/client/upload.ts'
import { fetchFile } from '../harness/client/user-files.ts'
import { makeRandom } from './make-random.ts'
import { CHANNELS, USERS, Walk } from './walk-actions.ts'
import type { List, Read, WireEvent } from '../harness/client/wire-types.ts'
import type { Attachment, Message } from '../../packages/client/src/index.ts'

const LENGTH = Number(process.env.PARLEY_WALK_LENGTH ?? 150)
const CHANGES_PER_STEP = Number(process.env.PARLEY_WALK_STEP ?? 10)
/** Between steps everyone goes offline, so that a new report is a new arrival. */
const PAUSE_MS = 300_000

/** A client with every capability. */
const MODERN = {
  ...REGISTRATION,
  slim_presence: true,
  client_capabilities: {
    ...REGISTRATION.client_capabilities,
    user_settings_object: true,
    simplified_presence_events: true,
  },
}
/** A client without capabilities. */
const LEGACY = { include_subscribers: true }

const clock = new ManualClock()
const server = await startTestServer(t, { clock })
const { presences, committer } = server.node.services
const extra = await addUser(server, 'extra')
const sender = await openTestSender(t, server)
const nowSeconds = () => Math.floor(clock.nowMs() / 1_000)

/** The form of messages for a client, from its registration. */
const formOf = (registration: Fields) => ({
  apply_markdown: registration !== LEGACY,
  allow_empty_topic_name: registration !== LEGACY,
})

/**
 * All messages that a viewer can read; throws unless each channel reads the same from memory and from the
 * database.
 */
async function readAll(client: Client, form: Fields) {
  const all: Read<Message>[] = []
  for (const [index] of CHANNELS.entries()) {
    const narrow = [{ operator: 'channel', operand: index + 1 }]
    const [inMemory, stored] = await Promise.all([
      client.get('/messages', { anchor: 'newest', num_before: 200, narrow, ...form }),
      client.get('/messages', { anchor: '1', num_after: 1_000, narrow, ...form }),
    ])
    const later = (stored.body.messages ?? []).slice(-200)
    expectEqual(
      `user ${client.userId}: the newest of channel ${index + 1}`,
      inMemory.body.messages ?? [],
      later,
    )
    all.push(...(stored.body.messages ?? []))
  }
  const narrow = [{ operator: 'is', operand: 'dm' }]
  const direct = await client.must('GET', '/messages', { anchor: '1', num_after: 1_000, narrow, ...form })
  return [...all, ...direct.messages]
}

interface Numbered {
  readonly id: number
}

function expectEqual(what: string, actual: readonly Numbered[], expected: readonly Numbered[]): void {
  const ids = new Set([...actual, ...expected].map(({ id }) => id))
  for (const id of ids) {
    const [one, other] = [actual, expected].map((list) => list.find((message) => message.id === id))
    if (isDeepStrictEqual(one, other)) continue
    throw new Error(`${what}: message ${id} is\n${inspect(one)}\n${inspect(other)}`)
  }
}

/** Throws unless a user can read exactly their own newest files and those linked by readable messages. */
async function checkFiles(client: Client, messageIds: ReadonlySet<number>): Promise<void> {
  const rows = await server.node.services.sql<{ path: string; ownerId: number; messageIds: number[] }[]>`
    select path, owner_id as "ownerId",
      array(select message_id from message_uploads where upload_id = uploads.id) as "messageIds"
    from uploads order by id desc limit 4`
  for (const { path, ownerId, messageIds: linking } of rows) {
    const isReadable = ownerId === client.userId || linking.some((id) => messageIds.has(Number(id)))
    const { status } = await fetchFile(client, `/user_uploads/${path}`)
    if ((status === 200) !== isReadable)
      throw new Error(`user ${client.userId}: ${path}, linked by ${linking.join()}, is answered ${status}`)
  }
}

/** Throws unless the list of files of a user, with the events since, equals the current list. */
function compareFiles(
  person: string,
  {
    before,
    events,
    now,
  }: {
    readonly before: readonly Read<Attachment>[]
    readonly events: readonly WireEvent[]
    readonly now: readonly Read<Attachment>[]
  },
  { readable, steadyIds }: Record<'readable' | 'steadyIds', ReadonlySet<number>>,
): void {
  const byId = new Map(before.map((file) => [file.id, file]))
  for (const { type, op, attachment } of events) {
    if (type !== 'attachment') continue
    if (byId.has(attachment.id) === (op === 'add'))
      throw new Error(`${person}: ${op} of file ${attachment.id}`)
    if (op === 'remove') byId.delete(attachment.id)
    else byId.set(attachment.id, attachment)
  }
  const bare = (files: Iterable<Read<Attachment>>) =>
    [...files].map((file) => ({ ...file, messages: [], message_ids: [] })).sort((a, b) => a.id - b.id)
  expectEqual(`${person}: files`, bare(byId.values()), bare(now))
  for (const { id, messages } of now) {
    const [heard, linking] = [byId.get(id)?.messages ?? [], messages].map(
      (list) => new Set<number>(list.map((one) => one.id)),
    ) as [Set<number>, Set<number>]
    // No event reports starred messages that appear or disappear with rights.
    const wrong = [
      ...[...heard].filter((one) => !linking.has(one) && readable.has(one)),
      ...[...linking].filter((one) => !heard.has(one) && steadyIds.has(one)),
    ]
    if (wrong.length > 0)
      throw new Error(
        `${person}: no event says that messages ${wrong.join()} link file ${id}, or no longer do`,
      )
  }
}

/** Channels with a subscription of a user. */
async function subscribedOf(client: Client): Promise<Set<number>> {
  const { subscriptions } = await client.must('GET', '/users/me/subscriptions')
  return new Set(subscriptions.map((one) => one.stream_id))
}

/**
 * Throws unless the messages that a client fetched, with the events since, equal those it would fetch now.
 */
function compareStore(
  person: string,
  store: HeldMessages,
  { steady, startId }: { readonly steady: ReadonlySet<number>; readonly startId: number },
  messages: readonly Read<Message>[],
): void {
  // Only subscribers get events of messages in a channel.
  const isFollowed = (id: number) => [...store.channelsOf(id)].every((channelId) => steady.has(channelId))
  const afresh = new Map(messages.map((message) => [message.id, message]))
  const held = store.messages.filter(({ id, flags }) => {
    // A message that a user did not receive may become invisible when a channel gets protected history.
    const mayVanish = flags.includes('historical') && !afresh.has(id)
    return isFollowed(id) && !mayVanish
  })
  const left = held.map(({ id }) => afresh.get(id)).filter((message) => message !== undefined)
  expectEqual(
    `${person}: what was fetched, and the events`,
    held.map(describeMessage),
    left.map(describeMessage),
  )
  for (const { id, stream_id, flags } of messages) {
    if (id <= startId || store.has(id) || flags.includes('historical')) continue
    if (stream_id === undefined || steady.has(stream_id))
      throw new Error(`${person} got no event of message ${id}`)
  }
}

const seed = Number(process.env.PARLEY_TEST_SEED ?? Date.now() % 1_000_000)

await t.test(
  '[WALK3] state, events and messages agree after random changes of messages and users',
  async (t) => {
    t.comment(`PARLEY_TEST_SEED=${seed}`)
    const random = makeRandom(seed)
    const owner = server.as('owner')
    const unlimited = Object.fromEntries(
      [
        'message_content_edit_limit_seconds',
        'message_content_delete_limit_seconds',
        'move_messages_within_stream_limit_seconds',
        'move_messages_between_streams_limit_seconds',
      ].map((name) => [name, 'unlimited']),
    )
    await owner.must('PATCH', '/realm', unlimited)
    await owner.subscribe(['open'], { principals: USERS })
    await owner.subscribe(['shared'], {
      principals: [1, 4, 5, 6],
      invite_only: true,
      history_public_to_subscribers: true,
    })
    await owner.subscribe(['closed'], {
      principals: [1, 4, 6],
      invite_only: true,
      history_public_to_subscribers: false,
    })
    await owner.must('POST', '/user_groups/create', { name: 'folk', description: '', members: [1, 4, 6] })
    const forms = [MODERN, REGISTRATION, LEGACY, random.pick([MODERN, LEGACY])]
    const first = random.below(VIEWERS.length)
    const registrations: Partial<Record<Person, Fields>> = {}
    for (const [index, person] of VIEWERS.entries()) {
      registrations[person] = forms[(first + index) % forms.length] as Fields
    }
    const formOfPerson = (person: Person) => formOf(registrations[person] as Fields)
    const actors = (
      ['owner', 'administrator', 'moderator', 'member', 'member2', 'guest', 'bot'] as const
    ).map((person) => server.as(person))
    const file = await drawImage('red', { width: 40, height: 40 })
    const walk = new Walk(random, [owner, ...actors, extra], file, nowSeconds)
    let made = 0
    for (let step = 0; step * CHANGES_PER_STEP < LENGTH; step++) {
      walk.log.length = 0
      clock.leap(PAUSE_MS)
      clock.advance(1_000)
      await presences.exchange()
      await committer.drain()
      try {
        const before = new Map<
          Person,
          { store: HeldMessages; subscribed: Set<number>; files: List<Read<Attachment>> }
        >()
        let startId = 0
        const act = async () => {
          startId = server.node.services.state.appliedId
          for (const person of VIEWERS) {
            const client = server.as(person)
            before.set(person, {
              store: new HeldMessages(await readAll(client, formOfPerson(person)), client.userId),
              subscribed: await subscribedOf(client),
              files: (await client.must('GET', '/attachments')).attachments,
            })
          }
          for (let count = 0; count < CHANGES_PER_STEP; count++) if (await walk.change()) made++
          await sendDue(server, sender, nowSeconds())
          // No event reports a newest message that disappears with the right to read it, or appears by a
          // move.
          await owner.sendDirect([4, 5, 6], 'the newest of all')
          await presences.exchange()
          await committer.drain()
        }
        const events = await expectConsistent(server, act, { forgetsFormer: true, registrations })
        for (const person of VIEWERS) {
          const { store, subscribed, files } = before.get(person) as {
            store: HeldMessages
            subscribed: Set<number>
            files: List<Read<Attachment>>
          }
          for (const event of events[person] ?? []) {
            store.apply(event)
            if (event.type === 'subscription' && event.op === 'remove') {
              for (const { stream_id } of event.subscriptions) subscribed.delete(stream_id)
            }
            if (event.type === 'stream' && event.op === 'delete') {
              for (const id of event.stream_ids) subscribed.delete(id)
            }
          }
          const messages = await readAll(server.as(person), formOfPerson(person))
          compareStore(person, store, { steady: subscribed, startId }, messages)
          const readable = new Set<number>(messages.map(({ id }) => id))
          await checkFiles(server.as(person), readable)
          // No event reports messages that become readable by a move.
          const isSteady = ({ id, stream_id }: Read<Message>) =>
            (id > startId || store.has(id)) && (stream_id === undefined || subscribed.has(stream_id))
          const steadyIds = new Set<number>(messages.filter(isSteady).map(({ id }) => id))
          const { attachments } = await server.as(person).must('GET', '/attachments')
          const compared = { before: files, events: events[person] ?? [], now: attachments }
          compareFiles(person, compared, { readable, steadyIds })
        }
      } catch (error) {
        const story = walk.log.join('\n')
        throw new Error(`step ${step}, PARLEY_TEST_SEED=${seed}\n${story}\n${String(error)}`, {
          cause: error,
        })
      }
    }
    t.ok(made > LENGTH / 3, `${made} changes were made`)
  },
)
