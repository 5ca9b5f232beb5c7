import t from 'tap'
import { AUDIT_KINDS } from '../../../server/events/audit-entries.ts'
import type { Fields } from '../../harness/client/client.ts'
import { changeAddress } from '../../harness/mail/change-address.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { ACCOUNTS, PEOPLE, type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { cleanUp } from '../../../workers/jobs/upkeep/clean-up.ts'
import { pollUntil } from '../../services/poll-until.ts'

const DAY_MS = 24 * 3600 * 1_000
const server = await startTestServer(t)
const { sql } = server.node.services
const owner = server.as('owner')
const administrator = server.as('administrator')
const member = server.as('member')
const idOf = (person: Person) => ACCOUNTS.get(person)?.id as number

const read = async (fields: Fields = {}) => (await owner.must('GET', '/realm/audit_log', fields)).entries
/** The entries that an action adds, oldest first, as kind, acting user and details. */
async function entriesOf(act: () => Promise<unknown>) {
  const [last] = await read({ limit: 1 })
  await act()
  const entries = await read({ limit: 200 })
  return entries
    .filter(({ id }) => id > last.id)
    .toReversed()
    .map(({ kind, acting_user_id, details }) => [kind, acting_user_id, details])
}
const [a, m] = [idOf('administrator'), idOf('member')]

t.test('[AUDITLOG1] each change has its acting user, time and details', async (t) => {
  const before = Math.floor(Date.now() / 1_000)
  const entries = await entriesOf(async () => {
    await member.subscribe(['town'], { principals: [1, m] })
    await administrator.must('PATCH', '/streams/1', { new_name: 'village', message_retention_days: 9 })
    await owner.must('PATCH', '/realm', { name: 'Parley', message_retention_days: 99 })
    await administrator.must('PATCH', `/users/${m}`, { role: 600 })
    await administrator.must('POST', '/user_groups/create', { name: 'cooks', description: '', members: [m] })
    await administrator.must('POST', '/realm/filters', {
      pattern: '#(?P<id>[0-9]+)',
      url_template: 'https://example.com/{id}',
    })
    await administrator.must('PATCH', `/users/${m}`, { role: 400 })
    await administrator.must('PATCH', `/users/${m}`, { full_name: 'Someone' })
  })
  t.match(entries, [
    ['stream/create', m, { streams: [{ stream_id: 1, name: 'town' }] }],
    ['subscription/add', m, { stream_ids: [1], user_ids: [1, m] }],
    ['stream/update', a, { stream_id: 1, property: 'name', value: 'village' }],
    ['stream/update', a, { stream_id: 1, property: 'message_retention_days', value: 9 }],
    ['realm/update_dict', 1, { name: 'Parley', message_retention_days: 99 }],
    ['realm_user/update', a, { user_id: m, role: 600, email_changed: false }],
    ['realm_user/update', a, { user_id: 7, role: 600 }],
    ['user_group/add', a, { name: 'cooks', members: [m] }],
    ['realm_linkifiers', a, { realm_linkifiers: [{ url_template: 'https://example.com/{id}' }] }],
    ['realm_user/update', a, { user_id: m, role: 400 }],
    ['realm_user/update', a, { user_id: m, full_name: 'Someone' }],
  ])
  const [newest] = await read({ limit: 1 })
  t.match(newest, { actor: 'user', acting_user_id: a })
  t.ok(newest.timestamp >= before && newest.timestamp <= Date.now() / 1_000 + 1)
})

t.test(
  '[AUDITLOG2] deletions and moves of messages have no text; everyday and private changes have no entry',
  async (t) => {
    const entries = await entriesOf(async () => {
      const id = await member.send('village', 'hidden topic', 'hidden text')
      await owner.must('PATCH', `/messages/${id}`, { topic: 'hidden new topic' })
      await member.must('PATCH', `/messages/${id}`, { content: 'hidden new text' })
      await owner.must('POST', `/messages/${id}/reactions`, { emoji_name: 'smile', emoji_code: '1f642' })
      await member.must('PATCH', '/settings', { twenty_four_hour_time: true })
      await member.must('POST', '/users/me/muted_users/1')
      await member.must('POST', '/drafts', {
        drafts: [{ type: 'private', to: [1], topic: '', content: 'hidden draft' }],
      })
      await owner.must('DELETE', `/messages/${id}`)
    })
    // The server made its bot for the notice of the move.
    const byUsers = entries.filter(([, by]) => by !== null)
    t.match(byUsers, [
      ['update_message', 1, { stream_id: 1, new_stream_id: 1, topic_changed: true, message_ids: Array }],
      ['delete_message', 1, { stream_id: 1, message_ids: Array }],
    ])
    t.equal(byUsers.length, 2)
    t.notMatch(JSON.stringify(entries), 'hidden')
  },
)

t.test('[AUDITLOG3] no entry has an address, a password, a key or a token', async (t) => {
  const secrets = ['new-address@example.com', 'correct horse', 'service-token', 'the welcome text']
  const entries = await entriesOf(async () => {
    await administrator.must('POST', '/users', {
      email: 'new-address@example.com',
      password: 'correct horse',
      full_name: 'New',
    })
    await changeAddress(server, member, 'new-address2@example.com')
    const { api_key } = await owner.must('POST', '/users/me/api_key/regenerate')
    owner.key = api_key
    secrets.push(api_key, 'new-address2')
    await member.must('POST', '/bots', {
      full_name: 'Hook',
      short_name: 'hook',
      bot_type: 3,
      payload_url: JSON.stringify('https://example.com/service-token'),
    })
    const { invite_link } = await owner.must('POST', '/invites/multiuse', {
      welcome_message_custom_text: 'the welcome text',
    })
    secrets.push(invite_link.split('/').filter(Boolean).at(-1) ?? '')
  })
  const kinds = entries.map(([kind]) => kind)
  for (const kind of [
    'realm_user/add',
    'realm_user/update',
    'api_keys_changed',
    'bot_setup_changed',
    'invites_changed',
  ])
    t.ok((kinds as readonly string[]).includes(kind), kind)
  const text = JSON.stringify(await read({ limit: 200 }))
  for (const secret of secrets) t.notOk(text.includes(secret), `not ${secret}`)
  const hashes = await sql<{ hash: string }[]>`select unnest(api_key_hashes) as hash from users`
  t.ok(hashes.length > 0)
  for (const { hash } of hashes) t.notOk(text.includes(hash))
  t.ok(
    entries.some(([kind, by]) => kind === 'api_keys_changed' && by === 1),
    'by the user',
  )
})

t.test(
  '[AUDITLOG8] an invitation is logged with its maker, and with the administrator who revoked it',
  async (t) => {
    const entries = await entriesOf(async () => {
      await owner.must('POST', '/invites/multiuse', {})
      const { invites } = await owner.must('GET', '/invites')
      await administrator.must('DELETE', `/invites/multiuse/${invites[0].id}`)
    })
    t.match(entries, [
      ['invites_changed', 1, { op: 'made', inviter_id: 1, role: 400 }],
      ['invites_changed', a, { op: 'revoked', inviter_id: 1, invite_id: Number }],
    ])
    t.equal(entries.length, 2)
  },
)

t.test('[AUDITLOG4] only owners read it', async (t) => {
  for (const person of PEOPLE) {
    const client = person === 'member' ? member : server.as(person)
    const answer = await client.get('/realm/audit_log', person === 'owner' ? {} : { before_id: 1 })
    if (person === 'owner') t.equal((await owner.get('/realm/audit_log')).status, 200)
    else expectRefusal(t, answer, 'Must be an organization owner')
  }
  t.equal((await server.anyone.get('/realm/audit_log')).status, 401)
})

t.test('[AUDITLOG5] entries are filtered by acting user, kind and time, and read in pages', async (t) => {
  const all = await read({ limit: 200 })
  const by = await read({ acting_user_id: a })
  t.same(
    by,
    all.filter(({ acting_user_id }) => acting_user_id === a),
  )
  t.ok(by.length > 3)
  const kinds = ['stream/create', 'stream/update']
  t.same(
    await read({ kinds }),
    all.filter(({ kind }) => kinds.includes(kind)),
  )
  t.same(await read({ acting_user_id: 12_345_678_901 }), [], 'an unknown user has made no change')
  t.same(await read({ until: 1_000_000_000 }), [])
  t.equal((await read({ since: 1_000_000_000, limit: 200 })).length, all.length)
  const pages: Awaited<ReturnType<typeof read>>[number][] = []
  for (let before_id: number | undefined; ; before_id = pages.at(-1)?.id) {
    const page = await owner.must('GET', '/realm/audit_log', { limit: 7, before_id })
    pages.push(...page.entries)
    t.ok(page.entries.length <= 7)
    if (page.found_oldest) break
  }
  t.same(pages, all)
  for (const [name, value] of [
    ['kinds', ['message']],
    ['limit', 0],
    ['limit', 201],
    ['since', -1],
    ['until', 1e15],
    ['before_id', 'x'],
  ] as const)
    t.equal((await owner.get('/realm/audit_log', { [name]: value })).status, 400, `${name} ${String(value)}`)
})

t.test(
  '[AUDITLOG6] entries outlive the log by two years; the acting user of earlier releases is unknown',
  async (t) => {
    // As a release without the column writes.
    const [row] = await sql<{ id: number }[]>`
    update event_counter set last_id = last_id + 1 returning last_id as id`
    const id = row?.id ?? 0
    await sql`insert into event_log (id, event, audience) values (${id}, '{"type":"default_streams","channelIds":[1]}', '')`
    await pollUntil('the server has it', () => server.node.services.state.appliedId >= id)
    const [newest, ...before] = await read({ limit: 200 })
    t.match(newest, { id, kind: 'default_streams', actor: 'unknown', acting_user_id: null })
    t.ok(
      before.some(({ actor }) => actor === 'server'),
      'the operator made the accounts',
    )
    await sql`update event_log set logged_at = logged_at - interval '9 days'`
    const aged = [newest, ...before].map((one) => ({ ...one, timestamp: one.timestamp - 9 * 86_400 }))
    await Promise.all(Array.from({ length: 100 }, () => owner.sendDirect([1], 'later')))
    await cleanUp(sql, new Date())
    const stored = await sql`select from audit_log`
    t.ok(stored.length > 0 && stored.length <= aged.length)
    t.same(await read({ limit: 200 }), aged)
    t.same(
      await read({ limit: 200, kinds: ['stream/create'] }),
      aged.filter(({ kind }) => kind === 'stream/create'),
    )
    const text = JSON.stringify(await sql`select part from audit_log`)
    t.notMatch(text, /hidden|correct horse|@example.com/)
    await cleanUp(sql, new Date(Date.now() + 720 * DAY_MS))
    t.equal((await read({ limit: 200 })).length, aged.length)
    await cleanUp(sql, new Date(Date.now() + 732 * DAY_MS))
    t.same(await read({ limit: 200 }), [])
  },
)

t.test('[AUDITLOG7] sends take no byte of the log for it', async (t) => {
  const id = await owner.send('village', 'x', 'y')
  t.same(await sql`select actor_id from event_log where id = ${id}`, [{ actor_id: null }])
  t.notOk(AUDIT_KINDS.includes('message' as never))
})
