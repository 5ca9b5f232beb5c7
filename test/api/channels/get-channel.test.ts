/** A single channel: by id, by name, its subscribers, and the subscription of a user. */

import t from 'tap'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import type { Answer } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { channelIdOf, setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { PEOPLE, type Person, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['public'], { principals: [1, 4] })
await owner.subscribe(['Shared'], { principals: [4, 6] })
await member.subscribe(['private'], { invite_only: true, principals: [4, 5] })
await owner.subscribe(['open'])
await owner.subscribe(['archived'])
await setUpChannel(server, 'open', {
  kind: 'privacy',
  isPrivate: false,
  isWebPublic: true,
  isHistoryPublic: true,
})
await setUpChannel(server, 'archived', { kind: 'archived', isArchived: true })

/** The users who can see each channel. */
const SEERS: Readonly<Record<string, readonly Person[]>> = {
  public: ['owner', 'administrator', 'moderator', 'member', 'member2', 'bot'],
  Shared: ['owner', 'administrator', 'moderator', 'member', 'member2', 'guest', 'bot'],
  private: ['owner', 'administrator', 'member', 'member2'],
  open: PEOPLE,
  archived: ['owner', 'administrator', 'moderator', 'member', 'member2', 'bot'],
}
const SUBSCRIBERS: Readonly<Record<string, readonly number[]>> = {
  public: [1, 4],
  Shared: [4, 6],
  private: [4, 5],
  open: [1],
  archived: [1],
}
const idOf = (name: string) => channelIdOf(server, name)

t.test('[CHAN20] a channel by id equals its entry in the list', async (t) => {
  const { streams } = await owner.must('GET', '/streams', { exclude_archived: false, include_all: true })
  t.equal(streams.length, 5)
  for (const channel of streams) {
    t.same(await owner.must('GET', `/streams/${channel.stream_id}`), {
      result: 'success',
      msg: '',
      stream: channel,
    })
  }
})

t.test(
  '[CHAN21] users who can see a channel can read it, its subscribers and whether a user is subscribed',
  async (t) => {
    for (const [name, seers] of Object.entries(SEERS)) {
      const id = idOf(name)
      for (const person of seers) {
        const client = server.as(person)
        t.match((await client.must('GET', `/streams/${id}`)).stream, { stream_id: id, name })
        t.same(await client.must('GET', '/get_stream_id', { stream: name }), {
          result: 'success',
          msg: '',
          stream_id: id,
        })
        t.same(await client.must('GET', `/streams/${id}/members`), {
          result: 'success',
          msg: '',
          subscribers: SUBSCRIBERS[name],
        })
        for (const userId of [1, 4, 5, 6]) {
          t.same(await client.must('GET', `/users/${userId}/subscriptions/${id}`), {
            result: 'success',
            msg: '',
            is_subscribed: SUBSCRIBERS[name]?.includes(userId),
          })
        }
      }
    }
  },
)

t.test('[CHAN22] to all other users the channel looks absent', async (t) => {
  for (const person of PEOPLE) {
    const client = server.as(person)
    const hidden = Object.keys(SEERS).filter((name) => !SEERS[name]?.includes(person))
    for (const id of [...hidden.map(idOf), 0, 999, 999_999_999_999_999]) {
      const refuse = (answer: Answer) => expectRefusal(t, answer, 'Invalid channel ID')
      refuse(await client.get(`/streams/${id}`))
      refuse(await client.get(`/streams/${id}/members`))
      refuse(await client.get(`/users/${client.userId}/subscriptions/${id}`))
    }
    for (const name of [...hidden, 'nowhere', ''])
      expectRefusal(t, await client.get('/get_stream_id', { stream: name }), `Invalid channel name '${name}'`)
  }
})

t.test('[CHAN23] a look-up by name ignores case and surrounding spaces', async (t) => {
  for (const stream of ['shared', 'SHARED', '  Shared ']) {
    t.match(await member.must('GET', '/get_stream_id', { stream }), { stream_id: idOf('Shared') })
  }
})

t.test('[CHAN24] the name is required and limited in length', async (t) => {
  expectRefusal(t, await member.get('/get_stream_id'), "Missing 'stream' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'stream',
  })
  const longest = 'é'.repeat(60)
  expectRefusal(
    t,
    await member.get('/get_stream_id', { stream: longest }),
    `Invalid channel name '${longest}'`,
  )
  expectRefusal(
    t,
    await member.get('/get_stream_id', { stream: `${longest}é` }),
    'stream is too long (limit: 60 characters)',
  )
})

t.test('[CHAN25] an unknown user is reported before an unknown channel', async (t) => {
  for (const userId of [0, 999, 999_999_999_999_999]) {
    for (const channelId of [idOf('public'), 999]) {
      expectRefusal(t, await member.get(`/users/${userId}/subscriptions/${channelId}`), 'No such user')
    }
  }
})

t.test('[CHAN26] a deactivated user is not a subscriber, and is one again after reactivation', async (t) => {
  const gone = await addUser(server, 'gone')
  await owner.subscribe(['public'], { principals: [gone.userId] })
  const id = idOf('public')
  const isSubscribed = async () =>
    (await member.must('GET', `/users/${gone.userId}/subscriptions/${id}`)).is_subscribed
  t.equal(await isSubscribed(), true)
  t.same((await member.must('GET', `/streams/${id}/members`)).subscribers, [1, 4, gone.userId])
  await deactivate(server, gone.userId)
  t.equal(await isSubscribed(), false)
  t.same((await member.must('GET', `/streams/${id}/members`)).subscribers, [1, 4])
})

t.test('[CHAN27] requests without credentials get nothing about a channel', async (t) => {
  const id = idOf('open')
  for (const path of [
    '/streams',
    `/streams/${id}`,
    `/streams/${id}/members`,
    '/get_stream_id?stream=open',
    `/users/1/subscriptions/${id}`,
    '/users/me/subscriptions',
  ]) {
    expectRefusal(t, await server.anyone.get(path), 'Missing authorization header for basic auth', {
      status: 401,
      code: 'UNAUTHORIZED',
    })
  }
})

t.test(
  '[CHAN28] a user who leaves a private channel loses sight of it, and a user who joins gains it',
  async (t) => {
    const id = idOf('private')
    const guest = server.as('guest')
    expectRefusal(t, await guest.get(`/streams/${id}`), 'Invalid channel ID')
    await member.subscribe(['private'], { principals: [6] })
    t.match((await guest.must('GET', `/streams/${id}`)).stream, { name: 'private', subscriber_count: 3 })
    t.same((await guest.must('GET', `/streams/${id}/members`)).subscribers, [4, 5, 6])
    await guest.must('DELETE', '/users/me/subscriptions', { subscriptions: ['private'] })
    expectRefusal(t, await guest.get(`/streams/${id}`), 'Invalid channel ID')
    expectRefusal(
      t,
      await guest.get('/get_stream_id', { stream: 'private' }),
      "Invalid channel name 'private'",
    )
  },
)

t.test(
  '[CHANMAIL1] users who may post in a channel get its address, which is empty on a server that takes no mails',
  async (t) => {
    const ask = (person: Person, name: string, fields = {}) =>
      server.as(person).get(`/streams/${idOf(name)}/email_address`, fields)
    const empty = { status: 200, body: { result: 'success', msg: '', email: '' } }
    const unknown = 'Invalid channel ID'
    for (const [person, name] of [
      ['member', 'public'],
      ['guest', 'Shared'],
      ['member2', 'private'],
      ['bot', 'public'],
    ] as const)
      t.match(await ask(person, name), empty, `${person} in ${name}`)
    expectRefusal(t, await ask('guest', 'public'), unknown)
    expectRefusal(t, await ask('administrator', 'private'), unknown) // They see it and may not read it.
    expectRefusal(t, await member.get('/streams/999/email_address'), unknown)
    expectRefusal(t, await ask('member', 'archived'), "Not authorized to send to channel 'archived'")
    for (const sender_id of [4, 7]) t.match(await ask('member', 'public', { sender_id }), empty)
    for (const sender_id of [5, 999])
      expectRefusal(t, await ask('member', 'public', { sender_id }), 'No such user')
    expectRefusal(t, await ask('member2', 'public', { sender_id: 7 }), 'No such user')
    expectRefusal(t, await ask('member', 'private', { sender_id: 7 }), unknown)
    await owner.must('PATCH', `/streams/${idOf('public')}`, { can_send_message_group: { new: 2 } })
    expectRefusal(t, await ask('member', 'public'), 'You do not have permission to post in this channel.')
    t.match(await ask('owner', 'public'), empty)
  },
)
