/** Archives with single bad rows: each costs itself alone, and the report has it. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { check } from '../../../server/admin/check.ts'
import { indexMessages } from '../../../workers/jobs/upkeep/index-messages.ts'
import { makeTar } from '../../harness/files/write-tar.ts'
import { makeZip } from '../../harness/files/write-zip.ts'
import { channelFile, GENERAL, said } from './discord-fixture.ts'
import { atMs } from './mattermost-fixture.ts'
import { readNarrow, startImports } from './start-imports.ts'
import { writeBson } from './write-bson.ts'

const { server, importFrom, at } = await startImports(t)
const owner = server.as('owner')
const { sql, fileStore } = server.node.services
/** More levels than a function may call itself. */
const DEEP = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`
const FAR = 1e300
const ADA = { id: '501', name: 'Ada', isBot: false }
const ROBO = { id: '502', isBot: true }
const SQUARE = { ...GENERAL, id: '61', name: 'discord square' }
const lines = (...all: (object | string)[]) =>
  all.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')
const user = (username: string, more: object = {}) => ({
  type: 'user',
  user: {
    username,
    email: `${username}@example.org`,
    teams: [{ name: 'crew', channels: [{ name: 'square' }] }],
    ...more,
  },
})
const channel = (name: string, more: object = {}) => ({
  type: 'channel',
  channel: { team: 'crew', name, display_name: name, type: 'O', ...more },
})
const post = (seconds: number, message: string, more: object = {}) => ({
  type: 'post',
  post: { team: 'crew', channel: 'square', user: 'gus', message, create_at: atMs(seconds), ...more },
})

t.test(
  '[BROKEN1] Mattermost: bad rows, times without end and repeated ids cost themselves alone',
  async (t) => {
    const path = at('broken.zip')
    const text = lines(
      { type: 'version', version: 1 },
      channel('square'),
      channel('square', { type: 'P', display_name: 'again' }),
      channel('<b>bold</b>'),
      user('gus', { first_name: '<img src=x onerror=alert(1)>' }),
      user('gus', { first_name: 'The second' }),
      user(''),
      post(1, 'first', { edit_at: FAR }),
      post(2, 'far', { create_at: FAR }),
      post(3, 'twin'),
      post(3, 'twin'),
      post(3, 'another at that time'),
      post(4, 'of nobody', { user: 'nobody.here', reactions: [{ user: 'gone', emoji_name: 'nosuch' }] }),
      post(5, 'elsewhere', { channel: 'missing' }),
      post(6, 'a file', { attachments: [{ path: '../../../../etc/hostname' }, { path: 'data/torn.txt' }] }),
      post(7, 'z'.repeat(10_001)),
      post(8, `${'['.repeat(4_000)}x${']'.repeat(4_000)}`),
      `{"type":"post","post":${DEEP}}`,
      '{"type":"post","post":{"team":"crew","channel":"square","user":"gus","message":"cut o',
    )
    writeFileSync(path, makeZip([{ name: 'import.jsonl', content: text }]))
    const planned = await importFrom('mattermost', path, '--dry-run')
    const { code, stderr, summary } = await importFrom('mattermost', path)
    t.equal(code, 0, stderr)
    t.same(summary.left_out, {
      'a channel whose id is there twice': 1,
      'a user whose id is there twice': 1,
      'a user without an id': 1,
      'a line that is not JSON': 1,
      'a message that is there twice': 1,
      'a message in no listed channel': 1,
      'a message without a valid time': 1,
      'a reaction with an unknown emoji': 1,
      'the time of a message from the future': 1,
      'nothing: a long message became several': 1,
    })
    t.match(summary, { messages: 8, files: 0, files_as_links: 2, users: { created: 3, placeholders: 2 } })
    t.match(planned.summary, { messages: 8, users: { created: 1, placeholders: 1 } })
    const all = await readNarrow(owner, [['channel', 'square']])
    t.same(
      all.slice(0, 5).map(({ content }) => content.split('\n')[0]),
      ['first', 'twin', 'another at that time', 'of nobody', 'a file'],
    )
    const now = Math.floor(Date.now() / 1_000)
    t.ok(Number(all[0]?.last_edit_timestamp) <= now)
    t.ok(Number(all.at(-1)?.timestamp) <= now)
    t.equal(all.at(-1)?.content, 'far')
    t.equal(all[3]?.sender_full_name, 'Unlisted user nobody.here')
    const { members } = await owner.must('GET', '/users')
    const gus = members.find(({ delivery_email: email }) => email === 'gus@example.org')
    t.equal(gus?.full_name, 'img src=x onerror=alert(1)')
    const { streams } = await owner.must('GET', '/streams', { include_all: true })
    t.match(
      streams.find(({ name }) => name === 'square'),
      { invite_only: false },
    )
  },
)

t.test('[BROKEN2] Discord: answers to commands come, and bad rows cost themselves alone', async (t) => {
  const path = at('broken-discord.zip')
  const bot = { ...ROBO, name: '<b>Robo</b>' }
  const files = [
    channelFile('square.json', SQUARE, [
      said(bot, 0, 'an answer to a command', { type: '20' }),
      said(bot, 1, 'an answer to another one', { type: '23' }),
      said(ADA, 2, 'a call', { type: '3' }),
      said(ADA, 3, 'far', {
        timestamp: '+275760-09-12T00:00:00Z',
        timestampEdited: '+275760-09-12T00:00:00Z',
      }),
      said(ADA, 4, 'a file', {
        attachments: [{ id: '1', url: '..\\..\\..\\etc\\hostname', fileName: '../x' }],
      }),
      said({ id: '' }, 5, 'of nobody'),
      said(ADA, 6, `<script>alert(1)</script> <@999> <#888> <t:99999999999999:R>`),
    ]),
    // The thread comes before its channel, and says less of it.
    channelFile(
      'a-thread.json',
      { id: '62', type: 'GuildPublicThread', categoryId: '63', category: 'yard', name: 'x' },
      [said(ADA, 7, 'in a thread')],
    ),
    channelFile('yard.json', { ...SQUARE, id: '63', name: 'yard', topic: 'All of the yard' }, []),
    {
      name: '../../escape.json',
      content: JSON.stringify({ channel: SQUARE, messages: [said(ADA, 9, 'escaped')] }),
    },
    {
      name: 'deep.json',
      content: `{"channel":{"id":"64","type":"GuildTextChat","name":"deep"},"messages":[${DEEP}]}`,
    },
  ]
  writeFileSync(path, makeZip(files))
  const { code, stderr, summary } = await importFrom('discord', path)
  t.equal(code, 0, stderr)
  t.same(summary.left_out, {
    'its name leads out of the archive': 1,
    'a message without an id': 1,
    'a message without a sender': 1,
    'a notice of Discord (3)': 1,
    'the time of a message from the future': 1,
  })
  t.match(summary, { messages: 6, files: 0, files_as_links: 1, users: { created: 2, bots: 1 } })
  const all = await readNarrow(owner, [['channel', 'discord square']])
  t.same(
    all.map(({ content }) => content),
    [
      'an answer to a command',
      'an answer to another one',
      'a file\n\n.. x (a file that was not imported)'.replace('.. x', '../x'),
      '<script>alert(1)</script> @unknown #unknown <t:99999999999999:R>',
      'far',
    ],
  )
  const { messages } = await owner.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 9,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: 'discord square' }],
  })
  t.notMatch(messages.map(({ content }) => content).join(''), /<script/)
  const { streams } = await owner.must('GET', '/streams', { include_all: true })
  t.match(
    streams.find(({ name }) => name === 'yard'),
    { description: 'All of the yard' },
  )
  writeFileSync(path, makeZip(files).subarray(0, 900))
  const cut = await importFrom('discord', path)
  t.equal(cut.code, 1)
  t.equal(cut.stderr.trim().split('\n').length, 1)
})

t.test(
  '[BROKEN3] a message whose id came long before is reported, and a second run knows both',
  async (t) => {
    const path = at('twins.json')
    const twin = { ...said(ADA, 0, 'one'), id: 'twin' }
    const filler = Array.from({ length: 600 }, (_, index) => said(ADA, 1 + index, `filler ${index}`))
    const all = [twin, ...filler, { ...said(ADA, 900, 'two'), id: 'twin' }]
    writeFileSync(
      path,
      String(channelFile('twins.json', { ...SQUARE, id: '65', name: 'twins' }, all).content),
    )
    const { stderr, summary } = await importFrom('discord', path)
    t.match(summary, { messages: 601, already_imported: 0 }, stderr)
    t.same(summary.left_out, { 'a message whose id is there twice': 1 })
    t.match((await importFrom('discord', path)).summary, { messages: 0, already_imported: 602 })
  },
)

t.test(
  '[BROKEN4] Rocket.Chat and Zulip: repeated ids and times without end cost themselves alone',
  async (t) => {
    const dump = at('broken-dump')
    mkdirSync(dump)
    const written = (name: string, documents: readonly object[]) =>
      writeFileSync(`${dump}/${name}.bson`, Buffer.concat(documents.map(writeBson)))
    const sender = { _id: 'u1', username: 'ivy' }
    const said = (id: string, msg: string, more: object = {}) => ({
      _id: id,
      rid: 'r1',
      msg,
      ts: new Date(atMs(1)),
      u: sender,
      ...more,
    })
    written('users', [
      { _id: 'u1', username: 'ivy', name: 'Ivy', type: 'user' },
      { _id: 'u1', username: 'ivy2', name: 'Second', type: 'user' },
    ])
    written('rocketchat_room', [
      { _id: 'r1', t: 'c', name: 'rocket square' },
      { _id: 'r1', t: 'p', name: 'again' },
      { _id: 'r2', t: 'd', uids: [], usernames: [] },
    ])
    written('rocketchat_message', [
      said('m1', 'first', { editedAt: new Date(8.64e15) }),
      said('m1', 'first'),
      said('m2', 'far', { ts: new Date(8.64e15) }),
      said('m3', 'a file', { files: [{ _id: '../../etc/hostname', name: 'x' }] }),
    ])
    const rocket = await importFrom('rocket-chat', dump)
    t.equal(rocket.code, 0, rocket.stderr)
    t.same(rocket.summary.left_out, {
      'a user whose id is there twice': 1,
      'a channel whose id is there twice': 1,
      'a conversation of nobody': 1,
      'a message that is there twice': 1,
      'the time of a message from the future': 1,
    })
    t.match(rocket.summary, { messages: 3, files: 0, files_as_links: 1 })
    const row = { recipient: 31, sender: 11, date_sent: atMs(1) / 1_000, subject: 'x' }
    const tar = at('broken.tar.gz')
    const realm = {
      zerver_realm: [{ id: 2, string_id: 'broken' }],
      zerver_userprofile: [
        { id: 11, full_name: 'Jo', role: 400 },
        { id: 11, full_name: 'Jo again', role: 400 },
      ],
      zerver_userprofile_crossrealm: [{ id: 12, full_name: 'Server Bot', is_bot: true, is_active: true }],
      zerver_stream: [
        { id: 21, name: 'zulip square' },
        { id: 21, name: 'again' },
      ],
      zerver_recipient: [{ id: 31, type: 2, type_id: 21 }],
    }
    const rows = [
      {
        ...row,
        id: 1,
        content: 'first',
        last_edit_time: FAR,
        edit_history: JSON.stringify([{ timestamp: FAR, prev_content: 'b' }]),
      },
      { ...row, id: 1, content: 'first' },
      { ...row, id: 2, content: 'far', date_sent: FAR },
      { ...row, id: 3, content: 'text', edit_history: DEEP },
    ]
    const content = `{"zerver_message":[${DEEP},${rows.map((one) => JSON.stringify(one)).join(',')}]}`
    const files = [
      { name: 'e/realm.json', content: JSON.stringify(realm) },
      { name: 'e/messages-000001.json', content },
    ]
    writeFileSync(tar, gzipSync(makeTar(files)))
    const zulip = await importFrom('zulip', tar)
    t.equal(zulip.code, 0, zulip.stderr)
    t.same(zulip.summary.left_out, {
      'a user whose id is there twice': 1,
      'a channel whose id is there twice': 1,
      'a message without an id': 1,
      'a message that is there twice': 1,
      'the time of a message from the future': 1,
    })
    t.match(zulip.summary, { messages: 3 })
    const { members } = await owner.must('GET', '/users')
    t.match(
      members.find(({ full_name: name }) => name === 'Server Bot'),
      { is_active: false },
    )
  },
)

t.test('[BROKEN5] Slack: times without end and rows nested without end cost themselves alone', async (t) => {
  const path = at('broken-slack.zip')
  const day = `[${DEEP},${JSON.stringify({ type: 'message', user: 'U9', ts: '1700000000.000100', text: 'whole', edited: { ts: '1e300' } })}]`
  writeFileSync(
    path,
    makeZip([
      { name: 'users.json', content: JSON.stringify([{ id: 'U9', name: 'kim' }]) },
      {
        name: 'channels.json',
        content: JSON.stringify([{ id: 'C9', name: 'slack-square', members: ['U9'] }]),
      },
      { name: 'slack-square/2023-11-14.json', content: day },
    ]),
  )
  const { code, stderr, summary } = await importFrom('slack', path)
  t.equal(code, 0, stderr)
  t.match(summary, { messages: 1, left_out: { 'a message without a valid time': 1 } })
})

t.test('[BROKEN6] the tables agree afterwards', async (t) => {
  await indexMessages(sql)
  t.same((await check(server.databaseUrl, fileStore)).differences, [])
})
