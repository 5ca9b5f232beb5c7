/** Hostile zips of Mattermost, Discord and Rocket.Chat: the good rows come, and the report has everything else. */

import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { makeZip, type ZipFile } from '../../harness/files/write-zip.ts'
import { channelFile, GENERAL, said } from './discord-fixture.ts'
import { atMs } from './mattermost-fixture.ts'
import { readNarrow, startImports } from './start-imports.ts'
import { writeBson } from './write-bson.ts'

const { server, importFrom, at } = await startImports(t)
const owner = server.as('owner')
/** A name with HTML, as people have it here. */
const HTML_NAME = '<b onclick=x>Mallory</b>'
const HTML_NAME_HERE = /^b onclick=x/
const LONG = 'long '.repeat(2_500)
/** Unpacks to more than 200 times its size. */
const BOMB = Buffer.alloc(50_000_000, 32)
const SLIPS: readonly ZipFile[] = ['../../slip.json', '/tmp/parley-slip.json', '..\\slip.json'].map(
  (name) => ({
    name,
    content: '{}',
  }),
)
const outside = () =>
  ['/tmp/parley-slip.json', join(at('.'), '../../slip.json'), join(at('.'), '../slip.json')].filter((path) =>
    existsSync(path),
  )

/** Imports a zip, the same cut off, and the same again. */
async function tryAll(product: string, files: readonly ZipFile[]) {
  const path = at(`${product}.zip`)
  const whole = makeZip([...files, ...SLIPS])
  writeFileSync(path, whole.subarray(0, whole.length - 40))
  const cut = await importFrom(product, path)
  t.equal(cut.code, 1)
  t.match(cut.stderr, /no whole zip archive/)
  t.equal(cut.stderr.trim().split('\n').length, 1)
  writeFileSync(path, whole)
  const { code, stderr, summary } = await importFrom(product, path)
  t.equal(code, 0, stderr)
  t.same(outside(), [])
  t.match((await importFrom(product, path)).summary, { messages: 0, users: { created: 0 } }, 'nothing twice')
  return summary
}

async function mustHaveName() {
  const { members } = await owner.must('GET', '/users')
  t.ok(members.some(({ full_name: name }) => HTML_NAME_HERE.test(name)))
  t.notOk(members.some(({ full_name: name }) => name.includes('<')))
}

t.test('[HOSTILE1] Mattermost', async (t) => {
  const post = (seconds: number, message: string, more: object = {}) => ({
    type: 'post',
    post: { team: 'crew', channel: 'lab', user: 'mal', message, create_at: atMs(seconds), ...more },
  })
  const lines = [
    { type: 'version', version: 1 },
    { type: 'channel', channel: { team: 'crew', name: 'lab', display_name: 'mm lab', type: 'O' } },
    { type: 'user', user: { username: 'mal', email: 'mal@example.org', nickname: HTML_NAME } },
    post(1, 'good'),
    post(2, LONG),
    post(3, 'no emoji', { reactions: [{ user: 'mal', emoji_name: 'nosuch' }] }),
    post(4, 'of a stranger', { user: 'stranger' }),
    post(5, 'with a bomb', { attachments: [{ path: 'bomb.bin' }] }),
    post(0, 'no time', { create_at: 'yesterday' }),
  ]
  const content = lines.map((line) => JSON.stringify(line)).join('\n')
  const summary = await tryAll('mattermost', [
    { name: 'import.jsonl', content },
    { name: 'data/bomb.bin', content: BOMB },
  ])
  t.match(summary, { messages: 5, files: 0 })
  t.same(summary.left_out, {
    'its name leads out of the archive': 3,
    'a file': 1,
    'a message without a valid time': 1,
    'a reaction with an unknown emoji': 1,
    'nothing: a long message became several': 1,
  })
  const all = await readNarrow(owner, [['channel', 'mm lab']])
  t.equal(all.length, 6)
  t.equal(
    all.find(({ content: text }) => text === 'of a stranger')?.sender_full_name,
    'Unlisted user stranger',
  )
  await mustHaveName()
})

t.test('[HOSTILE2] Discord', async (t) => {
  const mallory = { id: '901', name: HTML_NAME, nickname: HTML_NAME, isBot: false }
  const lab = { ...GENERAL, id: '71', name: 'dc lab' }
  const silent = { id: '902', name: 'Never wrote', isBot: false }
  const summary = await tryAll('discord', [
    channelFile('lab.json', lab, [
      said(mallory, 1, 'good <@12345>'),
      said(mallory, 2, LONG),
      said(mallory, 3, 'no emoji', {
        reactions: [{ emoji: { id: '', name: 'nosuch', code: 'nosuch' }, count: 1, users: [mallory] }],
      }),
      said(mallory, 4, 'no time', { timestamp: 'yesterday' }),
      said(mallory, 6, 'of one who is in no list', {
        reactions: [{ emoji: { id: '', name: '\u{1f44d}', code: '+1' }, count: 1, users: [silent] }],
      }),
      said(mallory, 5, 'with a bomb', { attachments: [{ id: '1', url: 'bomb.bin', fileName: 'bomb.bin' }] }),
    ]),
    channelFile('marked.json', { ...lab, id: '72', name: HTML_NAME }, [
      said(mallory, 7, 'in the marked one'),
    ]),
    { name: 'bomb.bin', content: BOMB },
    { name: 'bomb.json', content: BOMB },
  ])
  t.match(summary, { messages: 6, reactions: 1, files: 0 })
  t.same(summary.left_out, {
    'its name leads out of the archive': 3,
    'a file': 1,
    'a file that is no channel of Discord': 1,
    'the rest of a file, which is damaged': 1,
    'a message without a valid time': 1,
    'a reaction with an unknown emoji': 1,
    'nothing: a long message became several': 1,
  })
  const all = await readNarrow(owner, [['channel', HTML_NAME]])
  t.same(
    all.map(({ content }) => content),
    ['in the marked one'],
  )
  const { members } = await owner.must('GET', '/users')
  t.match(
    members.find((one) => one.full_name === 'Never wrote'),
    { is_active: false },
  )
  await mustHaveName()
})

t.test('[HOSTILE3] Rocket.Chat', async (t) => {
  const bson = (name: string, documents: readonly object[], more = Buffer.alloc(0)): ZipFile => ({
    name: `dump/rocketchat/${name}.bson`,
    content: Buffer.concat([...documents.map(writeBson), more]),
  })
  const mallory = { _id: 'u9', username: 'mallory' }
  const message = (id: string, msg: string, more: object = {}) => {
    return { _id: id, rid: 'r9', msg, ts: new Date(atMs(1)), u: mallory, ...more }
  }
  const summary = await tryAll('rocket-chat', [
    bson('users', [{ ...mallory, name: HTML_NAME, type: 'user' }]),
    bson('rocketchat_room', [{ _id: 'r9', t: 'c', name: 'rc lab' }]),
    bson(
      'rocketchat_message',
      [
        message('m1', 'good'),
        message('m2', LONG),
        message('m3', 'no emoji', { reactions: { ':nosuch:': { usernames: ['mallory'] } } }),
        message('m4', 'of a stranger', { u: { _id: 'u404', username: 'stranger' } }),
        message('m5', 'no time', { ts: 'yesterday' }),
      ],
      // The length of a document that never comes.
      Buffer.from([200, 0, 0, 0, 1]),
    ),
    { name: 'dump/other/users.bson', content: '' },
  ])
  t.match(summary, { messages: 4 })
  t.match(summary.left_out, {
    'its name leads out of the archive': 3,
    'a message without a valid time': 1,
    'a reaction with an unknown emoji': 1,
    'nothing: a long message became several': 1,
  })
  t.match(summary.left_out, {
    'a collection that is there twice': 1,
    'the rest of a collection, which is damaged': 1,
  })
  const bombed = at('bomb.zip')
  writeFileSync(bombed, makeZip([bson('users', []), { name: 'd/rocketchat_message.bson', content: BOMB }]))
  t.match(await importFrom('rocket-chat', bombed), { code: 1, stderr: /bomb\.zip: / })
  const all = await readNarrow(owner, [['channel', 'rc lab']])
  t.equal(all.length, 5)
  await mustHaveName()
})
