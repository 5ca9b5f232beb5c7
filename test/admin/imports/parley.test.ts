/** Round trips: what one server exports comes in at another one. */

import { hash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { check } from '../../../server/admin/check.ts'
import { ZipArchive } from '../../../server/changes/imports/zip-archive.ts'
import { indexMessages } from '../../../workers/jobs/upkeep/index-messages.ts'
import { makeZip, type ZipFile } from '../../harness/files/write-zip.ts'
import { makeFolder } from '../../harness/client/tus.ts'
import { drawImage, mustUpload } from '../../harness/client/upload.ts'
import { mustPostFile } from '../../harness/client/user-files.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { startTestServer, type TestServer } from '../../harness/servers/start-server.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { runHere } from '../run-here.ts'

type Line = Record<string, unknown>
const folder = await makeFolder(t)
// Their clock stands still: what a server records each minute would look like something that an import added.
const clock = new ManualClock()
const [from, to] = [await startTestServer(t, { clock }), await startTestServer(t, { clock })]

const settingsOf = ({ databaseUrl, config }: TestServer) => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: config.dataFolder,
})

async function exportOf(server: TestServer, name: string) {
  const path = join(folder, name)
  const { code, stderr } = await runHere(settingsOf(server), ['export', path])
  t.equal(code, 0, stderr)
  return path
}

async function importInto(server: TestServer, path: string, ...options: string[]) {
  const ending = await runHere(settingsOf(server), ['import', 'parley', path, ...options])
  const { sql, state } = server.node.services
  const [log] = await sql<{ last: number }[]>`select last_id as last from event_counter`
  await pollUntil('the server to follow', () => state.appliedId >= (log?.last ?? 0))
  return { ...ending, summary: ending.code === 0 ? JSON.parse(ending.stdout) : undefined, last: log?.last }
}

/** The lists of an archive, in which names stand for ids: two servers that have the same have equal ones. */
async function readNamed(path: string) {
  const zip = await ZipArchive.open(path)
  const read = async (name: string) => {
    const entry = zip.find(name)
    return entry === undefined ? '' : (await zip.read(entry)).toString()
  }
  const list = async (name: string) =>
    (await read(`${name}.jsonl`))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line)
  try {
    const users = await list('users')
    const channels = await list('channels')
    const files = await list('files')
    const { organization } = JSON.parse(await read('export.json')) as { organization: Line }
    const profileFields = organization['profile_fields'] as Line[]
    const nameOf = (id: unknown) => users.find((one) => one['id'] === id)?.['full_name'] ?? id
    const channelOf = (id: unknown) => channels.find((one) => one['id'] === id)?.['name']
    const linked = files.filter((one) => (one['message_ids'] as unknown[]).length > 0)
    const contents = new Map<unknown, string>()
    for (const one of linked)
      contents.set(one['path'], `${String(one['name'])} ${hash('sha256', await read(String(one['file'])))}`)
    /** Texts with names and the contents of files in place of ids and addresses. */
    const textOf = (text: unknown) =>
      String(text)
        .replaceAll(/\|\d+\*\*/g, '**')
        // The newest message of a topic, as it was when the link was written.
        .replaceAll(/\/with\/\d+/g, '')
        .replaceAll(/data-user-id="(\d+)"/g, (_, id) => `data-user="${String(nameOf(Number(id)))}"`)
        .replaceAll(
          /data-stream-id="(\d+)"|#narrow\/channel\/(\d+)-/g,
          (_, a, b) => `channel ${String(channelOf(Number(a ?? b)))}`,
        )
        .replaceAll(/\/user_uploads\/([^\s)"]+)/g, (_, found: string) => {
          const file = contents.get(
            decodeURIComponent(found.replace(/^thumbnail\//, '').replace(/\/\d+x\d+\.webp$/, '')),
          )
          return file ?? `unknown ${found}`
        })
    const groupOf = new Map((await list('groups')).map((one) => [one['id'], one['name']]))
    const folders = new Map((await list('folders')).map((one) => [one['id'], one]))
    const permissionsOf = (given: unknown) =>
      Object.entries(given as Line).map(([name, value]) => {
        if (typeof value === 'number') return [name, groupOf.get(value)]
        const { direct_members: members, direct_subgroups: groups } = value as Record<string, unknown[]>
        return [name, members?.map(nameOf).sort(), groups?.map((id) => groupOf.get(id)).sort()]
      })
    const idOf = new Map<unknown, string>()
    const messages = (await list('messages')).map((one) => {
      const place =
        one['channel_id'] === undefined
          ? (one['user_ids'] as unknown[]).map(nameOf)
          : channelOf(one['channel_id'])
      idOf.set(one['id'], textOf(one['content']))
      return {
        place,
        topic: one['topic'],
        sender: nameOf(one['sender_id']),
        sentAt: one['sent_at'],
        editedAt: one['edited_at'],
        content: textOf(one['content']),
        rendered: textOf(one['rendered_content']),
        reactions: ((one['reactions'] ?? []) as Line[])
          .map((r) => [r['emoji_name'], r['reaction_type'], nameOf(r['user_id'])].join())
          .sort(),
        edits: ((one['edits'] ?? []) as Line[])
          .filter((edit) => edit['previous_content'] !== undefined)
          .map((edit) => [nameOf(edit['user_id']), edit['edited_at'], textOf(edit['previous_content'])]),
      }
    })
    return {
      profileFields: profileFields.map((field) => ({ ...field, id: undefined })),
      profiles: users
        .filter((one) => Object.keys(one['profile'] as Line).length > 0)
        .map((one) => [
          one['full_name'],
          Object.entries(one['profile'] as Line).map(([id, value]) => {
            const field = profileFields.find((known) => known['id'] === Number(id))
            const isList = field?.['type'] === 6
            return [field?.['name'], isList ? (JSON.parse(String(value)) as number[]).map(nameOf) : value]
          }),
        ])
        .sort((a, b) => (String(a) < String(b) ? -1 : 1)),
      users: users
        .map((one) => [
          one['full_name'],
          one['is_active'],
          one['role'],
          one['avatar'] !== null,
          one['bot_type'] !== null,
          one['timezone'],
        ])
        .sort((a, b) => (String(a) < String(b) ? -1 : 1)),
      channels: channels
        .map((one) => ({
          name: one['name'],
          description: textOf(one['description']),
          rights: [one['is_private'], one['is_history_public'], one['is_archived'], one['topics_policy']],
          creator: nameOf(one['creator_id']),
          createdAt: one['created_at'],
          members: (one['subscriber_ids'] as unknown[]).map((id) => String(nameOf(id))).sort(),
          pins: (one['pins'] as Line[]).map((pin) => idOf.get(pin['message_id'])),
          permissions: permissionsOf(one['permissions']),
          folder: folders.get(one['folder_id'])?.['name'],
        }))
        .sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1)),
      messages,
      folders: [...folders.values()].map((one) => [
        one['name'],
        one['description'],
        nameOf(one['creator_id']),
        one['created_at'],
        one['is_archived'],
      ]),
      groups: (await list('groups'))
        .filter((one) => one['is_system_group'] !== true)
        .map((one) => ({
          name: one['name'],
          description: one['description'],
          members: (one['member_ids'] as unknown[]).map((id) => String(nameOf(id))).sort(),
          subgroups: (one['subgroup_ids'] as unknown[]).map((id) => String(groupOf.get(id))).sort(),
          origin: [nameOf(one['creator_id']), one['created_at']],
          permissions: permissionsOf(one['permissions']),
        }))
        .sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1)),
      stars: (await list('marks'))
        .filter((one) => one['is_starred'] === true)
        .map((one) => `${String(nameOf(one['user_id']))}: ${String(idOf.get(one['message_id']))}`)
        .sort(),
      emoji: await Promise.all(
        (await list('emoji')).map(async (one) => [
          one['name'],
          nameOf(one['author_id']),
          (await read(String(one['file']))).length > 0,
        ]),
      ),
      files: [...contents.values()].sort(),
    }
  } finally {
    await zip.close()
  }
}

/** An organization with everything that comes over. Its people are those of the other server, besides two. */
async function fill() {
  const [owner, member, member2] = [from.as('owner'), from.as('member'), from.as('member2')]
  await mustUpload(owner, '/realm/emoji/party', await drawImage('red'))
  await owner.must('POST', '/users', {
    email: 'away@example.com',
    full_name: 'Ada Away',
    password: 'a long password of hers',
  })
  await owner.must('POST', '/users', {
    email: 'late@example.com',
    full_name: 'Lou Late',
    password: 'a long password of his',
  })
  const { members } = await owner.must('GET', '/users')
  const idOf = (name: string) => Number(members.find(({ full_name }) => full_name === name)?.user_id)
  await member.must('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'town', description: 'For all' }],
    principals: [member.userId, owner.userId, idOf('Lou Late')],
  })
  await member.must('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'den' }],
    invite_only: true,
  })
  await member2.must('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'attic' }],
    invite_only: true,
    history_public_to_subscribers: false,
  })
  const file = await mustPostFile(member, 'the plan', 'The plan.txt')
  const picture = await mustPostFile(member, await drawImage('blue'), 'blue.png')
  const first = await member.send(
    'town',
    'plans',
    `@**The owner|${owner.userId}** see [plan](${file}) and [blue](${picture})`,
  )
  await member.must('PATCH', `/messages/${first}`, {
    content: `@_**The owner** look at [plan](${file}) #**den** #**town>plans**`,
  })
  await member.must('PATCH', `/messages/${first}`, {
    content: `@**The owner** [plan](${file}) [blue](${picture}) #**town>plans** \`@**The owner**\``,
  })
  for (const [client, emoji_name] of [
    [owner, 'smile'],
    [owner, 'party'],
    [member2, 'party'],
  ] as const)
    await client.must('POST', `/messages/${first}/reactions`, { emoji_name })
  await owner.send('town', '', 'without a topic')
  await owner.send(
    'town',
    'ünï/cødé & "quotes"',
    '```\n@**The owner** #**den**\n```\n**bold** <b>not html</b>',
  )
  await member.send('den', 'x', 'in private')
  await member2.send('attic', 'x', 'under the roof')
  await member.must('POST', '/messages', {
    type: 'direct',
    to: [member2.userId, owner.userId],
    content: 'us three',
  })
  await member.must('POST', '/messages', { type: 'direct', to: [member.userId], content: 'for myself' })
  await owner.must('POST', `/messages/${first}/pin`)
  for (const client of [owner, member])
    await client.must('POST', '/messages/flags', { op: 'add', flag: 'starred', messages: [first] })
  await owner.must('PATCH', `/users/${idOf('Lou Late')}`, { role: 300 })
  await mustUpload(member, '/users/me/avatar', await drawImage('green'))
  for (const [name, subgroups] of [
    ['pilots', []],
    ['flyers', ['pilots', 'role:moderators']],
  ] as const) {
    const { user_groups } = await owner.must('GET', '/user_groups')
    await owner.must('POST', '/user_groups/create', {
      name,
      description: `The ${name}`,
      members: [member.userId, idOf('Lou Late')],
      subgroups: subgroups.map((one) => user_groups.find((group) => group.name === one)?.id),
    })
  }
  await owner.must('POST', '/channel_folders/create', { name: 'Unused' })
  const made = await owner.must('POST', '/channel_folders/create', {
    name: 'Places',
    description: 'Of **all**',
  })
  const { channel_folder_id: folder_id } = made
  const { channel_folders: known } = await owner.must('GET', '/channel_folders')
  await owner.must('PATCH', `/channel_folders/${known.find(({ name }) => name === 'Unused')?.id}`, {
    is_archived: true,
  })
  const { user_groups: groups } = await owner.must('GET', '/user_groups')
  const groupOf = (name: string) => Number(groups.find((group) => group.name === name)?.id)
  // The one that came first names the other one.
  await owner.must('PATCH', `/user_groups/${groupOf('pilots')}`, {
    can_manage_group: { new: { direct_members: [member.userId], direct_subgroups: [groupOf('flyers')] } },
    can_mention_group: { new: groupOf('flyers') },
  })
  const town = await member.must('GET', '/get_stream_id', { stream: 'town' })
  await member.must('PATCH', `/streams/${town.stream_id}`, {
    can_send_message_group: {
      new: { direct_members: [idOf('Ada Away')], direct_subgroups: [groupOf('pilots')] },
    },
    folder_id,
    can_resolve_topics_group: { new: groupOf('role:moderators') },
  })
  const fieldOf = async (field_type: number, name: string, more: object = {}) => {
    const { id } = await owner.must('POST', '/realm/profile_fields', { field_type, name, ...more })
    return id
  }
  const motto = await fieldOf(1, 'Motto', { hint: 'In *short*', display_in_profile_summary: true })
  const sport = await fieldOf(3, 'Sport', {
    field_data: { a: { text: 'Chess', order: '1' }, b: { text: 'Golf', order: '2' } },
    editable_by_user: false,
  })
  const mentor = await fieldOf(6, 'Mentor', { required: true })
  await owner.must('PATCH', `/users/${member.userId}`, {
    profile_data: [
      { id: motto, value: 'Keep **calm**' },
      { id: sport, value: 'b' },
      { id: mentor, value: [idOf('Lou Late'), owner.userId] },
    ],
  })
  const bot = from.as('bot')
  await bot.must('POST', '/messages', { type: 'direct', to: [member.userId], content: 'beep' })
  await member.subscribe(['old'])
  await member.send('old', 'x', 'of old')
  const { stream_id } = await member.must('GET', '/get_stream_id', { stream: 'old' })
  await owner.must('DELETE', `/streams/${stream_id}`)
  await owner.must('DELETE', `/users/${idOf('Ada Away')}`)
}

await fill()
const source = await exportOf(from, 'from.zip')
const planned = await importInto(to, source, '--dry-run')
const first = await importInto(to, source, '--keep-roles')
const before = await readNamed(source)
const after = await readNamed(await exportOf(to, 'to.zip'))

t.test('[ROUND1] an export comes in field by field at another server', async (t) => {
  t.equal(first.code, 0, first.stderr)
  t.same(first.summary.left_out, {})
  t.equal(before.messages.length, 9)
  for (const [index, message] of before.messages.entries()) t.same(after.messages[index], message)
  t.equal(after.messages.length, before.messages.length)
  t.same(after.channels, before.channels)
  t.equal(before.profileFields.length, 3)
  t.same(after.profileFields, before.profileFields)
  t.equal(before.profiles.length, 1)
  t.same(after.profiles, before.profiles)
  t.equal(before.folders.length, 2)
  t.same(after.folders, before.folders)
  t.same(after.files, before.files)
  t.same(after.emoji, before.emoji)
  t.equal(before.stars.length, 2)
  t.same(after.stars, before.stars)
  t.equal(before.groups.length, 2)
  t.same(after.groups, before.groups)
  t.same(
    before.users.filter((user) => !after.users.some((one) => JSON.stringify(one) === JSON.stringify(user))),
    [],
  )
  t.match(planned.summary, { messages: first.summary.messages, files: 2, dry_run: true })
})

t.test('[ROUND2] readers see it, and the tables agree with the log', async (t) => {
  const member = to.as('member')
  const { messages } = await member.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 100,
    narrow: [{ operator: 'channel', operand: 'den' }],
  })
  t.match(messages, [{ subject: 'x', content: '<p>in private</p>' }])
  const refused = await to.as('member2').must('GET', '/messages', { anchor: 'newest', num_before: 100 })
  t.notOk(refused.messages.some(({ content }) => content.includes('in private')))
  const url = /\/user_uploads\/[^")\s]+\.txt/.exec(
    JSON.stringify((await member.must('GET', '/messages', { anchor: 'newest', num_before: 100 })).messages),
  )?.[0]
  const reply = await fetch(new URL(String(url), member.url), {
    headers: { authorization: member.authorization },
  })
  t.equal(await reply.text(), 'the plan')
  const { sql, fileStore } = to.node.services
  await indexMessages(sql)
  const checked = await check(to.databaseUrl, fileStore)
  t.same(checked.differences, [])
})

t.test('[ROUND3] a second run adds nothing', async (t) => {
  const second = await importInto(to, source)
  t.equal(second.code, 0, second.stderr)
  t.equal(second.last, first.last)
  t.match(second.summary, { messages: 0, files: 0, already_imported: first.summary.messages })
})

t.test('[ROUND4] hostile and broken archives are refused in words, or lose what is broken', async (t) => {
  const profile_fields = [
    { id: 1, type: 1, name: 'x'.repeat(1_000), hint: 'y'.repeat(1_000) },
    { id: 2, type: 99, name: 'of no kind' },
    { id: 3, type: 3, name: 'too much', data: { a: { text: 'z'.repeat(20_000), order: '1' } } },
    { id: 4, type: 7, name: 'odd data', data: { a: [[[7]]] } },
    7,
  ]
  const head = { format: 'parley-export', version: 1, organization: { id: 'other', profile_fields } }
  const write = (name: string, files: readonly ZipFile[]) => {
    const path = join(folder, name)
    writeFileSync(path, makeZip(files))
    return path
  }
  const file = (name: string, ...values: readonly unknown[]): ZipFile => {
    return { name, content: values.map((one) => JSON.stringify(one)).join('\n') }
  }
  const refusals: readonly (readonly [readonly ZipFile[], RegExp])[] = [
    [[file('users.jsonl', {})], /has no export\.json: it is not an export of Parley/],
    [[file('export.json', { format: 'else' })], /is not an export of Parley/],
    [[file('export.json', { ...head, version: 2 })], /has the version 2: this server reads version 1/],
    [[{ name: 'export.json', content: '{' }], /export\.json cannot be read/],
    [[{ ...file('export.json', head), crc: 1 }], /export\.json cannot be read: its checksum is wrong/],
  ]
  for (const [index, [files, reason]] of refusals.entries())
    t.match(await importInto(to, write(`refused-${index}.zip`, files)), { code: 1, stderr: reason })
  const whole = makeZip([file('export.json', head)])
  const cut = join(folder, 'cut.zip')
  writeFileSync(cut, whole.subarray(0, whole.length - 8))
  t.match(await importInto(to, cut), { code: 1, stderr: /is no whole zip archive/ })

  const message = { id: 1, channel_id: 1, topic: 't', sender_id: 1, sent_at: 1_700_000_000, content: 'fine' }
  const odd = [null, 7, 'x', [], {}, true].flatMap((value) =>
    ['id', 'sender_id', 'sent_at', 'content', 'topic', 'reactions', 'edits', 'user_ids', 'edited_at'].map(
      (name, index) => ({
        ...message,
        id: 10 + index,
        [name]: value,
      }),
    ),
  )
  // Nobody gets a right by it: not visitors, and not all when the only holder is unknown.
  const ODD = {
    can_send_message_group: { direct_members: [99], direct_subgroups: [] },
    can_subscribe_group: 7,
    can_pin_group: { direct_members: 7 },
    can_fly: 1,
  }
  const path = write('odd.zip', [
    file('export.json', head),
    file(
      'users.jsonl',
      { id: 1, email: 'x', full_name: '<b>', role: 'x', profile: { 1: 'v'.repeat(500), 9: 7 } },
      null,
      7,
      [],
    ),
    file(
      'channels.jsonl',
      {
        id: 1,
        name: 'odd',
        subscriber_ids: [1, null, 'x'],
        pins: [null],
        topics_policy: 'x',
        permissions: ODD,
      },
      { id: 2, name: 'odder', permissions: [7], folder_id: 3 },
      4,
    ),
    file(
      'folders.jsonl',
      { id: 3, name: 'x'.repeat(1_000), description: 'y'.repeat(10_000) },
      { id: 4, name: '' },
    ),
    file(
      'groups.jsonl',
      { id: 7, name: 'role:internet', is_system_group: true },
      { id: 9, name: 'odd', permissions: { can_manage_group: 9, can_join_group: 7 } },
      { id: 10, name: 'gone', is_deactivated: true },
    ),
    {
      name: 'messages.jsonl',
      content: `{\n${[message, ...odd].map((one) => JSON.stringify(one)).join('\n')}`,
    },
    file(
      'files.jsonl',
      { path: '../../x', name: '../x', file: '../../etc/passwd', message_ids: [1] },
      { message_ids: 7 },
    ),
    file('emoji.jsonl', { name: '../x', file: 'export.json' }, { name: 'noise', file: 'export.json' }, 1),
    { name: '../../outside', content: 'x' },
  ])
  const { code, summary, stderr } = await importInto(to, path)
  t.equal(code, 0, stderr)
  t.ok(summary.messages > 1)
  t.match(summary.left_out, {
    'its name leads out of the archive': 1,
    'a file without bytes': 1,
    'a line that is not JSON': 1,
    'a custom emoji with an invalid name': 1,
    'a custom emoji without a picture': 2,
    'a holder of a permission': 1,
    'a permission that is not possible here': 2,
    'a deactivated group': 1,
    'a folder': 1,
    'a profile field': 4,
    'a value of a profile field': 1,
  })
  const { streams } = await to.as('owner').must('GET', '/streams', { include_all: true })
  t.match(
    streams.find(({ name }) => name === 'odd'),
    { can_send_message_group: 8, can_subscribe_group: 8, can_pin_group: 5 },
  )
  const { sql, fileStore } = to.node.services
  await indexMessages(sql)
  t.same((await check(to.databaseUrl, fileStore)).differences, [])
})
