/** Imports beside what is there, through a running server: what came over, what did not, and a second run. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { importKey } from '../../../db/imports/imported-ids.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { check } from '../../../server/admin/check.ts'
import { indexMessages } from '../../../workers/jobs/upkeep/index-messages.ts'
import { makeZip, writeJsonZip } from '../../harness/files/write-zip.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { makeFolder } from '../../harness/client/tus.ts'
import { moduleSettings } from '../../harness/servers/environment.ts'
import { createDatabase } from '../../harness/databases/create-database.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { runHere } from '../run-here.ts'
import { atMs, MATTERMOST } from './mattermost-fixture.ts'
import { SLACK, ts } from './slack-fixture.ts'

const DATA_DIR = await makeFolder(t)
const server = await startTestServer(t, { env: { DATA_DIR } })
const { sql, fileStore, state } = server.node.services
const member = server.as('member')
const owner = server.as('owner')
await member.subscribe(['general'])
await member.send('general', 'here', 'written here')
const queue = await member.register({ all_public_streams: true, event_types: ['message'] })
const { unread_msgs: unreadBefore } = await member.must('POST', '/register')
const path = join(DATA_DIR, 'slack.zip')
writeJsonZip(path, SLACK)

async function importFrom(product: string, file: string, ...options: string[]) {
  const settings = { DATA_DIR, DATABASE_URL: server.databaseUrl }
  const ending = await runHere(settings, ['import', product, file, ...options])
  const [log] = await sql<{ last: number }[]>`select last_id as last from event_counter`
  await pollUntil('the server to follow', () => state.appliedId >= (log?.last ?? 0))
  return { ...ending, summary: ending.code === 0 ? JSON.parse(ending.stdout) : undefined }
}

/** The messages that a person reads in a narrow, the oldest first. */
async function read(who: typeof member, narrow: readonly (readonly [string, string | number | number[]])[]) {
  const { messages } = await who.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    apply_markdown: false,
    allow_empty_topic_name: true,
    narrow: narrow.map(([operator, operand]) => ({ operator, operand })),
  })
  return messages
}

const reportPath = join(DATA_DIR, 'report.json')
const readLog = () => sql`select last_id from event_counter`
const before = [...(await readLog())]
const planned = await importFrom('slack', path, '--dry-run')
const after = [...(await readLog())]
let first: Awaited<ReturnType<typeof importFrom>> = planned
await expectConsistent(server, async () => {
  first = await importFrom('slack', path, '--json', reportPath)
})
t.equal(first.code, 0, first.stderr)
const report = JSON.parse(readFileSync(reportPath, 'utf8'))
const { members } = await owner.must('GET', '/users')
const personOf = (name: string) => members.find(({ full_name }: { full_name: string }) => full_name === name)

t.test('[IMPORT1] a dry run counts the same and changes nothing', async (t) => {
  t.equal(planned.code, 0, planned.stderr)
  t.match(planned.summary, { dry_run: true, messages: first.summary.messages, topics: first.summary.topics })
  t.strictSame(after, before)
  t.ok(planned.summary.estimated_minutes >= 1)
})

t.test('[IMPORT2] people come with their state, and an account of the same address is theirs', async (t) => {
  t.match(personOf('Ann b Lee /b'), { email: 'u1@example.org', is_active: true, role: 400, is_bot: false })
  t.match(personOf('Bo'), { role: 600, is_guest: true })
  t.match(personOf('Cy Gone'), { is_active: false })
  t.equal(personOf('Member of both'), undefined)
  t.match(personOf('No Address'), { is_active: false })
  t.match(personOf('Deploy Bot'), { is_bot: true, is_active: true })
  t.match(personOf('Old Hook'), { is_bot: true, is_active: false })
  t.match(personOf('Zoe Extern'), { is_active: false })
  t.match(personOf('Unlisted user W99'), { is_active: false })
  t.match(first.summary.users, { created: 8, matched: 1, deactivated: 1, bots: 2, placeholders: 3 })
})

t.test('[IMPORT16] a person claims their account by a password, and joins at the first log-in', async (t) => {
  const ann = await sql<{ joinedAt: number }[]>`
    select joined_at as "joinedAt" from users where email = 'u1@example.org' and awaits_login`
  t.equal(ann.length, 1)
  const password = 'a long and new password'
  const settings = { DATA_DIR, DATABASE_URL: server.databaseUrl }
  const set = await runHere(settings, ['user', 'set-password', '--email', 'u1@example.org'], `${password}\n`)
  t.equal(set.code, 0, set.stderr)
  const body = new URLSearchParams({ username: 'u1@example.org', password })
  const reply = await fetch(new URL('/api/v1/fetch_api_key', member.url), { method: 'POST', body })
  t.equal(reply.status, 200)
  t.equal((await sql`select from users where email = 'u1@example.org' and awaits_login`).length, 0)
})

t.test('[IMPORT3] channels come with members, and a taken name gets a suffix', async (t) => {
  const { streams } = await owner.must('GET', '/streams', { include_all: true, exclude_archived: false })
  const channel = (name: string) => streams.find((one: { name: string }) => one.name === name)
  const general = channel('general (Slack)')
  t.match(general, { description: 'For #old & all', invite_only: false, is_archived: false })
  t.match(channel('secret'), { invite_only: true, history_public_to_subscribers: true })
  t.equal(channel('old')?.date_created, 1_500_000_000)
  t.ok(channel('secret')?.date_created > 1_500_000_000, 'a time before Slack is none')
  t.match(channel('old'), { is_archived: true })
  const { subscribers } = await owner.must('GET', `/streams/${general.stream_id}/members`)
  t.strictSame(
    new Set(subscribers),
    new Set([personOf('Ann b Lee /b').user_id, personOf('Bo').user_id, member.userId]),
  )
  const place = report.places.find((one: { name: string }) => one.name === 'general')
  t.match(place, { imported_as: 'general (Slack)', kind: 'public', members: 3 })
})

t.test('[IMPORT4] a thread is one topic over all days, and broadcast replies are quoted', async (t) => {
  const name = 'Could we move the #old release to Friday?'
  const thread = await read(member, [
    ['channel', 'general (Slack)'],
    ['topic', name],
  ])
  t.strictSame(
    thread.map(({ content }) => content),
    ['Could we move the #**old** release to Friday?', 'Fine with me', 'Then Friday it is', 'the last reply'],
  )
  const main = await read(member, [
    ['channel', 'general (Slack)'],
    ['topic', ''],
  ])
  const quoted = main.find(({ content }) => content.includes('Then Friday it is'))
  t.equal(quoted?.content, `#**general (Slack)>${name}**\n\`\`\`quote\nThen Friday it is\n\`\`\``)
  const stray = await read(member, [
    ['channel', 'general (Slack)'],
    ['topic', 'Could we move the #old release to… (2024-03-04)'],
  ])
  t.equal(stray.length, 1)
})

t.test('[IMPORT5] messages keep time, sender, edits, reactions with skin tones and mentions', async (t) => {
  const all = await read(member, [['channel', 'general (Slack)']])
  const [hello] = all
  t.match(hello, {
    timestamp: Math.floor(Number(ts(0, 0))),
    content: `Good **morning** @**${(await member.must('GET', '/users/me')).full_name}|${member.userId}**, see [the _plan_](https://example.org/a_b)`,
    flags: ['read', 'mentioned'],
  })
  const root = all.find(({ content }) => content.startsWith('Could we'))
  t.equal(root?.last_edit_timestamp, Math.floor(Number(ts(0, 90))))
  t.strictSame(
    root?.reactions.map(({ emoji_code, user_id }) => [emoji_code, user_id]),
    [
      ['1f44d-1f3fc', personOf('Bo').user_id],
      ['1f44d-1f3fc', personOf('Unlisted user W99').user_id],
      ['274c', personOf('Ann b Lee /b').user_id],
    ],
  )
  const ofBots = all.filter(({ sender_full_name }) => /Bot|Hook/.test(sender_full_name))
  t.strictSame(
    ofBots.map(({ content, sender_full_name }) => [sender_full_name, content]),
    [
      ['Deploy Bot', '**Build 7**\nok'],
      ['Old Hook', 'ping'],
    ],
  )
  t.ok(
    all.some(({ content }) => content === '[plan.pdf](https://files.slack.com/F1/plan.pdf)'),
    'no token',
  )
  t.strictSame(
    all.filter(({ content }) => /^x+$/.test(content)).map(({ content }) => content.length),
    [10_000, 1],
  )
  const future = all.find(({ content }) => content === 'from the future')
  t.ok(future && future.timestamp <= Date.now() / 1000)
})

t.test('[IMPORT6] direct messages reach their partners alone, and nothing imported is unread', async (t) => {
  const ann = personOf('Ann b Lee /b').user_id
  const [direct] = await read(member, [['dm', [ann]]])
  t.equal(direct?.content, `just @**${(await member.must('GET', '/users/me')).full_name}|${member.userId}**`)
  t.equal((await read(owner, [['dm', [ann]]])).length, 0)
  t.equal((await read(member, [['dm', [ann, personOf('Bo').user_id]]])).length, 1)
  t.equal((await read(member, [['channel', 'secret']]).catch(() => [])).length, 0)
  const { unread_msgs } = await member.must('POST', '/register')
  t.strictSame(unread_msgs, unreadBefore)
})

t.test(
  '[IMPORT7] a running server sends imported messages to queues, finds them, and shows the pin',
  async (t) => {
    const events = await member.events(queue)
    t.ok(events.some((event) => event.message?.content === 'the last reply'))
    await indexMessages(sql)
    const found = await read(member, [['search', 'friday']])
    t.ok(found.length >= 3)
    const { channel_pins: pins } = await member.must('POST', '/register')
    t.match(JSON.stringify(pins ?? (await sql`select * from channel_pins`)), /message/)
  },
)

t.test(
  '[IMPORT15] a date finds its message beside what was written before, and in imported channels',
  async (t) => {
    const since = async (date: string, channel?: string) => {
      const { messages, anchor } = await member.must('GET', '/messages', {
        anchor: 'date',
        anchor_date: date,
        num_before: 0,
        num_after: 1,
        apply_markdown: false,
        narrow: channel === undefined ? [] : [{ operator: 'channel', operand: channel }],
      })
      t.equal(messages[0]?.id, anchor)
      return messages[0]?.content
    }
    await member.send('general', 'here', 'written afterwards')
    t.equal(await since('2024-03-06T00:00:00Z', 'general (Slack)'), 'the last reply')
    t.equal(await since('2024-03-06T00:00:00Z', 'general'), 'written here')
    t.equal(await since('2024-03-06T00:00:00Z'), 'the last reply')
    t.equal(await since('2000-01-01T00:00:00Z', 'general'), 'written here')
    const breaks = await sql<{ id: number }[]>`select id from time_breaks order by id`
    t.ok(breaks.length >= 1 && breaks.length <= 2, 'the import, and what follows the message from the future')
  },
)

t.test('[IMPORT8] the report says what was left out, where and why', async (t) => {
  const place = report.places.find((one: { name: string }) => one.name === 'general')
  const reasons = new Map(
    place.left_out.map((one: { reason: string; count: number }) => [one.reason, one.count]),
  )
  for (const reason of [
    'a message without a valid time',
    'a deleted message',
    'a message that is there twice',
    'a reaction with an unknown emoji',
    'the time of a message from the future',
    'a notice of Slack (channel_join)',
    'nothing: a long message became several',
  ])
    t.equal(reasons.get(reason), 1, reason)
  t.equal(first.summary.left_out['a folder of no listed channel'], 1)
  t.equal(first.summary.left_out['a user without an id'], 1)
})

t.test('[IMPORT9] a second run adds nothing, and a later export only what is new', async (t) => {
  const count = async () => (await sql`select last_id from event_counter`)[0]?.['last_id']
  const before = await count()
  const second = await importFrom('slack', path)
  t.match(second.summary, { messages: 0, topics: 0, already_imported: first.summary.messages })
  t.equal(await count(), before)
  const later = join(DATA_DIR, 'later.zip')
  const reply = { type: 'message', user: 'U1', ts: ts(2, 60), text: 'one more', thread_ts: ts(0, 60) }
  writeJsonZip(later, { ...SLACK, 'general/2024-03-07.json': [reply] })
  t.match((await importFrom('slack', later)).summary, { messages: 1, topics: 0 })
  const thread = await read(member, [
    ['channel', 'general (Slack)'],
    ['topic', 'Could we move the #old release to Friday?'],
  ])
  t.equal(thread.at(-1)?.content, 'one more')
})

t.test('[IMPORT12] an import that is killed is continued, without a message lost or twice', async (t) => {
  const count = 3_000
  const people = [{ id: 'UK', name: 'kim', profile: { real_name: 'Kim', email: 'kim@example.org' } }]
  const at = (index: number) => `${1_600_000_000 + index}.000200`
  const messages = Array.from({ length: count }, (_, index) => ({
    user: 'UK',
    ts: at(index),
    text: `number ${index}`,
  }))
  const file = join(DATA_DIR, 'long.zip')
  writeJsonZip(file, {
    'users.json': people,
    'channels.json': [{ id: 'CK', name: 'long', created: 1, members: ['UK'] }],
    'long/2020-09-13.json': messages,
  })
  const stored = async () =>
    Number((await sql`select count(*) from messages where content like 'number %'`)[0]?.['count'])
  const blocked = Promise.withResolvers<void>()
  const killed = Promise.withResolvers<void>()
  // The import waits at the third batch, of which the test holds one key.
  const holding = sql
    .begin(async (tx) => {
      await tx`insert into imported_ids (key, id) values (${importKey('slack', 'message', 'CK', at(1_200))}, 0)`
      blocked.resolve()
      await killed.promise
      throw new Error('let go')
    })
    .catch(() => undefined)
  await blocked.promise
  const { PATH = '' } = process.env
  const main = join(import.meta.dirname, '../../../server/admin/main.ts')
  const child = spawn(process.execPath, [main, 'import', 'slack', file], {
    env: { PATH, ...moduleSettings(), DATA_DIR, DATABASE_URL: server.databaseUrl },
    stdio: 'ignore',
  })
  await pollUntil('the first batches', async () => (await stored()) >= 1_000)
  child.kill('SIGKILL')
  await once(child, 'exit')
  killed.resolve()
  await holding
  // PostgreSQL ends the batch that it had received as a whole.
  const isGone = async () =>
    (
      await sql`select from pg_stat_activity where datname = current_database() and application_name = 'parley-import'`
    ).length === 0
  await pollUntil('the end of the killed batch', isGone)
  t.ok((await stored()) < count)
  const { summary } = await importFrom('slack', file)
  t.equal(summary.messages + summary.already_imported, count)
  const rows = await sql`select content from messages where content like 'number %' order by id`
  t.strictSame(
    rows.map((row) => row['content']),
    messages.map(({ text }) => text),
  )
})

t.test(
  '[IMPORT13] Mattermost: posts in the order of their times, with threads, mentions and Markdown',
  async (t) => {
    const file = join(DATA_DIR, 'mattermost.zip')
    writeFileSync(file, makeZip([{ name: 'import.jsonl', content: MATTERMOST }]))
    const counted = await importFrom('mattermost', file, '--dry-run')
    const { code, stderr, summary } = await importFrom('mattermost', file)
    t.equal(code, 0, stderr)
    t.match(summary, {
      messages: 7,
      topics: 1,
      users: { created: 5, deactivated: 1, bots: 2 },
      channels: { archived: 1 },
    })
    t.match(counted.summary, { messages: 7, topics: 1 })
    t.match(summary.left_out, {
      'a line that is not JSON': 1,
      'a line of an unknown kind': 1,
      'a custom emoji without a picture': 1,
      'a notice of Mattermost (system_join_channel)': 1,
      'a message without a valid time': 1,
    })
    const all = await read(member, [['channel', 'Town Square']])
    const { members } = await owner.must('GET', '/users')
    const eli = members.find(({ email }: { email: string }) => email === 'eli@example.org')
    t.strictSame(
      all.map(({ content, subject }) => [subject, content]),
      [
        ['', 'the first post'],
        ['', '**Deploy**\ndone'],
        ['', 'from a hook'],
        ['an early answer', 'an early answer'],
        [
          'an early answer',
          `A question for @**eli.fox|${eli?.user_id}**. and #**Annex**: is **this** *right*? \`@dee\``,
        ],
        ['an early answer', 'thanks\n\nplan.pdf (a file that was not imported)'],
      ],
    )
    t.match(all[4], {
      timestamp: atMs(100) / 1000,
      last_edit_timestamp: atMs(150) / 1000,
      reactions: [{ emoji_code: '1f44b-1f3fe' }, { emoji_code: '1f604', emoji_name: 'big_smile' }],
    })
    t.match(eli, { role: 600, is_guest: true })
    const dee = members.find(({ email }: { email: string }) => email === 'dee@example.org')
    const square = state.findChannelByName('Town Square')
    t.match(square?.settings.get(dee?.user_id as UserId), { isPinned: true, isMuted: true })
    t.equal(state.findChannelByName('Annex')?.settings.get(dee?.user_id as UserId), undefined)
    t.match((await importFrom('mattermost', file)).summary, { messages: 0, already_imported: 7 })
  },
)

t.test('[IMPORT14] an import needs an organization, and a file of the right kind', async (t) => {
  const settings = { DATA_DIR, DATABASE_URL: await createDatabase(t) }
  t.match(await runHere(settings, ['import', 'slack', path]), {
    code: 1,
    stderr: /there is no organization yet/,
  })
  t.match(await importFrom('mattermost', path), { code: 1, stderr: /has 0 \.jsonl files/ })
  const lines = join(DATA_DIR, 'other.jsonl')
  writeFileSync(lines, '{"type":"user"}\n')
  t.match(await importFrom('mattermost', lines), { code: 1, stderr: /not a Mattermost export/ })
  t.match(await importFrom('slack', path, '--json', ''), { code: 2, stderr: /--json must be/ })
})

t.test('[IMPORT10] afterwards a check finds nothing, the memory of the server included', async (t) => {
  await indexMessages(sql)
  const result = await check(server.databaseUrl, fileStore)
  t.strictSame(result.differences, [])
  t.match(result, { ok: true, is_log_complete: true, processes: 1 })
})

t.test(
  '[IMPORT11] broken and hostile archives are refused in one line, or come over without their bad parts',
  async (t) => {
    const files = Object.entries(SLACK).map(([name, value]) => ({ name, content: JSON.stringify(value) }))
    const refused = async (bytes: Buffer, reason: RegExp) => {
      const bad = join(DATA_DIR, 'bad.zip')
      writeFileSync(bad, bytes)
      const { code, stderr } = await importFrom('slack', bad, '--dry-run')
      t.equal(code, 1)
      t.match(stderr, reason)
      t.equal(stderr.trim().split('\n').length, 1)
    }
    const whole = makeZip(files)
    await refused(whole.subarray(0, whole.length - 100), /no whole zip archive/)
    await refused(Buffer.from('no zip'), /no whole zip archive/)
    await refused(makeZip([{ name: 'a.json', content: '[]' }]), /not the export of a Slack workspace/)
    await refused(
      makeZip([
        ...files,
        { name: 'one.json', content: 'x'.repeat(100) },
        { name: 'two.json', content: 'y', placeOf: 0 },
      ]),
      /overlap/,
    )
    const odd = join(DATA_DIR, 'odd.zip')
    const damaged = [
      { name: '../../evil.json', content: '[]' },
      { name: '/etc/evil.json', content: '[]' },
      { name: '..\\evil.json', content: '[]' },
      { name: 'general/2024-04-01.json', content: '[]', crc: 5 },
      { name: 'general/2024-04-02.json', content: '[{"a":oops}]' },
      { name: 'general/2024-04-03.json', content: '{}' },
      { name: 'general/2024-04-04.json', content: Buffer.alloc(50_000_000, 32) },
      {
        name: 'general/2024-04-05.json',
        content: JSON.stringify([null, 5, { ts: '1' }, { ts: {} }]),
        size: 3,
      },
      {
        name: 'general/2024-04-06.json',
        content: JSON.stringify([null, 5, { ts: '1', user: 'U1' }, { ts: {} }]),
      },
    ]
    writeFileSync(odd, makeZip([...files, ...damaged]))
    const { code, stderr, summary } = await importFrom('slack', odd, '--dry-run')
    t.equal(code, 0, stderr)
    t.equal(summary.messages, first.summary.messages)
    t.match(summary.left_out, {
      'its name leads out of the archive': 3,
      'a file that cannot be read': 4,
      'a file that is no list': 1,
      'an empty message': 1,
    })
    t.match(await importFrom('slack', join(DATA_DIR, 'missing.zip'), '--dry-run'), {
      code: 1,
      stderr: /cannot be opened/,
    })
  },
)
