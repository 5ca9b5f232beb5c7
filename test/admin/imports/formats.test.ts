/** Archives of further products: what comes over, what does not, and a second run. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { check } from '../../../server/admin/check.ts'
import { readJsonParts } from '../../../server/changes/imports/json-parts.ts'
import { indexMessages } from '../../../workers/jobs/upkeep/index-messages.ts'
import { drawImage } from '../../harness/client/upload.ts'
import { makeTar } from '../../harness/files/write-tar.ts'
import { makeZip } from '../../harness/files/write-zip.ts'
import { discordFiles } from './discord-fixture.ts'
import { at as rocketTime, rocketChat } from './rocket-chat-fixture.ts'
import { readNarrow, startImports } from './start-imports.ts'
import { timeOf, zulipFiles } from './zulip-fixture.ts'
import { writeBson, writeMongoArchive } from './write-bson.ts'

const { server, importFrom, at } = await startImports(t)
const owner = server.as('owner')
const { sql, fileStore } = server.node.services
const picture = await drawImage('green')
const lastId = async () => (await sql`select last_id from event_counter`)[0]?.['last_id']
const people = async () => {
  const { members } = await owner.must('GET', '/users')
  return new Map(members.map(({ full_name, ...more }) => [full_name, more]))
}

t.test('[JSONPART1] a large file is read by its parts, and goes on behind a broken one', async (t) => {
  const text = '{"a":{"b":[1,"]}"]},"list":[{"x":"\\"[{"},oops,[2],"tail",3],"c":null,"e":[]}'
  for (const size of [1, 7, 1_000]) {
    const found: unknown[] = []
    const lost: string[] = []
    async function* chunks() {
      for (let start = 0; start < text.length; start += size)
        yield Buffer.from(text.slice(start, start + size))
    }
    for await (const { field, value } of readJsonParts(chunks(), (reason) => lost.push(reason)))
      found.push([field, value])
    t.same(found, [
      ['a', { b: [1, ']}'] }],
      ['list', { x: '"[{' }],
      ['list', [2]],
      ['list', 'tail'],
      ['list', 3],
      ['c', null],
    ])
    t.same(lost, ['a part that is not JSON'])
  }
  const lostOf = async (given: string) => {
    const lost: string[] = []
    async function* chunks() {
      yield Buffer.from(given)
    }
    for await (const _ of readJsonParts(chunks(), (reason) => lost.push(reason)));
    return lost
  }
  t.same(await lostOf('[1,{"a"'), ['the rest of a file that is cut off'])
  t.same(await lostOf('7'), ['a file that is neither a JSON object nor a list'])
  t.same(await lostOf(`[${' '.repeat(17 * 1024 * 1024)}]`), ['a part that is too long'])
})

t.test(
  '[IMPORT17] Discord: channels are an owner’s, threads are topics, and each part says what it lacks',
  async (t) => {
    const zip = at('discord.zip')
    writeFileSync(zip, makeZip(discordFiles(picture)))
    const planned = await importFrom('discord', zip, '--dry-run')
    const { code, stderr, summary } = await importFrom('discord', zip)
    t.equal(code, 0, stderr)
    t.match(summary, {
      messages: 10,
      files: 1,
      files_as_links: 2,
      reactions: 3,
      users: { created: 4, bots: 1, pictures: 1 },
    })
    t.match(planned.summary, { messages: 10, files: 1, reactions: 3 })
    t.same(summary.left_out, {
      'a file that is no channel of Discord': 1,
      'a part that is not JSON': 1,
      'the rest of a file that is cut off': 1,
      'a reaction of people whom the export does not name': 1,
      'a notice of Discord (GuildMemberJoin)': 1,
      'a message without a valid time': 1,
      'an empty message': 1,
      'nothing: a long message became several': 1,
    })
    const named = await people()
    const [ann, ben, robo] = ['Ann L.', 'Ben', 'Robo'].map((name) => Number(named.get(name)?.user_id))
    const all = await readNarrow(owner, [['channel', 'general']])
    const [hello] = all
    t.equal(
      hello?.content,
      `Hi @**Ben|${ben}** and @**Robo|${robo}**, see #**rules <b>**, **under** and **bold**, at <time:2022-03-03T10:00:00.000Z> \`<@102>\``,
    )
    t.match(hello, {
      timestamp: Date.UTC(2022, 2, 3, 10) / 1000,
      last_edit_timestamp: Date.UTC(2022, 2, 3, 11) / 1000,
      sender_id: ann,
    })
    t.same(
      hello?.reactions.map(({ emoji_code, emoji_name, user_id }) => [
        emoji_code.replace(/^\d+$/, 'custom'),
        emoji_name,
        user_id,
      ]),
      [
        ['custom', 'zap', ann],
        ['custom', 'zap', ben],
        ['1f44d-1f3fd', '+1_tone3', ben],
      ],
    )
    t.same(
      all
        .slice(1)
        .map(({ subject, content }) => [
          subject,
          content.replace(/\/user_uploads\/\S+\)/, 'here)').slice(0, 200),
        ]),
      [
        ['Where to eat', 'Pizza?'],
        ['Where to eat', 'Yes'],
        [
          '',
          'with files :zap:\n\n[the plan.txt](here)\n[big.zip](https://cdn.discordapp.com/attachments/1/2/big.zip)\noutside.txt (a file that was not imported)',
        ],
        ['', '**[Build](https://ci.example.org/7)**\npassed'],
        ['', 'y'.repeat(200)],
        ['', 'y'],
        ['', 'in the second part'],
      ],
    )
    t.equal((await readNarrow(owner, [['channel', 'broken']])).length, 1)
    const { streams } = await owner.must('GET', '/streams', { include_all: true })
    t.match(
      streams.find(({ name }) => name === 'general'),
      { invite_only: true, description: 'All of it' },
    )
    await t.rejects(readNarrow(server.as('member'), [['channel', 'rules <b>']]))
    const before = await lastId()
    t.match((await importFrom('discord', zip)).summary, { messages: 0, already_imported: 10, files: 0 })
    t.equal(await lastId(), before)
    writeFileSync(zip, makeZip([{ name: 'x.json', content: '[]' }]))
    t.match(await importFrom('discord', zip), {
      code: 1,
      stderr: /not an export of DiscordChatExporter in JSON/,
    })
  },
)

t.test(
  '[IMPORT18] Rocket.Chat: a dump in each of its forms, with threads, files and what it lacks',
  async (t) => {
    const dump = rocketChat(picture)
    const bytesOf = (documents: readonly object[]) => Buffer.concat(documents.map(writeBson))
    const folder = at('dump/rocketchat')
    mkdirSync(folder, { recursive: true })
    for (const [name, documents] of Object.entries(dump)) {
      const isPacked = name === 'rocketchat_message'
      const bytes = bytesOf(documents)
      writeFileSync(`${folder}/${name}.bson${isPacked ? '.gz' : ''}`, isPacked ? gzipSync(bytes) : bytes)
      writeFileSync(`${folder}/${name}.metadata.json`, '{}')
    }
    const planned = await importFrom('rocket-chat', at('dump'), '--dry-run')
    const { code, stderr, summary } = await importFrom('rocket-chat', at('dump'))
    t.equal(code, 0, stderr)
    t.match(summary, {
      messages: 7,
      topics: 1,
      files: 1,
      files_as_links: 2,
      reactions: 3,
      users: { created: 6, bots: 2, placeholders: 3, pictures: 1 },
      channels: { created: 2, archived: 1 },
    })
    t.match(planned.summary, { messages: 7, topics: 1, reactions: 3 })
    t.same(summary.left_out, {
      'a file': 1,
      'a room of another kind (l)': 1,
      'another name of a custom emoji': 1,
      'a notice of Rocket.Chat (uj)': 1,
      'an encrypted message': 1,
      'an earlier text of a message': 1,
      'a message without a valid time': 1,
      'a message in no listed channel': 1,
      'the membership of a deactivated account': 1,
    })
    const named = await people()
    const [ana, bo] = ['Ana Lima', 'Bo'].map((name) => Number(named.get(name)?.user_id))
    t.match(named.get('Ana Lima'), { delivery_email: 'ana@example.org', role: 400, is_active: true })
    t.match(named.get('Bo'), { is_active: false })
    const all = await readNarrow(owner, [['channel', 'general (Rocket.Chat)']])
    const link = '#**general (Rocket.Chat)**'
    t.same(
      all.map(({ subject, content }) => [subject, content.replace(/\/user_uploads\/\S+\)/, 'here)')]),
      [
        [
          '',
          'read this\n\n[the plan.txt](here)\nlost.txt (a file that was not imported)\ntorn.txt (a file that was not imported)',
        ],
        [
          'Where is the plan of @Bo. in #general (Rocket.Chat)? soon…',
          `Where is the **plan** of @**Bo|${bo}**. in ${link}? *soon* ~~never~~ \`@bo.k\` https://x.example.org/a_b_c`,
        ],
        ['Where is the plan of @Bo. in #general (Rocket.Chat)? soon…', 'a reply'],
        [
          '',
          `#**general (Rocket.Chat)>Where is the plan of @Bo. in #general (Rocket.Chat)? soon…**\n\`\`\`quote\na reply\n\`\`\``,
        ],
        ['', `> @**Bo|${bo}**: How so?\n> Here?\n\nI know`],
        ['', 'built'],
      ],
    )
    t.match(all[1], {
      sender_id: ana,
      timestamp: rocketTime(5).getTime() / 1000,
      last_edit_timestamp: rocketTime(6).getTime() / 1000,
    })
    t.same(
      all[1]?.reactions
        .map(({ emoji_name, user_id }) => [emoji_name, user_id === ana || user_id === bo])
        .sort(),
      [
        ['parrot', false],
        ['parrot', true],
        ['wave_tone4', true],
      ],
    )
    t.equal(all.at(-1)?.sender_full_name, 'CI')
    const before = await lastId()
    const single = at('dump.archive.gz')
    writeFileSync(single, gzipSync(writeMongoArchive(dump)))
    const zip = at('dump.zip')
    writeFileSync(
      zip,
      makeZip(
        Object.entries(dump).map(([name, documents]) => ({
          name: `d/${name}.bson`,
          content: bytesOf(documents),
        })),
      ),
    )
    for (const path of [single, zip])
      t.match((await importFrom('rocket-chat', path)).summary, { messages: 0, already_imported: 7, files: 0 })
    t.equal(await lastId(), before)
  },
)

t.test('[IMPORT20] broken dumps are refused in one line, or lose what is broken', async (t) => {
  const dump = rocketChat(picture)
  const file = at('bad.dump')
  const refused = async (bytes: Buffer | string, reason: RegExp) => {
    writeFileSync(file, bytes)
    t.match(await importFrom('rocket-chat', file, '--dry-run'), { code: 1, stderr: reason })
  }
  const whole = writeMongoArchive(dump)
  await refused('', /is no dump of MongoDB/)
  await refused('something else', /is no dump of MongoDB/)
  await refused(whole.subarray(0, whole.length - 9), /the archive is damaged: the file is cut off/)
  await refused(writeMongoArchive({ users: dump.users }), /no rocketchat_room: it is no dump of Rocket\.Chat/)
  await refused(gzipSync(whole).subarray(0, 500), /unexpected end of file/)
  // More than 64 MiB of nothing.
  const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024))
  mkdirSync(at('bomb'))
  writeFileSync(at('bomb/rocketchat_room.bson.gz'), bomb)
  t.match(await importFrom('rocket-chat', at('bomb')), {
    code: 1,
    stderr: /room\.bson\.gz is damaged: it is more than 200 times as large/,
  })
  const folder = at('bad')
  mkdirSync(folder)
  const rooms = Buffer.concat(dump.rocketchat_room.map(writeBson))
  const [first, second] = [writeBson({ _id: 'x', odd: 'x' }), ...dump.rocketchat_message.map(writeBson)]
  first[4] = 0x55 // A field of an unknown type.
  writeFileSync(`${folder}/rocketchat_room.bson`, rooms)
  writeFileSync(
    `${folder}/rocketchat_message.bson`,
    Buffer.concat([first, second ?? first, Buffer.from([1, 0, 0, 0])]),
  )
  const { code, summary } = await importFrom('rocket-chat', folder, '--dry-run')
  t.equal(code, 0)
  t.match(summary, {
    messages: 1,
    left_out: { 'a document that is damaged': 1, 'the rest of a collection, which is damaged': 1 },
  })
})

t.test('[IMPORT21] Zulip: people, topics, files, edits and reactions come out of a packed tar', async (t) => {
  const files = Object.entries(zulipFiles(picture)).map(([name, content]) => ({ name, content }))
  const path = at('zulip.tar.gz')
  const hostile = [
    { name: 'zulip-export/../../evil.json', content: 'x' },
    { name: '/etc/evil', content: 'x' },
    { name: 'zulip-export/link', content: '', type: '2' },
    { name: `zulip-export/${'long/'.repeat(30)}x.txt`, content: 'x' },
  ]
  writeFileSync(path, gzipSync(makeTar([...files, ...hostile])))
  const planned = await importFrom('zulip', path, '--dry-run')
  const { code, stderr, summary } = await importFrom('zulip', path)
  t.equal(code, 0, stderr)
  t.match(summary, {
    messages: 7,
    files: 1,
    reactions: 3,
    users: { created: 5, bots: 2, deactivated: 1, pictures: 1 },
    channels: { created: 3, archived: 1 },
  })
  t.match(planned.summary, { messages: 7, files: 1 })
  t.same(summary.left_out, {
    'its name leads out of the archive': 2,
    'it is no file': 1,
    'a user without an id': 1,
    'a file without bytes': 2,
    'a message without a valid time': 1,
    'a message without a recipient': 1,
    'a reaction with an unknown emoji': 1,
    'nothing: a long message became several': 1,
  })
  const named = await people()
  const [uma, vic] = ['Uma', 'Vic'].map((name) => Number(named.get(name)?.user_id))
  t.match(named.get('Vic'), { role: 600, timezone: 'Europe/Paris', delivery_email: 'p12@example.org' })
  t.match(named.get('Never here'), { is_active: false })
  const [plan, edited] = await readNarrow(owner, [['channel', 'garden']])
  t.equal(
    plan?.content.replace(/\/user_uploads\/\S+\)/, 'here)'),
    `@**Vic|${vic}** see #**garden>plans** and [plan](here) \`@**Vic|12**\``,
  )
  t.match(plan, {
    subject: 'plans',
    sender_id: uma,
    timestamp: timeOf(101),
    reactions: [{ emoji_name: 'tada', user_id: vic }],
  })
  t.match(edited, {
    subject: '',
    content: 'edited',
    last_edit_timestamp: timeOf(110),
    reactions: [
      { emoji_name: 'seed', user_id: uma },
      { emoji_name: 'seed', user_id: vic },
    ],
  })
  const { message_history: history } = await owner.must('GET', `/messages/${Number(edited?.id)}/history`)
  t.match(history, [
    { content: 'before', topic: 'x' },
    { content: 'before', prev_topic: 'x', timestamp: timeOf(105) },
    { content: 'edited', user_id: vic, timestamp: timeOf(110) },
  ])
  const counted = await sql<{ count: number }[]>`
    select count(*)::int as count from messages where conversation_id is not null and content in ('just us', 'all three', 'welcome')`
  t.equal(counted[0]?.count, 3)
  await t.rejects(readNarrow(owner, [['channel', 'shed']]))
  const before = await lastId()
  for (const { name, content } of files) {
    mkdirSync(dirname(at(`zulip/${name}`)), { recursive: true })
    writeFileSync(at(`zulip/${name}`), content)
  }
  t.match((await importFrom('zulip', at('zulip'))).summary, { messages: 0, already_imported: 7, files: 0 })
  t.equal(await lastId(), before)
})

t.test('[IMPORT22] broken and hostile tars are refused in one line', async (t) => {
  const path = at('bad.tar.gz')
  const whole = makeTar(Object.entries(zulipFiles(picture)).map(([name, content]) => ({ name, content })))
  const refused = async (bytes: Buffer | string, reason: RegExp) => {
    writeFileSync(path, bytes)
    const { code, stderr } = await importFrom('zulip', path, '--dry-run')
    t.match({ code, stderr }, { code: 1, stderr: reason })
    t.equal(stderr.trim().split('\n').length, 1)
  }
  await refused('', /has 0 realm\.json files/)
  await refused('x'.repeat(2_000), /is no whole tar: it has no entry/)
  await refused(whole.subarray(0, 700), /is no whole tar: it is cut off/)
  await refused(gzipSync(whole).subarray(0, 900), /is no whole archive: unexpected end of file/)
  await refused(
    gzipSync(Buffer.alloc(70 * 1024 * 1024)),
    /is more than 200 times as large as its packed form/,
  )
  await refused(makeTar([{ name: 'a.json', content: '{}' }]), /an export of Zulip has one/)
  const damaged = Buffer.from(whole)
  damaged[0] = 0x7e
  await refused(damaged, /is no whole tar: it has no entry/)
})

t.test('[IMPORT19] messages of all formats agree with the tables', async (t) => {
  await indexMessages(sql)
  t.same((await check(server.databaseUrl, fileStore)).differences, [])
})
