/** Exports of Zulip beside their messages: settings, groups, profiles, flags, and the organization itself. */

import { writeFileSync } from 'node:fs'
import t from 'tap'
import { check } from '../../../server/admin/check.ts'
import { indexMessages } from '../../../workers/jobs/upkeep/index-messages.ts'
import { makeTar } from '../../harness/files/write-tar.ts'
import { readNarrow, startImports } from './start-imports.ts'

const { server, importFrom, at } = await startImports(t)
const [owner, member, member2] = [server.as('owner'), server.as('member'), server.as('member2')]
const { sql, fileStore } = server.node.services

const SECONDS = 1_690_000_000
const LATER = Math.floor(Date.now() / 1_000) + 90_000
const MEM = 11
const TWO = 12
const BOT = 13
const PEST = 14
const GARDEN = 21
const DEN = 22
/** Recipients. */
const TO = { garden: 31, den: 32, two: 33 } as const
/** Groups: of the server, made by people, and one that only lists the holders of a permission. */
const GROUP = { members: 901, moderators: 902, gardeners: 903, all: 904, holders: 905, gone: 906 } as const

const person = (id: number, name: string, delivery_email: string, more: object = {}) => ({
  id,
  full_name: name,
  delivery_email,
  is_active: true,
  is_bot: false,
  role: 400,
  ...more,
})
const group = (id: number, name: string, more: object = {}) => ({
  id,
  usergroup_ptr: id,
  name,
  description: '',
  is_system_group: name.startsWith('role:'),
  deactivated: false,
  ...more,
})
const sent = (
  id: number,
  [sender, recipient]: readonly [number, number],
  content: string,
  more: object = {},
) => ({
  id,
  sender,
  recipient,
  subject: recipient === TO.two ? '' : 'plans',
  content,
  date_sent: SECONDS + id,
  ...more,
})
const flagged = (message: number, user_profile: number, flags_mask: number) => ({
  id: message * 100 + user_profile,
  message,
  user_profile,
  flags_mask,
})

const REALM = {
  zerver_realm: [
    {
      id: 2,
      uuid: 'bb22',
      name: 'The crew',
      description: 'Of **boats**',
      waiting_period_threshold: 4,
      message_content_edit_limit_seconds: 1_200,
      message_edit_history_visibility_policy: 2,
      new_stream_announcements_stream: GARDEN,
      digest_weekday: 9,
      can_add_custom_emoji_group: GROUP.gardeners,
    },
  ],
  zerver_realmuserdefault: [{ id: 1, color_scheme: 2, send_private_typing_notifications: false }],
  zerver_realmdomain: [{ id: 1, domain: 'example.com', allow_subdomains: true }],
  zerver_realmfilter: [
    { id: 2, pattern: 'b(?P<id>[0-9]+)', url_template: 'https://b.example/{id}', order: 1 },
    {
      id: 1,
      pattern: 'a(?P<id>[0-9]+)',
      url_template: 'https://a.example/{id}',
      order: 0,
      alternative_url_templates: '["https://old.example/{id}"]',
    },
  ],
  zerver_realmplayground: [
    { id: 1, name: 'Try', pygments_language: 'Python', url_template: 'https://y.example/?code={code}' },
  ],
  zerver_defaultstream: [{ id: 1, stream: GARDEN }],
  zerver_userprofile: [
    person(MEM, 'Mem', 'member@example.com', {
      twenty_four_hour_time: true,
      translate_emoticons: true,
      resolved_topic_notice_auto_read_policy: 3,
      web_font_size_px: 9_999,
    }),
    person(TWO, 'Two', 'member2@example.com'),
    person(PEST, 'Pest', 'pest@example.org'),
    person(BOT, 'Hook', 'hook-bot@example.org', {
      is_bot: true,
      bot_type: 3,
      bot_owner: MEM,
      default_sending_stream: GARDEN,
    }),
  ],
  zerver_stream: [
    {
      id: GARDEN,
      name: 'garden',
      date_created: SECONDS,
      folder: 81,
      message_retention_days: 3_650,
      topics_policy: 3,
      can_send_message_group: GROUP.holders,
      can_add_subscribers_group: GROUP.moderators,
    },
    { id: DEN, name: 'den', date_created: SECONDS, invite_only: true, topics_policy: 1 },
  ],
  zerver_channelfolder: [
    { id: 81, name: 'Outdoors', description: 'Of all', date_created: SECONDS, creator: MEM },
  ],
  zerver_recipient: [
    { id: TO.garden, type: 2, type_id: GARDEN },
    { id: TO.den, type: 2, type_id: DEN },
    { id: TO.two, type: 1, type_id: TWO },
  ],
  zerver_subscription: [
    {
      id: 1,
      recipient: TO.garden,
      user_profile: MEM,
      active: true,
      color: '#123456',
      is_muted: true,
      pin_to_top: true,
      desktop_notifications: true,
      email_notifications: null,
    },
    { id: 2, recipient: TO.garden, user_profile: TWO, active: true, color: '#654321' },
    { id: 3, recipient: TO.den, user_profile: MEM, active: true },
    { id: 4, recipient: TO.den, user_profile: TWO, active: false, color: '#654321' },
  ],
  zerver_usergroup: Object.values(GROUP).map((id) => ({ id, realm: 2 })),
  zerver_namedusergroup: [
    group(GROUP.members, 'role:members'),
    group(GROUP.moderators, 'role:moderators'),
    group(GROUP.gardeners, 'gardeners', {
      description: 'They dig',
      creator: TWO,
      date_created: SECONDS,
      can_mention_group: GROUP.all,
      can_manage_group: GROUP.holders,
    }),
    group(GROUP.all, 'everything'),
    group(GROUP.gone, 'gone', { deactivated: true }),
  ],
  zerver_usergroupmembership: [
    { id: 1, user_group: GROUP.members, user_profile: MEM },
    { id: 2, user_group: GROUP.gardeners, user_profile: MEM },
    { id: 3, user_group: GROUP.gardeners, user_profile: TWO },
    { id: 4, user_group: GROUP.holders, user_profile: TWO },
  ],
  zerver_groupgroupmembership: [
    { id: 1, supergroup: GROUP.all, subgroup: GROUP.gardeners },
    { id: 2, supergroup: GROUP.all, subgroup: GROUP.moderators },
    { id: 3, supergroup: GROUP.holders, subgroup: GROUP.gardeners },
  ],
  zerver_customprofilefield: [
    { id: 71, order: 2, name: 'Motto', hint: 'Short', field_type: 1, field_data: '', editable_by_user: true },
    {
      id: 72,
      order: 1,
      name: 'Sport',
      hint: '',
      field_type: 3,
      field_data: '{"a":{"text":"Chess","order":"1"},"b":{"text":"Golf","order":"2"}}',
      display_in_profile_summary: true,
      editable_by_user: false,
    },
    { id: 73, order: 3, name: 'Mentor', hint: '', field_type: 6, field_data: '', required: true },
  ],
  zerver_customprofilefieldvalue: [
    { id: 1, user_profile: MEM, field: 71, value: 'Keep **calm**' },
    { id: 2, user_profile: MEM, field: 72, value: 'b' },
    { id: 3, user_profile: MEM, field: 73, value: `[${TWO}]` },
  ],
  zerver_userstatus: [
    {
      id: 1,
      user_profile: MEM,
      status_text: 'On tour',
      emoji_name: 'car',
      emoji_code: '1f697',
      reaction_type: 'unicode_emoji',
    },
  ],
  zerver_usertopic: [
    {
      id: 1,
      user_profile: MEM,
      stream: GARDEN,
      recipient: TO.garden,
      topic_name: 'plans',
      last_updated: SECONDS + 0.5,
      visibility_policy: 3,
    },
    { id: 2, user_profile: TWO, recipient: TO.garden, topic_name: 'noise', visibility_policy: 1 },
  ],
  zerver_alertword: [
    { id: 1, user_profile: MEM, word: 'beans' },
    { id: 2, user_profile: MEM, word: 'old town' },
  ],
  zerver_muteduser: [{ id: 1, user_profile: MEM, muted_user: PEST, date_muted: SECONDS }],
  zerver_savedsnippet: [
    { id: 1, user_profile: MEM, title: 'Hello', content: 'Hello @**Two|12**', date_created: SECONDS },
  ],
  zerver_scheduledmessage: [
    {
      id: 1,
      sender: MEM,
      recipient: TO.garden,
      subject: 'plans',
      content: 'later [list](/user_uploads/2/ab/xy/list.txt)',
      scheduled_timestamp: LATER - 0.5,
      delivered: false,
      delivery_type: 1,
    },
    { id: 2, sender: MEM, recipient: TO.two, content: 'late', scheduled_timestamp: LATER, delivery_type: 1 },
    {
      id: 3,
      sender: MEM,
      recipient: TO.garden,
      content: 'done',
      scheduled_timestamp: SECONDS,
      delivered: true,
      delivery_type: 1,
    },
    {
      id: 4,
      sender: MEM,
      recipient: TO.two,
      content: '',
      scheduled_timestamp: LATER,
      delivered: false,
      delivery_type: 2,
      reminder_target_message_id: 101,
      reminder_note: 'look',
    },
  ],
  zerver_service: [
    { id: 1, user_profile: BOT, name: 'hook', base_url: 'https://service.example.com/hook', interface: 1 },
  ],
  zerver_botstoragedata: [{ id: 1, bot_profile: BOT, key: 'seen', value: '7' }],
  zerver_presencesequence: [{ id: 1, last_update_id: 77 }],
}

const MESSAGES = {
  zerver_usermessage: [
    flagged(101, MEM, 1 | 2),
    flagged(101, TWO, 4),
    flagged(102, MEM, 1),
    flagged(102, TWO, 1),
    flagged(103, TWO, 0),
    { id: 1, message: 103, user_profile: MEM },
    { id: 2, message: 999, user_profile: MEM, flags_mask: 0 },
  ],
  zerver_message: [
    sent(101, [MEM, TO.garden], 'see a7'),
    sent(102, [TWO, TO.garden], '/poll Lunch?\nsoup\nsalad', {
      edit_history: JSON.stringify([
        { user_id: TWO, timestamp: SECONDS + 500, prev_topic: 'food', topic: 'plans' },
        { user_id: TWO, timestamp: SECONDS + 400, prev_stream: DEN, stream: GARDEN, prev_topic: 'x' },
      ]),
    }),
    sent(103, [MEM, TO.two], 'just us'),
  ],
}

const ATTACHMENTS = [
  { file_name: 'list.txt', path_id: '2/ab/xy/list.txt', owner: MEM, messages: [], scheduled_messages: [1] },
  {
    file_name: 'unused.txt',
    path_id: '2/ab/xy/unused.txt',
    owner: MEM,
    messages: [],
    scheduled_messages: [],
  },
]

const path = at('zulip.tar')
const writeExport = (realm: object, messages: object) =>
  writeFileSync(
    path,
    makeTar([
      { name: 'x/realm.json', content: JSON.stringify(realm) },
      { name: 'x/messages-000001.json', content: JSON.stringify(messages) },
      { name: 'x/attachment.json', content: JSON.stringify({ zerver_attachment: ATTACHMENTS }) },
      { name: 'x/uploads/2/ab/xy/list.txt', content: 'the list' },
      { name: 'x/uploads/2/ab/xy/unused.txt', content: 'unused' },
    ]),
  )
writeExport(REALM, MESSAGES)
const planned = await importFrom('zulip', path, '--dry-run')
const first = await importFrom('zulip', path, '--keep-settings')
const register = (who: typeof member) => who.must('POST', '/register', {})
const lastId = async () => Number((await sql`select last_id from event_counter`)[0]?.['last_id'])
const lastOfFirst = await lastId()

t.test('[ZULIP1] people find what they chose: settings, topics, words, mutes, texts and flags', async (t) => {
  t.equal(first.code, 0, first.stderr)
  t.match(planned.summary, { messages: 3 })
  t.match(first.summary, { messages: 3, files: 1, users: { stars: 1 } })
  t.same(first.summary.left_out, {})
  const found = await register(member)
  const { stream_id } = await owner.must('GET', '/get_stream_id', { stream: 'garden' })
  const { members } = await owner.must('GET', '/users')
  const pest = members.find(({ full_name }) => full_name === 'Pest')
  t.match(found.user_settings, {
    twenty_four_hour_time: true,
    translate_emoticons: true,
    resolved_topic_notice_auto_read_policy: 'never',
    web_font_size_px: 16,
  })
  t.match(
    found.subscriptions?.find(({ name }) => name === 'garden'),
    {
      color: '#123456',
      is_muted: true,
      pin_to_top: true,
      desktop_notifications: true,
    },
  )
  t.same(found.user_topics, [{ stream_id, topic_name: 'plans', visibility_policy: 3, last_updated: SECONDS }])
  t.match((await register(member2)).user_topics, [{ topic_name: 'noise', visibility_policy: 1 }])
  t.match(found.user_status?.[String(member.userId)], { status_text: 'On tour', emoji_name: 'car' })
  t.same(new Set(found.alert_words), new Set(['beans', 'old town']))
  t.same(found.muted_users, [{ id: pest?.user_id, timestamp: SECONDS }])
  t.match(found.saved_snippets, [{ title: 'Hello', content: /^Hello @\*\*.*\|\d+\*\*$/ }])
  const scheduled = [...(found.scheduled_messages ?? [])].sort((one, other) =>
    one.content.localeCompare(other.content),
  )
  t.match(scheduled, [
    { type: 'private', to: [member2.userId], content: 'late', scheduled_delivery_timestamp: LATER },
    {
      type: 'stream',
      to: stream_id,
      topic: 'plans',
      content: /^later \[list\]\(\/user_uploads\/(?!2\/ab\/)/,
      scheduled_delivery_timestamp: LATER,
    },
  ])
  t.equal(scheduled.length, 2)
  const [hello] = await readNarrow(member, [['channel', 'garden']])
  t.match(found.reminders, [{ reminder_target_message_id: hello?.id, content: /> look\n/ }])
  t.ok(hello?.flags?.includes('starred'))
  const [theirs, poll] = await readNarrow(member2, [['channel', 'garden']])
  t.same(theirs?.flags, ['collapsed'], 'unread and collapsed')
  t.ok(poll?.flags?.includes('read'))
  const [direct] = await readNarrow(member2, [['dm', [member.userId]]])
  t.notOk(direct?.flags?.includes('read'))
  const [own] = await readNarrow(member, [['dm', [member2.userId]]])
  t.ok(own?.flags?.includes('read'), 'without flags, as all that is imported')
})

t.test('[ZULIP2] groups, permissions, folders, profiles, polls, moves and bots come over', async (t) => {
  const { realm_user_groups: groups, ...found } = await register(owner)
  const named = (name: string) => groups.find((one) => one.name === name)
  const [gardeners, everything, moderators] = ['gardeners', 'everything', 'role:moderators'].map(named)
  t.match(gardeners, {
    description: 'They dig',
    members: [member.userId, member2.userId],
    creator_id: member2.userId,
    date_created: SECONDS,
    can_mention_group: everything?.id,
    can_manage_group: { direct_members: [member2.userId], direct_subgroups: [gardeners?.id] },
  })
  t.same(new Set(everything?.direct_subgroup_ids), new Set([gardeners?.id, moderators?.id]))
  const { user_groups: all } = await owner.must('GET', '/user_groups', { include_deactivated_groups: true })
  t.match(
    all.find(({ name }) => name === 'gone'),
    { deactivated: true },
  )
  const { streams } = await owner.must('GET', '/streams', { include_all: true })
  const folder = found.channel_folders?.find(({ name }) => name === 'Outdoors')
  t.match(folder, { description: 'Of all', creator_id: member.userId, date_created: SECONDS })
  t.match(
    streams.find(({ name }) => name === 'garden'),
    {
      folder_id: folder?.id,
      message_retention_days: 3_650,
      topics_policy: 'disable_empty_topic',
      can_send_message_group: { direct_members: [member2.userId], direct_subgroups: [gardeners?.id] },
      can_add_subscribers_group: moderators?.id,
    },
  )
  const fields = found.custom_profile_fields?.filter(({ name }) =>
    ['Motto', 'Sport', 'Mentor'].includes(name),
  )
  t.match(fields, [
    { name: 'Sport', type: 3, display_in_profile_summary: true, editable_by_user: false },
    { name: 'Motto', type: 1, hint: 'Short' },
    { name: 'Mentor', type: 6, required: true },
  ])
  const [sport, motto, mentor] = (fields ?? []).map(({ id }) => String(id))
  const { user } = await owner.must('GET', `/users/${member.userId}`, {
    include_custom_profile_fields: true,
  })
  t.match(user.profile_data, {
    [String(sport)]: { value: 'b' },
    [String(motto)]: { value: 'Keep **calm**' },
    [String(mentor)]: { value: `[${member2.userId}]` },
  })
  const [, poll] = await readNarrow(member, [['channel', 'garden']])
  const [opening] = (poll?.submessages ?? []) as readonly { readonly content: string }[]
  t.same(JSON.parse(opening?.content ?? '{}'), {
    widget_type: 'poll',
    extra_data: { question: 'Lunch?', options: ['soup', 'salad'] },
  })
  const { message_history: history } = await member.must('GET', `/messages/${Number(poll?.id)}/history`)
  t.match(history, [
    { topic: 'x' },
    { topic: 'food', prev_topic: 'x', timestamp: SECONDS + 400 },
    { topic: 'plans', prev_topic: 'food', timestamp: SECONDS + 500 },
  ])
  const bot = (await owner.must('GET', '/users')).members.find(({ full_name }) => full_name === 'Hook')
  t.match(bot, { is_bot: true, bot_type: 3, bot_owner_id: member.userId })
  t.match(await sql`select value from bot_storage where bot_id = ${bot?.user_id ?? 0}`, [{ value: '7' }])
})

t.test('[ZULIP3] owners may choose the settings of the organization, too', async (t) => {
  const found = await register(owner)
  const { stream_id } = await owner.must('GET', '/get_stream_id', { stream: 'garden' })
  const gardeners = found.realm_user_groups?.find(({ name }) => name === 'gardeners')
  t.match(found, {
    realm_name: 'The crew',
    realm_description: 'Of **boats**',
    realm_waiting_period_threshold: 4,
    realm_message_content_edit_limit_seconds: 1_200,
    realm_message_edit_history_visibility_policy: 'moves',
    realm_new_stream_announcements_stream_id: stream_id,
    realm_digest_weekday: 1,
    realm_can_add_custom_emoji_group: gardeners?.id,
    realm_domains: [{ domain: 'example.com', allow_subdomains: true }],
    realm_playgrounds: [{ name: 'Try', pygments_language: 'Python' }],
    realm_user_settings_defaults: { color_scheme: 2, send_private_typing_notifications: false },
  })
  t.match((await owner.must('GET', '/realm/linkifiers')).linkifiers, [
    { pattern: 'a(?P<id>[0-9]+)', alternative_url_templates: ['https://old.example/{id}'] },
    { pattern: 'b(?P<id>[0-9]+)' },
  ])
  t.ok(found.realm_default_streams?.includes(stream_id))
  const [hello] = await owner
    .must('GET', '/messages', {
      anchor: 'newest',
      num_before: 10,
      narrow: [{ operator: 'channel', operand: 'garden' }],
    })
    .then(({ messages }) => messages)
  t.match(hello?.content, /href="https:\/\/a\.example\/7"/, 'linkifiers come before the messages')
})

t.test('[ZULIP4] a second run adds nothing, and a later export only what is new', async (t) => {
  const second = await importFrom('zulip', path, '--keep-settings')
  t.match(second.summary, { messages: 0, already_imported: 3 })
  t.equal(await lastId(), lastOfFirst)
  await member2.must('POST', '/messages/flags', {
    op: 'add',
    flag: 'read',
    messages: (await readNarrow(member2, [['channel', 'garden']])).map(({ id }) => id),
  })
  const later = { ...REALM, zerver_presencesequence: [{ id: 1, last_update_id: 99 }] }
  const messages = {
    zerver_usermessage: [...MESSAGES.zerver_usermessage, flagged(104, TWO, 0)],
    zerver_message: [...MESSAGES.zerver_message, sent(104, [MEM, TO.garden], 'new')],
  }
  writeExport(later, messages)
  t.match((await importFrom('zulip', path)).summary, { messages: 1, already_imported: 3 })
  const read = await readNarrow(member2, [['channel', 'garden']])
  t.same(
    read.map(({ content, flags }) => [content.slice(0, 6), flags?.includes('read')]),
    [
      ['see a7', true],
      ['/poll ', true],
      ['new', false],
    ],
    'what was read here stays read',
  )
  await indexMessages(sql)
  t.same((await check(server.databaseUrl, fileStore)).differences, [])
})
