/** Round trips: what one server exports comes in at another one. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { check } from '../../../server/admin/check.ts'
import type { ComparisonResult } from '../../../server/admin/compare/compare-exports.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { indexMessages } from '../../../workers/jobs/upkeep/index-messages.ts'
import { makeZip, type ZipFile } from '../../harness/files/write-zip.ts'
import { makeFolder } from '../../harness/client/tus.ts'
import { drawImage, mustUpload } from '../../harness/client/upload.ts'
import { mustPostFile } from '../../harness/client/user-files.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { startTestServer, type TestServer } from '../../harness/servers/start-server.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { runHere } from '../run-here.ts'

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

/** The differences of two exports, as `check` prints them. */
async function compare(
  one: string,
  other: string,
): Promise<ComparisonResult & { readonly code: number | null }> {
  const { code, stdout, stderr } = await runHere({}, ['check', '--export', one, '--with', other])
  t.equal(stderr, '')
  return { ...(JSON.parse(stdout) as ComparisonResult), code }
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
  const poll = await member.send('town', 'plans', '/poll Where?\nHere')
  await owner.must('POST', '/submessage', {
    message_id: poll,
    msg_type: 'widget',
    content: JSON.stringify({ type: 'new_option', idx: 1, option: 'There' }),
  })
  await member.must('POST', '/submessage', {
    message_id: poll,
    msg_type: 'widget',
    content: JSON.stringify({ type: 'vote', key: `${owner.userId},1`, vote: 1 }),
  })
  const moved = await member.send('den', 'x', 'on the move')
  await member.must('PATCH', `/messages/${moved}`, { topic: 'y', content: 'it moved' })
  await member.must('PATCH', `/messages/${moved}`, { stream_id: town.stream_id, topic: 'z' })
  await owner.must('POST', `/messages/${moved}/pin`, { kind: 'topic' })
  await owner.must('PATCH', `/streams/${town.stream_id}`, { message_retention_days: 3_650 })
  await owner.must('POST', '/user_groups/create', { name: 'gone', description: '', members: [member.userId] })
  const all = await owner.must('GET', '/user_groups')
  await owner.must(
    'POST',
    `/user_groups/${all.user_groups.find(({ name }) => name === 'gone')?.id}/deactivate`,
  )
  await member.must('POST', '/bots', {
    full_name: 'Outgoing',
    short_name: 'outgoing',
    bot_type: 3,
    payload_url: 'https://service.example.com/hook',
    interface_type: 1,
  })
  await owner.must('PATCH', '/realm', {
    description: 'Of **boats**',
    message_content_edit_limit_seconds: 1_200,
    digest_weekday: 3,
    can_add_custom_emoji_group: { new: groupOf('pilots') },
  })
  await owner.must('POST', '/realm/filters', {
    pattern: '#(?P<id>[0-9]+)',
    url_template: 'https://x.example/{id}',
  })
  await owner.must('POST', '/realm/playgrounds', {
    name: 'Try',
    pygments_language: 'Python',
    url_template: 'https://y.example/?code={code}',
  })
  await owner.must('POST', '/realm/domains', { domain: 'example.com', allow_subdomains: true })
  await owner.must('PATCH', '/realm/user_settings_defaults', { color_scheme: 2 })
  await owner.must('POST', '/default_streams', { stream_id: town.stream_id })
  await member2.send('attic', 'x', 'see #77')
  const bot = from.as('bot')
  await bot.must('POST', '/messages', { type: 'direct', to: [member.userId], content: 'beep' })
  await member.subscribe(['old'])
  await member.send('old', 'x', 'of old')
  const { stream_id } = await member.must('GET', '/get_stream_id', { stream: 'old' })
  await owner.must('DELETE', `/streams/${stream_id}`)
  await owner.must('DELETE', `/users/${idOf('Ada Away')}`)
  await chooseForThemselves(town.stream_id, first)
}

/** Data that people keep for themselves. */
async function chooseForThemselves(town: number, message: number) {
  const [owner, member, member2] = [from.as('owner'), from.as('member'), from.as('member2')]
  await member.must('PATCH', '/settings', {
    enter_sends: false,
    web_font_size_px: 18,
    parley_quiet_hours: '1,2 22:00-07:00 Europe/Berlin',
    allow_private_data_export: true,
  })
  await member.must('POST', '/users/me/status', { status_text: 'On tour', emoji_name: 'party' })
  await member2.must('POST', '/users/me/status', { status_text: '', emoji_name: 'car' })
  await member.must('PATCH', `/users/me/subscriptions/${town}`, { property: 'color', value: '#123456' })
  await member.must('PATCH', `/users/me/subscriptions/${town}`, { property: 'is_muted', value: true })
  for (const [topic, visibility_policy] of [
    ['plans', 3],
    ['ünï/cødé & "quotes"', 1],
  ] as const)
    await member.must('POST', '/user_topics', { stream_id: town, topic, visibility_policy })
  await member.must('POST', '/users/me/alert_words', { alert_words: ['tea', 'old town'] })
  await member.must('POST', `/users/me/muted_users/${member2.userId}`)
  const drafts = [
    { type: 'stream', to: [town], topic: 'plans', content: 'to #**den**', timestamp: 1_700_000_000 },
    { type: 'private', to: [owner.userId], topic: '', content: 'to one', timestamp: 1_700_000_001 },
    { type: '', to: [], topic: '', content: 'to nobody', timestamp: 1_700_000_002 },
  ]
  await member.must('POST', '/drafts', { drafts })
  await member.must('POST', '/saved_snippets', { title: 'Hello', content: 'Hello @**The owner**' })
  for (const view of [
    { fragment: 'inbox', is_pinned: false },
    { fragment: `narrow/channel/${town}-town/topic/plans`, is_pinned: true, name: 'The plans' },
  ])
    await member.must('POST', '/navigation_views', view)
  const later = Math.floor(clock.nowMs() / 1_000) + 90_000
  await member.must('POST', '/scheduled_messages', {
    type: 'channel',
    to: town,
    topic: 'plans',
    content: `Later, @**The owner**: [list](${await mustPostFile(member, 'the list', 'list.txt')})`,
    scheduled_delivery_timestamp: later,
  })
  await member.must('POST', '/scheduled_messages', {
    type: 'direct',
    to: [member2.userId],
    content: 'later',
    scheduled_delivery_timestamp: later,
  })
  await member.must('POST', '/reminders', {
    message_id: message,
    scheduled_delivery_timestamp: later,
    note: 'look',
  })
  await member.must('POST', '/messages/flags', { op: 'add', flag: 'collapsed', messages: [message] })
  await from.as('bot').request('PUT', '/bot_storage', { storage: { seen: '7' } })
}

await fill()
const source = await exportOf(from, 'from.zip')
const empty = await exportOf(to, 'empty.zip')
const planned = await importInto(to, source, '--dry-run')
const first = await importInto(to, source, '--keep-roles', '--keep-settings')
const back = await exportOf(to, 'to.zip')
const compared = await compare(source, back)

t.test('[ROUND1] an export comes in field by field at another server', async (t) => {
  t.equal(first.code, 0, first.stderr)
  t.same(first.summary.left_out, {})
  t.match(compared, { code: 0, ok: true, differences: [], difference_count: 0 })
  t.match(compared.same_records, {
    messages: 14,
    folders: 2,
    groups: 3,
    emoji: 1,
    files: 3,
    marks: 2,
    user_topics: 2,
    unread: 12,
    personal: 23,
  })
  t.match(planned.summary, { messages: first.summary.messages, files: 3, dry_run: true })
  const marked = await to.node.services.sql`
    select xmin::text from event_log where event ->> 'type' = 'update_message_flags' and event ->> 'flag' = 'read'
      and id <= ${first.last ?? 0}`
  t.ok(marked.length > 5, `${marked.length} events of unread messages`)
  t.equal(new Set(marked.map(({ xmin }) => xmin)).size, 1, 'in one change')
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

t.test('[ROUND5] a comparison of exports names each record and each field that differs', async (t) => {
  const without = await compare(source, empty)
  t.equal(without.code, 1)
  t.equal(without.ok, false)
  t.ok(
    without.differences.some((line) =>
      /^message in den > x by member@example\.com at \d+: missing/.test(line),
    ),
  )
  t.ok(without.differences.includes('channels "town": missing in the other'))
  t.ok((await compare(empty, source)).differences.includes('channels "town": only in the other'))
  const owner = to.as('owner')
  const { stream_id } = await owner.must('GET', '/get_stream_id', { stream: 'town' })
  await owner.must('PATCH', `/streams/${stream_id}`, { description: 'For some' })
  const { messages } = await owner.must('GET', '/messages', {
    anchor: 'newest',
    num_before: 100,
    narrow: [{ operator: 'channel', operand: 'town' }],
  })
  const idOf = (text: string) => messages.find(({ content }) => content.includes(text))?.id
  await owner.must('PATCH', `/messages/${idOf('without a topic')}`, { content: 'with another text' })
  const plan = idOf('The owner')
  await owner.must('POST', `/messages/${plan}/reactions`, { emoji_name: 'tada' })
  await owner.must('POST', '/messages/flags', { op: 'remove', flag: 'starred', messages: [plan] })
  const { differences } = await compare(source, await exportOf(to, 'changed.zip'))
  const lines = (part: string) => differences.filter((line) => line.includes(part))
  t.same(lines('channels "town"'), ['channels "town": description: "For all", in the other "For some"'])
  // A message with another text is another message.
  t.match(lines('message in town >  by owner@example.com'), [
    /at \d+: missing in the other$/,
    /at \d+: only in the other$/,
  ])
  t.match(lines('message in town > plans by member@example.com'), [
    /at \d+: reactions: \[.*, in the other \[/,
  ])
  t.match(lines('marks'), [/^marks \["owner@example\.com",\d+\]: missing in the other$/])
  t.equal(
    differences.filter((line) => !line.includes('only in the other') && !line.startsWith('unread')).length,
    4,
  )
  const refused = await runHere({}, ['check', '--export', source, '--with', 'none.zip'])
  t.match(refused, { code: 1, stderr: /none\.zip/ })
  for (const [content, reason] of [
    ['{', /broken\.zip: export\.json cannot be read/],
    ['{}', /broken\.zip is not an export of Parley/],
  ] as const) {
    const path = join(folder, 'broken.zip')
    writeFileSync(path, makeZip([{ name: 'export.json', content }]))
    t.match(await runHere({}, ['check', '--export', source, '--with', path]), { code: 1, stderr: reason })
  }
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
    'a file without bytes': 2,
    'a line that is not JSON': 1,
    'a custom emoji with an invalid name': 1,
    'a custom emoji without a picture': 2,
    'a holder of a permission': 1,
    'a permission that is not possible here': 2,
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

t.test('[ROUND6] an archive sets no default for new users that an administrator could not set', async (t) => {
  const own = {
    timezone: 'Asia/Tokyo',
    default_language: 'de',
    enable_marketing_emails: true,
    enable_login_emails: false,
    allow_private_data_export: true,
  }
  const head = {
    format: 'parley-export',
    version: 1,
    organization: { id: 'hostile', default_user_settings: { ...own, color_scheme: 3 } },
  }
  const path = join(folder, 'defaults.zip')
  writeFileSync(path, makeZip([{ name: 'export.json', content: JSON.stringify(head) }]))
  const { code, stderr } = await importInto(to, path, '--keep-settings')
  t.equal(code, 0, stderr)
  const { newUserSettings } = to.node.services.state
  t.same(newUserSettings, { colorScheme: 3 })
  for (const [name, value] of Object.entries(own)) {
    await to.as('owner').must('PATCH', '/realm/user_settings_defaults', { [name]: value })
    t.equal(to.node.services.state.newUserSettings, newUserSettings, `${name} is no parameter`)
  }
})

t.test(
  '[ROUND7] parts of polls that no client would send are left out, and a bot keeps its values',
  async (t) => {
    const bot = to.as('bot')
    const { state } = to.node.services
    const lines = (...values: readonly object[]) => values.map((one) => JSON.stringify(one)).join('\n')
    const poll = { channel_id: 1, topic: 't', sender_id: 1, sent_at: 1_700_000_000 }
    const opening = (length: number) => {
      const start = { widget_type: 'poll', extra_data: { question: '', options: [] } }
      return JSON.stringify({ ...start, pad: '' }).replace('""}', `"${'x'.repeat(length)}"}`)
    }
    const votes = ['[]', '{"type":7}', '{"key":"1,1"}', '{"type":"vote","key":"1,1","vote":1}']
    const key = 'k'.repeat(500)
    await bot.request('PUT', '/bot_storage', { storage: { [key]: 'mine' } })
    const path = join(folder, 'polls.zip')
    writeFileSync(
      path,
      makeZip([
        {
          name: 'export.json',
          content: lines({ format: 'parley-export', version: 1, organization: { id: 'polls' } }),
        },
        {
          name: 'users.jsonl',
          content: lines(
            { id: 1, email: 'pat@example.org', full_name: 'Pat' },
            { id: 2, email: state.getUser(bot.userId as UserId).email, full_name: 'Bot', bot_type: 1 },
          ),
        },
        { name: 'channels.jsonl', content: lines({ id: 1, name: 'polls', subscriber_ids: [1] }) },
        {
          name: 'messages.jsonl',
          content: lines(
            {
              id: 1,
              ...poll,
              content: 'first',
              submessages: [{ id: 1, sender_id: 1, content: opening(100_001) }],
            },
            {
              id: 2,
              ...poll,
              content: 'second',
              submessages: [opening(10), ...votes].map((content, index) => ({
                id: 2 + index,
                sender_id: 1,
                content,
              })),
            },
          ),
        },
        {
          name: 'personal.jsonl',
          content: lines({ user_id: 2, type: 'bot_storage', key: `${key}k`, value: 'theirs' }),
        },
      ]),
    )
    const { code, summary, stderr } = await importInto(to, path)
    t.equal(code, 0, stderr)
    t.same(summary.left_out, { 'a poll or a list that is too long': 1, 'a part of a poll or a list': 3 })
    t.match((await bot.request('GET', '/bot_storage')).body, { storage: { [key]: 'mine' } })
  },
)
