/** Attempts of a guest with limited sight to learn about invisible users. */

import t from 'tap'
import { changeAddress } from '../../harness/mail/change-address.ts'
import { addUser } from '../../harness/worlds/add-user.ts'
import type { Fields } from '../../harness/client/client.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { drawImage, mustUpload } from '../../harness/client/upload.ts'

/** An id of nobody. */
const NOBODY = 999
const MEMBERS = 5

const server = await startTestServer(t)
const [owner, guest] = [server.as('owner'), server.as('guest')]
const hidden = await addUser(server, 'zebra')
await owner.subscribe(['town'], { principals: [owner.userId, guest.userId, hidden.userId] })
const town = channelIdOf(server, 'town')
const messageId = await hidden.send('town', 'topic', 'from somebody')
await hidden.must('DELETE', '/users/me/subscriptions', { subscriptions: ['town'] })
await owner.must('POST', `/messages/${messageId}/reactions`, { emoji_name: 'smile' })
await owner.must('PATCH', '/realm', { can_access_all_users_group: { new: MEMBERS } })
const watching = await guest.register({ client_capabilities: { user_list_incomplete: true } })
const watchingOld = await guest.register()
await hidden.must('POST', '/users/me/status', { status_text: 'zebra crossing' })
await hidden.must('PATCH', '/settings', { timezone: 'Africa/Nairobi', full_name: 'Zebra Crossing' })
const { avatar_url: avatar } = await mustUpload(hidden, '/users/me/avatar', await drawImage('#123456'))
await hidden.must('POST', '/users/me/presence', { status: 'active' })
const { id: fieldId } = await owner.must('POST', '/realm/profile_fields', { name: 'Animal', field_type: 1 })
await hidden.must('PATCH', '/users/me/profile_data', { data: [{ id: fieldId, value: 'zebra' }] })
await hidden.must('PATCH', '/settings', { email_address_visibility: 4 })
await hidden.must('PATCH', '/settings', { email_address_visibility: 1 })
const narrowed = (...narrow: [string, unknown][]) => ({
  anchor: 'newest',
  num_before: 10,
  num_after: 0,
  narrow,
})
const page = narrowed(['channel', town])

/** Nothing of these may reach the guest, in any case. */
const SECRETS = /zebra|nairobi/i
const betrays = (value: unknown): boolean => {
  const text = JSON.stringify(value)
  return SECRETS.test(text) || text.includes(String(avatar).replace(/\?.*/, ''))
}

t.test('[LEAK15] reads, registrations and events reveal only the id of an invisible user', async (t) => {
  t.ok(betrays((await owner.get('/users')).body), 'the search works for visible text')
  const reads: [string, Fields?][] = [
    ['/users'],
    ['/users', { include_custom_profile_fields: true, client_gravatar: false }],
    ['/messages', { ...page, client_gravatar: false }],
    ['/messages', { ...page, narrow: [...page.narrow, ['near', 1]], client_gravatar: false }],
    ['/messages', { message_ids: [messageId], client_gravatar: false }],
    [`/messages/${messageId}`],
    [`/messages/${messageId}/history`],
    [`/messages/${messageId}/read_receipts`],
    [`/streams/${town}/members`],
    [`/streams/${town}`],
    ['/streams'],
    ['/users/me/subscriptions', { include_subscribers: true }],
    [`/users/me/${town}/topics`],
    ['/user_groups'],
    [`/user_groups/${MEMBERS}/members`],
    ['/realm/presence'],
    ['/realm/emoji'],
    ['/bots'],
    ['/drafts'],
    ['/default_streams'],
    ['/channel_folders'],
    ['/realm/profile_fields'],
    ['/realm/linkifiers'],
    ['/server_settings'],
  ]
  for (const [path, fields] of reads) {
    const answer = await guest.get(path, fields)
    t.notOk(betrays(answer.body), `GET ${path}`)
  }
  for (const capabilities of [{}, { user_list_incomplete: true, bulk_message_deletion: true }]) {
    for (const slim_presence of [true, false]) {
      const { state } = await guest.register({
        client_capabilities: capabilities,
        client_gravatar: false,
        slim_presence,
        include_subscribers: true,
      })
      t.notOk(betrays(state), `POST /register ${JSON.stringify(capabilities)}`)
    }
  }
  for (const queue of [watching, watchingOld]) t.notOk(betrays(await guest.events(queue)), 'events')
})

t.test('[LEAK16] requests for an invisible user get the answer for an absent one', async (t) => {
  const { email } = hidden
  const standIn = (id: number) => `user${id}@127.0.0.1`
  const attempts: [string, (id: number, email: string) => [string, string, Fields?]][] = [
    ['user', (id) => ['GET', `/users/${id}`]],
    ['address', (_, email) => ['GET', `/users/${email}`]],
    ['stand-in', (id) => ['GET', `/users/${standIn(id)}`]],
    ['presence by address', (_, email) => ['GET', `/users/${email}/presence`]],
    ['status', (id) => ['GET', `/users/${id}/status`]],
    ['status of others', (id) => ['POST', `/users/${id}/status`, { status_text: 'x' }]],
    ['subscription', (id) => ['GET', `/users/${id}/subscriptions/${town}`]],
    ['membership', (id) => ['GET', `/user_groups/${MEMBERS}/members/${id}`]],
    ['muting', (id) => ['POST', `/users/me/muted_users/${id}`]],
    ['unmuting', (id) => ['DELETE', `/users/me/muted_users/${id}`]],
    ['update', (id) => ['PATCH', `/users/${id}`, { full_name: 'X' }]],
    ['update by address', (_, email) => ['PATCH', `/users/${email}`, { full_name: 'X' }]],
    ['deactivation', (id) => ['DELETE', `/users/${id}`]],
    ['reactivation', (id) => ['POST', `/users/${id}/reactivate`]],
    ['bot', (id) => ['PATCH', `/bots/${id}`, { full_name: 'X' }]],
    ['bot key', (id) => ['POST', `/bots/${id}/api_key/regenerate`]],
    ['message', (id) => ['POST', '/messages', { type: 'direct', to: [id], content: 'x' }]],
    [
      'message by address',
      (_, email) => ['POST', '/messages', { type: 'direct', to: [email], content: 'x' }],
    ],
    ['typing', (id) => ['POST', '/typing', { op: 'start', to: [id] }]],
    [
      'draft',
      (id) => ['POST', '/drafts', { drafts: [{ type: 'direct', to: [id], topic: '', content: 'x' }] }],
    ],
    [
      'unsubscribing',
      (id) => ['DELETE', '/users/me/subscriptions', { subscriptions: ['town'], principals: [id] }],
    ],
    [
      'unsubscribing by address',
      (_, email) => ['DELETE', '/users/me/subscriptions', { subscriptions: ['town'], principals: [email] }],
    ],
    [
      'subscribing',
      (id) => ['POST', '/users/me/subscriptions', { subscriptions: [{ name: 'town' }], principals: [id] }],
    ],
    ['sender', (id) => ['GET', '/messages', narrowed(['channel', town], ['sender', id])]],
    ['sender by address', (_, email) => ['GET', '/messages', narrowed(['channel', town], ['sender', email])]],
    ['dm', (id) => ['GET', '/messages', narrowed(['dm', [id]])]],
    ['dm-including', (id) => ['GET', '/messages', narrowed(['dm-including', id])]],
    [
      'match',
      (_, email) => [
        'GET',
        '/messages/matches_narrow',
        { msg_ids: [messageId], narrow: [['sender', email]] },
      ],
    ],
    [
      'flags',
      (id) => [
        'POST',
        '/messages/flags/narrow',
        { ...narrowed(['sender', id]), num_after: 0, op: 'add', flag: 'starred' },
      ],
    ],
    ['rendering', (id) => ['POST', '/messages/render', { content: `@**Zebra Crossing|${id}** @**|${id}**` }]],
    ['own groups', (id) => ['POST', '/user_groups/create', { name: 'g', description: '', members: [id] }]],
  ]
  for (const [title, make] of attempts) {
    const ask = async (id: number, email: string) => {
      const { status, body } = await guest.request(...make(id, email))
      const text = JSON.stringify(body).replaceAll(email, 'EMAIL')
      return { status, text: text.replaceAll(new RegExp(`\\b(user)?${id}\\b`, 'g'), 'ID') }
    }
    t.same(await ask(hidden.userId, email), await ask(NOBODY, 'nobody@example.com'), title)
  }
})

t.test(
  '[LEAK17] events that wait for a guest from before they lost sight reveal nothing later',
  async (t) => {
    await owner.subscribe(['lounge'], { principals: [guest.userId, hidden.userId] })
    const [queue, old] = [
      await guest.register({ client_capabilities: { user_list_incomplete: true } }),
      await guest.register({ client_gravatar: false }),
    ]
    await hidden.send('lounge', 'topic', 'seen')
    await hidden.must('POST', '/typing', {
      type: 'channel',
      op: 'start',
      stream_id: channelIdOf(server, 'lounge'),
      topic: 'topic',
    })
    await hidden.must('PATCH', '/settings', { full_name: 'Okapi' })
    await hidden.must('DELETE', '/users/me/avatar')
    await hidden.must('DELETE', '/users/me/subscriptions', { subscriptions: ['lounge'] })
    await hidden.must('PATCH', '/settings', { full_name: 'Tapir' })
    const { avatar_url: later } = await mustUpload(hidden, '/users/me/avatar', await drawImage('#654321'))
    const other = await server.as('guest').must('GET', `/messages/${messageId}`)
    t.notMatch(JSON.stringify(other), /tapir/i)
    for (const one of [queue, old]) {
      const text = JSON.stringify(await guest.events(one))
      t.notMatch(text, /tapir|okapi/i)
      t.notOk(text.includes(String(later).replace(/\?.*/, '')))
    }
  },
)

t.test('[LEAK25] an address that was visible for a while is not sent once it is hidden', async (t) => {
  const one = await addUser(server, 'shy')
  await one.must('PATCH', '/settings', { email_address_visibility: 4 })
  const queues = [await guest.register(), await owner.register(), await one.register()] as const
  await one.must('PATCH', '/settings', { email_address_visibility: 1 })
  await one.must('PATCH', '/settings', { email_address_visibility: 4 })
  await changeAddress(server, one, 'secret@example.com')
  t.match(JSON.stringify(await one.events(queues[2])), /secret@/)
  for (const [client, queue] of [
    [guest, queues[0]],
    [owner, queues[1]],
  ] as const) {
    t.notMatch(JSON.stringify(await client.events(queue)), /secret@/)
  }
})

t.test('[LEAK26] a former owner of a bot does not get its later settings', async (t) => {
  const [member, member2] = [server.as('member'), server.as('member2')]
  const queue = await member.register({ event_types: ['realm_bot'] })
  const { user_id: id } = await member.must('POST', '/bots', {
    full_name: 'Caller',
    short_name: 'caller',
    bot_type: 3,
    payload_url: '"https://example.com/first"',
  })
  await owner.must('PATCH', `/bots/${id}`, { bot_owner_id: member2.userId })
  const theirs = await member2.register({ fetch_event_types: ['realm_bot'] })
  t.equal(theirs.state.realm_bots[0].services[0].base_url, 'https://example.com/first')
  await member2.must('PATCH', `/bots/${id}`, { service_payload_url: '"https://example.com/second"' })
  const events = await member.events(queue)
  t.notMatch(JSON.stringify(events), /second/)
  t.match(events.at(-1), { op: 'delete', bot: { user_id: id } })
})
