/** Pushes of messages to phones of the API family, through the relay. */

import t from 'tap'
import type { UserId } from '../../server/domain/ids.ts'
import { loadState } from '../../server/state/load-state.ts'
import { OLDER_PUSH_KEYS } from '../../server/views/names.ts'
import { createLogger } from '../../server/logger.ts'
import { startWorker } from '../../workers/worker.ts'
import type { TestContext } from '../harness/databases/create-database.ts'
import { type Phone, type PushRelay, startPushRelay } from '../harness/providers/start-push-relay.ts'
import { startTestServer } from '../harness/servers/start-server.ts'
import { pollUntil } from '../services/poll-until.ts'

async function start(t: TestContext, relay: PushRelay) {
  const server = await startTestServer(t, { env: relay.env })
  const worker = await startWorker({ config: server.config, logger: createLogger('silent') })
  t.teardown(() => worker.close())
  const [member, owner] = [server.as('member'), server.as('owner')]
  const { sql } = server.node.services
  await member.must('PATCH', '/settings', { enable_offline_push_notifications: true })
  return {
    server,
    member,
    owner,
    sql,
    addPhone: async (kind: 'apns' | 'fcm' = 'fcm') => {
      const phone = relay.createPhone(kind)
      const { device_id } = await member.must('POST', '/register_client_device')
      await member.must('POST', '/mobile_push/register', {
        device_id,
        ...phone.keyFields,
        ...phone.tokenFields,
      })
      await pollUntil('the phone is registered', async () => {
        const { devices } = await member.must('POST', '/register', { fetch_event_types: ['device'] })
        return devices?.[device_id as number]?.push_token_id === phone.tokenId
      })
      return { phone, id: device_id as number }
    },
    write: (content: string, to = [member.userId]) =>
      owner.must('POST', '/messages', { type: 'direct', to, content }).then(({ id }) => id as number),
    /** Makes all that waits for its time due, and wakes the worker. */
    hurry: async () => {
      await sql`update pushes set due_at = now() where due_at is not null`
      await sql`select pg_notify('parley_pending', 'push')`
    },
  }
}

const contentsOf = ({ received }: Phone) =>
  received.map(({ content }) => content() as Record<string, unknown>)

t.test('[PHONE1] a message is pushed to all phones of its reader at once, encrypted for each', async (t) => {
  const relay = await startPushRelay(t)
  relay.needsAnnouncement = true
  const { server, member, owner, addPhone, write } = await start(t, relay)
  const [android, apple] = [await addPhone('fcm'), await addPhone('apns')]
  const { full_name: name } = await owner.must('GET', '/users/me')
  const group = [member.userId, server.as('member2').userId]
  const id = await write('Lunch at **noon**?', group)
  await pollUntil('both have it', () => [android, apple].every(({ phone }) => phone.received.length === 1))
  const participants = [owner.userId, ...group].sort((a, b) => a - b)
  for (const { phone } of [android, apple])
    t.match(contentsOf(phone)[0], {
      type: 'message',
      realm_url: 'http://127.0.0.1:0',
      realm_name: 'Test Organization',
      user_id: member.userId,
      sender_id: owner.userId,
      sender_full_name: name,
      sender_avatar_url: /^http:\/\/127\.0\.0\.1:0\/avatar\/1/,
      message_id: id,
      time: Number,
      content: 'Lunch at noon?',
      recipient_type: 'direct',
      recipient_user_ids: participants,
      pm_users: participants.join(','),
    })
  t.match(android.phone.received[0]?.request, { fcm_priority: 'high' })
  t.match(apple.phone.received[0]?.request, {
    http_headers: { apns_priority: 10, apns_push_type: 'alert' },
    payload: { aps: { 'mutable-content': 1, badge: 0 } },
  })
  t.equal(relay.requests.filter(({ path }) => path === 'e2ee/notify').length, 1)

  await owner.must('POST', '/channels/create', { name: 'bridge', subscribers: [owner.userId, member.userId] })
  const { group_id } = await owner.must('POST', '/user_groups/create', {
    name: 'crew',
    description: 'all hands',
    members: [member.userId],
  })
  await owner.must('POST', '/messages', {
    type: 'channel',
    to: 'bridge',
    topic: 'deck',
    content: '@*crew* look',
  })
  await pollUntil('the mention arrives', () => android.phone.received.length === 2)
  t.match(contentsOf(android.phone)[1], {
    recipient_type: 'channel',
    channel_id: Number,
    channel_name: 'bridge',
    topic: 'deck',
    content: '@crew look',
    mentioned_user_group_id: group_id,
    mentioned_user_group_name: 'crew',
  })
})

t.test('[PHONE2] reading removes the notifications from the phones, in one push', async (t) => {
  const relay = await startPushRelay(t)
  const { member, addPhone, write, sql } = await start(t, relay)
  const [{ phone }, apple] = [await addPhone(), await addPhone('apns')]
  const ids = [await write('one'), await write('two'), await write('three')]
  await pollUntil('all arrive', () => phone.received.length === 3)
  await pollUntil(
    'they are shown',
    async () => (await sql`select from pushes where shown_at is not null`).length === 3,
  )
  await sql`update pushes set due_at = null`
  await member.must('POST', '/mark_all_as_read')
  await pollUntil('nothing is left', async () => (await sql`select from pushes`).length === 0)
  const removals = contentsOf(phone).filter(({ type }) => type === 'remove')
  t.same(
    removals.flatMap(({ message_ids }) => message_ids as number[]).sort((a, b) => a - b),
    ids,
  )
  t.match(removals[0], { realm_url: 'http://127.0.0.1:0', user_id: member.userId })
  t.match(phone.received.at(-1)?.request, { fcm_priority: 'normal' })
  t.match(apple.phone.received.at(-1)?.request, {
    http_headers: { apns_priority: 5, apns_push_type: 'background' },
    payload: { aps: { 'content-available': 1 } },
  })
})

t.test('[PHONE4] a deletion removes the notification from the phones', async (t) => {
  const relay = await startPushRelay(t)
  const { owner, addPhone, write, sql } = await start(t, relay)
  const { phone } = await addPhone()
  const id = await write('a slip')
  await pollUntil(
    'it is shown',
    async () => (await sql`select from pushes where shown_at is not null`).length === 1,
  )
  await sql`update pushes set due_at = null`
  await owner.must('DELETE', `/messages/${id}`)
  await pollUntil('nothing is left', async () => (await sql`select from pushes`).length === 0)
  t.match(contentsOf(phone), [
    { type: 'message' },
    { type: 'remove', message_ids: [id], realm_name: 'Test Organization' },
  ])
})

t.test(
  '[PHONE3] tokens that the relay lost are dropped, and failures of the relay delay a push',
  async (t) => {
    const relay = await startPushRelay(t)
    const { member, addPhone, write, hurry, sql } = await start(t, relay)
    const [lost, kept] = [await addPhone(), await addPhone()]
    relay.forget(lost.phone)
    await write('first')
    await pollUntil('one phone has it', () => kept.phone.received.length === 1)
    await pollUntil('the lost token is dropped', async () => {
      const { devices } = await member.must('POST', '/register', { fetch_event_types: ['device'] })
      return devices?.[lost.id]?.push_token_id === null && devices[kept.id]?.push_token_id !== null
    })
    for (const odd of [{ status: 500 }, { status: 429 }, 'broken', { status: 403 }] as const) {
      relay.odd = odd
      const before = relay.requests.length
      await write(`during ${JSON.stringify(odd)}`)
      await pollUntil('the relay was asked', () => relay.requests.length > before)
      await pollUntil(
        'it waits',
        async () =>
          (
            await sql`select from pushes where shown_at is null and due_at > now() and due_at < now() + interval '40 seconds'`
          ).length === 1, // A claim lasts for sixty.
      )
      relay.odd = undefined
      const count = kept.phone.received.length
      await hurry()
      await pollUntil('it arrives later', () => kept.phone.received.length === count + 1)
    }
    relay.forget(kept.phone)
    await write('for nobody')
    await pollUntil('the last token is dropped', async () => {
      const { devices } = await member.must('POST', '/register', { fetch_event_types: ['device'] })
      return devices?.[kept.id]?.push_token_id === null
    })
    await pollUntil(
      'nothing waits',
      async () => (await sql`select from pushes where shown_at is null`).length === 0,
    )
  },
)

t.test(
  '[PHONE5] apps that registered a token and no device get messages that the relay can read',
  async (t) => {
    const relay = await startPushRelay(t)
    const { server, member, owner, sql, write, hurry } = await start(t, relay)
    const tokens = { fcm: 'an Android token', apns: 'ab01' }
    await member.must('POST', '/users/me/android_push_reg_id', { token: tokens.fcm })
    await member.must('POST', '/users/me/apns_device_token', { token: tokens.apns, appid: 'org.example.app' })
    await pollUntil('both are registered', () => Object.values(tokens).every((one) => relay.tokens.has(one)))
    t.ok((await loadState(sql)).listOwners.has('devices', member.userId as UserId), 'also after a restart')
    const got = (token: string) =>
      relay.received.filter((one) => one.token === token).map(({ payload }) => payload)
    const arrived = (count: number) =>
      pollUntil(`${count} arrive`, () => Object.values(tokens).every((one) => got(one).length === count))
    const names = OLDER_PUSH_KEYS
    const { full_name: name } = await owner.must('GET', '/users/me')
    const group = [member.userId, server.as('member2').userId]

    const id = await write('Lunch at **noon**?', group)
    await arrived(1)
    const participants = [owner.userId, ...group].sort((a, b) => a - b)
    const common = {
      server: '127.0.0.1:0',
      realm_id: 1,
      realm_uri: 'http://127.0.0.1:0',
      realm_url: 'http://127.0.0.1:0',
      realm_name: 'Test Organization',
      user_id: member.userId,
      sender_id: owner.userId,
      sender_email: `user${owner.userId}@127.0.0.1`,
      time: Number,
      recipient_type: 'private',
      recipient_user_ids: participants,
      pm_users: participants.join(','),
    }
    t.match(got(tokens.fcm)[0], {
      ...common,
      event: 'message',
      [names.messageId]: id,
      content: 'Lunch at noon?',
      content_truncated: false,
      sender_full_name: name,
      sender_avatar_url: /^http:\/\/127\.0\.0\.1:0\/avatar\/1/,
    })
    t.match(got(tokens.apns)[0], {
      alert: { title: name, subtitle: '', body: 'Lunch at noon?' },
      sound: 'default',
      badge: 0,
      custom: { [names.container]: { ...common, message_ids: [id] } },
    })
    const { fields } = relay.requests.find(({ path }) => path === 'notify') ?? {}
    t.match(fields, {
      user_id: member.userId,
      gcm_options: { priority: 'high' },
      android_devices: [tokens.fcm],
      apple_devices: [tokens.apns],
    })

    await owner.must('POST', '/channels/create', {
      name: 'bridge',
      subscribers: [owner.userId, member.userId],
    })
    await member.must('PATCH', '/settings', { parley_hide_notification_text: true })
    const named = `@**The member|${member.userId}** ${'x'.repeat(300)}`
    await owner.must('POST', '/messages', { type: 'channel', to: 'bridge', topic: '', content: named })
    await arrived(2)
    const place = { recipient_type: 'stream', stream: 'bridge', stream_id: Number, topic: 'general chat' }
    t.match(got(tokens.fcm)[1], { ...place, content: 'New message' })
    t.match(got(tokens.apns)[1], {
      alert: { title: '#bridge > general chat', subtitle: `${name}:`, body: 'New message' },
      custom: { [names.container]: place },
    })

    await pollUntil(
      'they are shown',
      async () => (await sql`select from pushes where shown_at is not null`).length === 2,
    )
    await member.must('POST', '/messages/flags', { op: 'add', flag: 'read', messages: [id] })
    await hurry()
    await arrived(3)
    const removal = { event: 'remove', [names.messageIds]: String(id), user_id: member.userId }
    t.match(got(tokens.fcm)[2], { ...removal, [names.messageId]: id })
    t.match(got(tokens.apns)[2], { badge: 0, custom: { [names.container]: removal } })

    relay.tokens.delete(tokens.fcm)
    await write('still there?')
    await pollUntil('one arrives', () => got(tokens.apns).length === 4)
    await pollUntil('the lost token is dropped', async () => {
      const left = await sql<{ token: string }[]>`select token from push_tokens`
      return left.length === 1 && left[0]?.token === tokens.apns
    })
  },
)
