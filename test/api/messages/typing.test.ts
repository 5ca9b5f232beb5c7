import t from 'tap'
import type { OrganizationChange } from '../../../server/domain/events/organization.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { SYSTEM_GROUPS } from '../../../server/domain/groups/system-groups.ts'
import { addCrowd } from '../../harness/worlds/add-crowd.ts'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import type { Fields } from '../../harness/client/client.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { setUpChannel } from '../../harness/worlds/set-up-channel.ts'
import { emailOf, type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const clock = new ManualClock()
const server = await startTestServer(t, { clock })
const owner = server.as('owner')
const member = server.as('member')
await owner.subscribe(['town'], { principals: [1, 4, 6] })
const TOWN = 1

const DONE = { result: 'success', msg: '' }
const UNKNOWN = 'Invalid message(s)'
const type = (person: Person, fields: Fields) => server.as(person).post('/typing', { op: 'start', ...fields })
const typeIn = (person: Person, stream_id: number, fields: Fields = {}) =>
  type(person, { type: 'channel', stream_id, topic: 'tea', ...fields })
const edit = (person: Person, id: number, fields: Fields = { op: 'start' }) =>
  server.as(person).post(`/messages/${id}/typing`, fields)
const set = (changes: OrganizationChange) => commitEvents(server, [{ type: 'realm/update_dict', changes }])
const permit = (permissions: NonNullable<OrganizationChange['permissions']>) => set({ permissions })
const choose = (person: Person, settings: Fields) => server.as(person).must('PATCH', '/settings', settings)
const { everyone, nobody } = SYSTEM_GROUPS
const who = (user_id: number, person: Person) => ({ user_id, email: emailOf(person) })

t.test(
  '[TYPING1] typing in a conversation is sent to all participants, the typing user included',
  async (t) => {
    const events = await expectConsistent(server, async () => {
      t.same((await type('owner', { to: [4, 6, 4] })).body, DONE)
      t.same((await type('owner', { type: 'direct', op: 'stop', to: [1, 6, 4] })).body, DONE)
    })
    const recipients = [who(1, 'owner'), who(4, 'member'), who(6, 'guest')]
    const event = (op: string) => ({
      type: 'typing',
      op,
      message_type: 'direct',
      sender: who(1, 'owner'),
      recipients,
    })
    for (const person of ['owner', 'member', 'guest'] as const) {
      t.same(withoutIds(events[person]), [event('start'), event('stop')], person)
    }
    t.same(events.member2, [])
  },
)

t.test('[TYPING2] typing in a topic is sent only to the subscribers of its channel', async (t) => {
  const older = await member.register({ event_types: ['typing'] })
  const newer = await member.register({
    event_types: ['typing'],
    client_capabilities: { stream_typing_notifications: true },
  })
  const events = await expectConsistent(server, async () => {
    t.same((await typeIn('member2', TOWN)).body, DONE)
    t.same((await typeIn('owner', TOWN, { type: 'stream', op: 'stop', topic: ' general chat ' })).body, DONE)
  })
  const event = { type: 'typing', message_type: 'stream', stream_id: TOWN }
  const stopped = { ...event, op: 'stop', sender: who(1, 'owner') }
  for (const person of ['owner', 'member', 'guest'] as const) {
    t.same(
      withoutIds(events[person]),
      [
        { ...event, op: 'start', sender: who(5, 'member2'), topic: 'tea' },
        { ...stopped, topic: '' },
      ],
      person,
    )
  }
  t.same(events.member2, [])
  t.same(await member.events(older), [], 'clients without the capability get none')
  t.match((await member.events(newer)).at(-1), { ...stopped, topic: 'general chat' })
})

t.test('[TYPING3] typing is not stored for clients that connect later', async (t) => {
  await type('owner', { to: [4] })
  const later = await member.register()
  t.same(await member.events(later), [])
})

t.test('[TYPING4] the parameters of a place are required', async (t) => {
  const missing = (var_name: string) => ({ code: 'REQUEST_VARIABLE_MISSING', var_name })
  expectRefusal(t, await type('owner', {}), "Missing 'to' argument", missing('to'))
  expectRefusal(t, await type('owner', { to: [] }), "Empty 'to' list")
  const channel = { type: 'channel', topic: 'x', to: [4] }
  expectRefusal(t, await type('owner', channel), "Missing 'stream_id' argument", missing('stream_id'))
  const topic = { type: 'stream', stream_id: TOWN }
  expectRefusal(t, await type('owner', topic), "Missing 'topic' argument", missing('topic'))
  expectRefusal(t, await type('owner', { op: undefined, to: [4] }), "Missing 'op' argument", missing('op'))
  expectRefusal(t, await type('owner', { op: 'pause', to: [4] }), 'Invalid op')
  expectRefusal(t, await type('owner', { type: 'private', to: [4] }), 'Invalid type')
  expectRefusal(t, await type('owner', { to: 'member' }), 'to is not valid JSON')
  expectRefusal(t, await type('owner', { to: 4 }), 'to is not a list')
  const ids = Array.from({ length: 1_001 }, () => 4)
  expectRefusal(t, await type('owner', { to: ids }), 'to is too long (limit: 1000 items)')
  const long = await typeIn('owner', TOWN, { topic: 'x'.repeat(61) })
  expectRefusal(t, long, 'topic is too long (limit: 60 characters)')
  t.equal((await typeIn('owner', TOWN, { topic: 'x'.repeat(60) })).status, 200)
})

t.test('[TYPING5] typing to a user needs the right to send to them', async (t) => {
  expectRefusal(t, await type('owner', { to: [4, 999] }), 'Invalid user ID 999')
  const gone = await addUser(server, 'gone')
  await deactivate(server, gone.userId)
  const left = `'${gone.email}' is no longer using this organization.`
  expectRefusal(t, await type('owner', { to: [gone.userId] }), left)
  await permit({ directMessageInitiator: nobody })
  const refused = 'You do not have permission to initiate direct message conversations.'
  expectRefusal(t, await type('guest', { to: [5] }), refused)
  await permit({ directMessageInitiator: everyone })
  await server.as('guest').sendDirect([5], 'hello')
  await permit({ directMessageInitiator: nobody })
  t.equal((await type('guest', { to: [5] })).status, 200)
  await permit({ directMessageInitiator: everyone, directMessagePermission: nobody })
  const disabled = 'Direct messages are disabled in this organization.'
  expectRefusal(t, await type('member', { to: [5] }), disabled)
  const setting = { directMembers: [1 as UserId], directSubgroups: [] }
  await permit({ directMessagePermission: setting })
  const unauthorized = 'This conversation does not include any users who can authorize it.'
  expectRefusal(t, await type('member', { to: [5] }), unauthorized)
  t.equal((await type('member', { to: [1] })).status, 200)
  await permit({ directMessagePermission: everyone })
})

t.test('[TYPING6] typing in a channel needs the right to send there', async (t) => {
  await member.subscribe(['secret'], { invite_only: true })
  await owner.subscribe(['old', 'quiet'], { principals: [1, 4] })
  const [secret, old, quiet] = [2, 3, 4] as const
  await owner.must('DELETE', `/streams/${old}`)
  await setUpChannel(server, 'quiet', { kind: 'permission', permission: 'canSendMessage', setting: nobody })
  for (const id of [secret, 999]) {
    expectRefusal(t, await typeIn('owner', id), `Channel with ID '${id}' does not exist`, {
      code: 'STREAM_DOES_NOT_EXIST',
      stream_id: id,
    })
  }
  const { channel } = server.node.services.state.getChannel(old as never)
  expectRefusal(t, await typeIn('owner', old), `Not authorized to send to channel '${channel.name}'`)
  const refused = 'You do not have permission to post in this channel.'
  expectRefusal(t, await typeIn('owner', quiet), refused)
  t.equal((await typeIn('member', secret)).status, 200)
})

t.test('[TYPING7] the sender of a message announces that they edit it', async (t) => {
  const [sent, direct] = [await owner.send('town', 'tea', 'x'), await owner.sendDirect([4], 'x')]
  const events = await expectConsistent(server, async () => {
    t.same((await edit('owner', sent)).body, DONE)
    t.same((await edit('owner', sent, { op: 'stop' })).body, DONE)
    t.same((await edit('owner', direct)).body, DONE)
  })
  const event = (op: string, message_id: number, recipient: object) => {
    return { type: 'typing_edit_message', op, sender_id: 1, message_id, recipient }
  }
  const channel = { type: 'channel', channel_id: TOWN, topic: 'tea' }
  const inChannel = [event('start', sent, channel), event('stop', sent, channel)]
  const between = event('start', direct, { type: 'direct', user_ids: [1, 4] })
  t.same(withoutIds(events.owner), [...inChannel, between])
  t.same(withoutIds(events.member), [...inChannel, between])
  t.same(withoutIds(events.guest), inChannel)
  t.same(events.member2, [])
})

t.test('[TYPING8] only the sender does so, while they can read and edit the message', async (t) => {
  const [sent, direct] = [await member.send('town', 'tea', 'x'), await member.sendDirect([5], 'x')]
  const forbidden = "You don't have permission to edit this message"
  expectRefusal(t, await edit('owner', sent), forbidden)
  expectRefusal(t, await edit('member2', direct), forbidden)
  for (const id of [direct, 0, 999_999]) expectRefusal(t, await edit('owner', id), UNKNOWN)
  expectRefusal(t, await edit('member', sent, {}), "Missing 'op' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'op',
  })
  expectRefusal(t, await edit('member', sent, { op: 'x' }), 'Invalid op')
  await member.subscribe(['closing'])
  const archived = await member.send('closing', 'x', 'x')
  const { stream_id } = await owner.must('GET', '/get_stream_id', { stream: 'closing' })
  await owner.must('DELETE', `/streams/${stream_id}`)
  expectRefusal(t, await edit('member', archived), UNKNOWN)
  clock.leap(601_000)
  expectRefusal(t, await edit('member', sent), 'The time limit for editing this message has passed')
  const fresh = await member.send('town', 'tea', 'x')
  await set({ settings: { allowsEditing: false } })
  const disabled = 'Your organization has turned off message editing'
  expectRefusal(t, await edit('member', fresh), disabled)
  await set({ settings: { allowsEditing: true } })
})

t.test('[TYPING9] with protected history, later subscribers get no edit typing', async (t) => {
  await owner.subscribe(['closed'], { invite_only: true, principals: [1, 4] })
  const id = await owner.send('closed', 'x', 'before')
  await owner.subscribe(['closed'], { principals: [5] })
  const capable = { client_capabilities: { stream_typing_notifications: true } }
  const [received, came] = [await member.register(capable), await server.as('member2').register(capable)]
  await edit('owner', id)
  t.match(await member.events(received), [{ type: 'typing_edit_message', message_id: id }])
  t.same(await server.as('member2').events(came), [])
})

t.test(
  '[TYPING10] typing needs the privacy setting of the sender, and is not sent to users who turned it off',
  async (t) => {
    const [sent, direct] = [await owner.send('town', 'tea', 'x'), await owner.sendDirect([4], 'x')]
    await choose('owner', { send_private_typing_notifications: false })
    const forDirect = 'User has disabled typing notifications for direct messages'
    expectRefusal(t, await type('owner', { to: [4] }), forDirect)
    expectRefusal(t, await edit('owner', direct), forDirect)
    t.equal((await typeIn('owner', TOWN)).status, 200)
    await choose('owner', {
      send_private_typing_notifications: true,
      send_stream_typing_notifications: false,
    })
    const forChannels = 'User has disabled typing notifications for channel messages'
    expectRefusal(t, await typeIn('owner', TOWN), forChannels)
    expectRefusal(t, await edit('owner', sent), forChannels)
    t.equal((await type('owner', { to: [4] })).status, 200)
    await choose('owner', { send_stream_typing_notifications: true })
    await choose('member', { receives_typing_notifications: false })
    const events = await expectConsistent(server, async () => {
      await type('owner', { to: [4] })
      await typeIn('owner', TOWN)
      await edit('owner', sent)
      await edit('owner', direct)
    })
    t.same(events.member, [])
    t.equal(events.owner?.length, 4)
    t.equal(events.guest?.length, 2)
    await choose('member', { receives_typing_notifications: true })
  },
)

t.test('[TYPING11] typing is not sent in a channel or conversation of more than 100 users', async (t) => {
  const crowd = await addCrowd(server, 100, 1_700_000_000)
  await owner.subscribe(['crowd'], { principals: [1, ...crowd.slice(1)] })
  const { stream_id: id } = await owner.must('GET', '/get_stream_id', { stream: 'crowd' })
  const sent = await owner.send('crowd', 'x', 'x')
  const typing = async () => {
    t.equal((await typeIn('owner', id)).status, 200)
    t.equal((await edit('owner', sent)).status, 200)
  }
  const client_capabilities = { stream_typing_notifications: true }
  const queue = await owner.register({
    event_types: ['typing', 'typing_edit_message'],
    client_capabilities,
  })
  await typing()
  t.match(await owner.events(queue), [{ type: 'typing', stream_id: id }, { type: 'typing_edit_message' }])
  await member.subscribe(['crowd'])
  await typing()
  t.same(await owner.events(queue), [])
  t.equal((await type('owner', { to: crowd.slice(1) })).status, 200)
  expectRefusal(t, await type('owner', { to: crowd }), 'Too many recipients (maximum 100).')
  await deactivate(server, crowd.at(-1) as UserId)
  await owner.events(queue)
  await typing()
  t.equal((await owner.events(queue)).length, 2, 'deactivated users do not count')
})
