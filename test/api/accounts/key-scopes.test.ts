/** Scopes of keys of programs: what each opens, and what stays closed. */

import t from 'tap'
import { KEY_OPERATIONS } from '../../../server/api/door/key-scopes.ts'
import { AGENT_POLICY, FILE_POLICY, STREAM_POLICY } from '../../../server/api/door/policies.ts'
import { OPERATIONS } from '../../../server/api/table.ts'
import type { Client, Fields } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { sendWebhook } from '../../integrations/send-webhook.ts'
import { type MadeKey, startKeys } from './start-keys.ts'

const { clock, server, url, makeKey, makeBot, isNoKey, GENERAL, OTHER, HIDDEN } = await startKeys(t)
const [owner, member] = [server.as('owner'), server.as('member')]

const EXCEEDED = 'This key is not for this request.'
const isExceeded = (answer: { status: number; body: object }) =>
  expectRefusal(t, answer as never, EXCEEDED, { status: 403, code: 'KEY_SCOPE_EXCEEDED' })

await t.test('[NAMEDKEY3] each operation is closed to a key unless its scope names it', async (t) => {
  const known = new Set(
    [...OPERATIONS, AGENT_POLICY, FILE_POLICY, STREAM_POLICY].map(({ method, path }) => `${method} ${path}`),
  )
  for (const [scope, operations] of Object.entries(KEY_OPERATIONS))
    for (const name of operations.keys()) t.ok(known.has(name), `${scope}: ${name}`)
  const bot = await makeBot(member)
  const keys = {
    read: await makeKey(member, 'read'),
    messages: await makeKey(member, 'messages'),
    channel: await makeKey(member, 'channel', { stream_id: GENERAL }),
    webhooks: await makeKey(bot, 'webhooks', {}, member),
  } as const
  for (const { method, path, access, takesWebhook } of OPERATIONS) {
    if (access === 'anyone' || takesWebhook) continue
    // An id that nothing has.
    const asked = path.replaceAll(/\{[^}]*\}/g, '999999')
    for (const [scope, { program }] of Object.entries(keys) as [keyof typeof keys, MadeKey][]) {
      const { status } = await program.request(method, asked as '/users/me')
      const isOpen = KEY_OPERATIONS[scope].has(`${method} ${path}`)
      // A channel that is not the key's is refused later, in the same words.
      if (!isOpen) t.equal(status, 403, `${scope} ${method} ${path}`)
      else if (scope !== 'channel') t.not(status, 403, `${scope} ${method} ${path}`)
      clock.leap(60_000)
    }
  }
  const writes = ['POST', 'PUT', 'PATCH', 'DELETE']
  const changesOf = (scope: 'read' | 'messages') =>
    OPERATIONS.filter(
      ({ method, path, events }) =>
        KEY_OPERATIONS[scope].has(`${method} ${path}`) && (events.length > 0 || writes.includes(method)),
    ).map(({ method, path }) => `${method} ${path}`)
  const harmless = ['POST /register', 'DELETE /events', 'POST /messages/render']
  t.same(changesOf('read'), harmless, 'a key that reads writes nothing')
  t.same(
    changesOf('messages').filter((name) => !harmless.includes(name)),
    [
      'POST /messages',
      'POST /messages/{message_id}/reactions',
      'DELETE /messages/{message_id}/reactions',
      'POST /drafts',
      'PATCH /drafts/{draft_id}',
      'DELETE /drafts/{draft_id}',
    ],
    'one for messages writes these',
  )
})

await t.test('[NAMEDKEY4] a key that reads sees what its user sees, and changes nothing', async (t) => {
  const { program } = await makeKey(member, 'read')
  const id = await owner.send('general', 'topic', 'hello')
  const { messages } = await program.must('GET', '/messages', { anchor: 'newest', num_before: 1, narrow: [] })
  t.match(messages, [{ id, flags: [] }])
  isExceeded(await program.post('/messages', { type: 'channel', to: 'general', topic: 't', content: 'c' }))
  isExceeded(await program.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }))
  isExceeded(await program.post('/users/me/keys', { name: 'more', scope: 'read' }))
  isExceeded(await program.get('/users/me/keys'))
  isExceeded(await program.post('/users/me/api_key/regenerate'))
  isExceeded(await program.post('/events/ticket'))
  const beyond = await program.get('/invites')
  isExceeded(beyond)
  t.ok(beyond.headers.has('x-ratelimit-remaining'), 'what is refused counts for its user, too')
  const upload = await fetch(`${url}/api/v1/tus/`, {
    method: 'POST',
    headers: { authorization: program.authorization, 'tus-resumable': '1.0.0', 'upload-length': '1' },
  })
  t.equal(upload.status, 403, 'nor resumable uploads')
  const { state: seen } = await program.register()
  t.equal(seen.realm_bots, undefined, 'the tokens of bots are not shown')
  t.ok(seen.subscriptions)
  const file = await owner.upload('/user_uploads', [new Uint8Array([1])])
  const shared = `[file](${file.body.url})`
  await owner.send('general', 'topic', shared)
  const got = await fetch(url + String(file.body.url), { headers: { authorization: program.authorization } })
  t.equal(got.status, 200, 'files that messages show')
})

await t.test(
  '[NAMEDKEY17] a key for messages sends, reacts and drafts with the rights of its user',
  async (t) => {
    const { program } = await makeKey(member, 'messages')
    const send = (to: string) =>
      program.post('/messages', { type: 'channel', to, topic: 't', content: 'by program' })
    const sent = await send('general')
    t.equal(sent.status, 200)
    t.equal((await send('other')).status, 200)
    t.equal(
      (await send('hidden')).body.msg,
      (await member.post('/messages', { type: 'channel', to: 'hidden', topic: 't', content: 'c' })).body.msg,
    )
    const reactions = `/messages/${sent.body.id}/reactions` as '/messages/1/reactions'
    t.equal((await program.post(reactions, { emoji_name: 'tada' })).status, 200)
    t.equal((await program.delete(reactions, { emoji_name: 'tada' })).status, 200)
    const { ids } = await program.must('POST', '/drafts', {
      drafts: [{ type: '', to: [], topic: '', content: 'later' }],
    })
    await program.must('DELETE', `/drafts/${ids[0]}` as '/drafts/1')
    isExceeded(await program.patch(`/messages/${sent.body.id}` as '/messages/1', { content: 'changed' }))
    isExceeded(await program.delete(`/messages/${sent.body.id}` as '/messages/1'))
    isExceeded(await program.post('/messages/flags', { messages: [sent.body.id], op: 'add', flag: 'read' }))
    isExceeded(await program.post('/users/me/keys', { name: 'more', scope: 'read' }))
  },
)

await t.test('[NAMEDKEY18] a key for a channel reacts and uploads there', async (t) => {
  const { program } = await makeKey(member, 'channel', { stream_id: GENERAL })
  const isMissing = (answer: { status: number; body: object }) =>
    expectRefusal(t, answer as never, 'Invalid message(s)')
  const reactions = (id: number) => `/messages/${id}/reactions` as '/messages/1/reactions'
  const within = await owner.send('general', 'topic', 'hello')
  t.equal((await program.post(reactions(within), { emoji_name: 'tada' })).status, 200)
  t.match((await member.must('GET', `/messages/${within}`)).message.reactions, [{ user_id: member.userId }])
  t.equal((await program.delete(reactions(within), { emoji_name: 'tada' })).status, 200)
  t.same((await member.must('GET', `/messages/${within}`)).message.reactions, [])
  // Messages that its user reads elsewhere, and those that nobody has, look alike.
  const elsewhere = [await owner.send('other', 'topic', 'x'), await owner.sendDirect([member.userId], 'x')]
  for (const id of elsewhere) {
    isMissing(await program.post(reactions(id), { emoji_name: 'tada' }))
    isMissing(await program.post(reactions(id), { emoji_name: 'no such emoji' }))
    await member.must('POST', reactions(id), { emoji_name: 'tada' })
    isMissing(await program.delete(reactions(id), { emoji_name: 'tada' }))
    t.equal((await member.must('GET', `/messages/${id}`)).message.reactions.length, 1)
  }
  isMissing(await program.post(reactions(999_999), { emoji_name: 'tada' }))
  const file = await program.upload('/user_uploads', [new Uint8Array([1])])
  t.equal(file.status, 200)
  const content = `[report](${file.body.url})`
  await program.must('POST', '/messages', { type: 'channel', to: 'general', topic: 'topic', content })
  const got = await fetch(url + String(file.body.url), { headers: { authorization: owner.authorization } })
  t.equal(got.status, 200, 'others in the channel have it')
  isExceeded(await program.get('/attachments'))
})

await t.test('[NAMEDKEY5] a key for a channel reads and posts there, and nowhere else', async (t) => {
  const { program } = await makeKey(member, 'channel', { stream_id: GENERAL })
  const send = (to: unknown, more: Fields = {}) =>
    program.post('/messages', { type: 'channel', to, topic: 'topic', content: 'by program', ...more })
  for (const to of [GENERAL, 'general', ' General ', [GENERAL], ['general']])
    t.equal((await send(to)).status, 200, JSON.stringify(to))
  const own = (await send('general')).body.id
  const elsewhere = await owner.send('other', 'topic', 'secret')
  for (const to of [
    OTHER,
    'other',
    HIDDEN,
    'hidden',
    999,
    'nowhere',
    [GENERAL, OTHER],
    [],
    ['general', 'other'],
  ])
    isExceeded(await send(to))
  isExceeded(await program.post('/messages', { type: 'direct', to: [1], content: 'by program' }))
  const read = (narrow: unknown, more: Fields = {}) =>
    program.get('/messages', { anchor: 'newest', num_before: 100, narrow, ...more })
  for (const narrow of [
    [['channel', 'general']],
    [
      ['stream', GENERAL],
      ['topic', 'topic'],
    ],
  ]) {
    const { status, body } = await read(narrow)
    t.equal(status, 200)
    t.ok(body.messages.some(({ id }) => id === own))
    t.ok(body.messages.every(({ stream_id: id }) => id === GENERAL))
  }
  const outside: readonly unknown[] = [
    [],
    [['channel', 'other']],
    [['channel', HIDDEN]],
    [['channel', 'nowhere']],
    [{ operator: 'channel', operand: 'general', negated: true }],
    [['channels', 'public']],
    [['is', 'dm']],
    [
      ['channel', 'general'],
      ['with', elsewhere],
    ],
    [
      ['channel', 'general'],
      ['topic', 'x'],
      ['near', elsewhere],
    ],
    [
      ['channel', 'general'],
      ['channel', 'other'],
    ],
    [
      ['channel', 'general'],
      ['unheard', 'of'],
    ],
  ]
  for (const narrow of outside) isExceeded(await read(narrow))
  isExceeded(await program.get('/messages', { message_ids: [elsewhere], narrow: [['channel', 'general']] }))
  isExceeded(await program.get(`/messages/${own}`))
  t.equal((await program.get(`/streams/${GENERAL}`)).status, 200)
  t.equal((await program.get(`/users/me/${GENERAL}/topics`)).status, 200)
  for (const id of [OTHER, HIDDEN, 999]) {
    isExceeded(await program.get(`/streams/${id}`))
    isExceeded(await program.get(`/users/me/${id}/topics`))
  }
})

await t.test('[NAMEDKEY6] event queues of a key have what it reads, and are its own', async (t) => {
  const [one, reading] = [
    await makeKey(member, 'channel', { stream_id: GENERAL }),
    await makeKey(member, 'read'),
  ]
  const [full, queue, readQueue] = [
    await member.register(),
    await one.program.register({ fetch_event_types: ['realm', 'realm_user'] }),
    await reading.program.register(),
  ]
  t.equal(queue.state.realm_users, undefined, 'no state besides the channel')
  const id = await owner.send('general', 'topic', 'here')
  await owner.send('other', 'topic', 'there')
  await owner.sendDirect([member.userId], 'direct')
  await member.must('POST', '/saved_snippets', { title: 'a', content: 'b' })
  const bot = await makeBot(member)
  t.match(await one.program.events(queue), [{ type: 'message', message: { id } }])
  const types = async (client: Client, from: typeof full) =>
    (await client.events(from)).map(({ type }) => String(type))
  const forAll = await types(member, full)
  t.ok(forAll.includes('realm_bot'), bot.email)
  t.same(
    await types(reading.program, readQueue),
    forAll.filter((type) => type !== 'realm_bot'),
  )
  const poll = (client: Client, { queueId }: typeof full) =>
    client.get('/events', { queue_id: queueId, dont_block: true })
  for (const [client, other] of [
    [member, queue],
    [one.program, full],
    [one.program, readQueue],
    [reading.program, queue],
  ] as const) {
    const isNoQueue = { status: 400, body: { code: 'BAD_EVENT_QUEUE_ID' } }
    t.match(await poll(client, other), isNoQueue)
    t.match(await client.delete('/events', { queue_id: other.queueId }), isNoQueue)
  }
  t.equal((await reading.program.delete('/events', { queue_id: readQueue.queueId })).status, 200)
})

await t.test('[NAMEDKEY10] a key for webhooks posts those of its bot, and opens nothing else', async (t) => {
  const [bot, hooks] = [await makeBot(member), await makeBot(member, 2)]
  for (const holder of [bot, hooks]) {
    const made = await makeKey(holder, 'webhooks', { expires_in_seconds: 3600 }, member)
    const post = (key: string) =>
      sendWebhook(url, 'text', {
        payload: `by ${holder.userId}`,
        raw: 'text/plain',
        query: { api_key: key, stream: 'general', topic: 'hooks' },
      })
    t.equal((await post(made.key)).status, 200)
    const { messages } = await owner.must('GET', '/messages', {
      anchor: 'newest',
      num_before: 1,
      narrow: [['channel', 'general']],
      apply_markdown: false,
    })
    t.match(messages, [{ sender_id: holder.userId, content: `by ${holder.userId}` }])
    isExceeded(
      await made.program.post('/messages', { type: 'channel', to: 'general', topic: 't', content: 'c' }),
    )
    const reading = await makeKey(holder, 'channel', { stream_id: GENERAL }, member)
    isExceeded(await post(reading.key))
    const { keys } = await member.must('GET', `/bots/${holder.userId}/keys`)
    t.same(keys.map(({ scope }) => scope).sort(), ['channel', 'webhooks'])
    t.equal((await member.delete(`/bots/${holder.userId}/keys/${made.id}`)).status, 200)
    isNoKey(await post(made.key))
  }
  const brief = await makeKey(hooks, 'webhooks', { expires_in_seconds: 60 }, member)
  clock.leap(60_000)
  isNoKey(
    await sendWebhook(url, 'text', { payload: 'late', raw: 'text/plain', query: { api_key: brief.key } }),
  )
})
