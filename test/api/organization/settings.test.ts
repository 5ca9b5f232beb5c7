import t from 'tap'
import type { Fields } from '../../harness/client/client.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const server = await startTestServer(t)
const member = server.as('member')

const set = (fields: Fields, person: Person = 'member') => server.as(person).patch('/settings', fields)
const settingsOf = async (person: Person = 'member') =>
  (await server.as(person).must('POST', '/register', { fetch_event_types: ['user_settings'] })).user_settings
const done = { result: 'success', msg: '' }

/** Every setting with its default, its valid values and its invalid ones, with the error. */
const BOOLEANS: Readonly<Record<string, boolean>> = {
  translate_emoticons: false,
  send_read_receipts: true,
  send_private_typing_notifications: true,
  send_stream_typing_notifications: true,
  receives_typing_notifications: true,
  enable_drafts_synchronization: true,
  twenty_four_hour_time: false,
  enter_sends: true,
  starred_message_counts: true,
  fluid_layout_width: false,
  high_contrast_mode: false,
  display_emoji_reaction_users: true,
  left_side_userlist: false,
  hide_ai_features: false,
  web_escape_navigates_to_home_view: true,
  web_suggest_update_timezone: true,
  web_navigate_to_sent_message: true,
  web_left_sidebar_unreads_count_summary: true,
  web_left_sidebar_show_channel_folders: true,
  web_inbox_show_channel_folders: true,
  enable_stream_desktop_notifications: false,
  enable_stream_email_notifications: false,
  enable_stream_push_notifications: false,
  enable_stream_audible_notifications: false,
  enable_desktop_notifications: true,
  enable_sounds: true,
  enable_followed_topic_desktop_notifications: true,
  enable_followed_topic_email_notifications: true,
  enable_followed_topic_push_notifications: true,
  enable_followed_topic_audible_notifications: true,
  enable_offline_email_notifications: true,
  enable_offline_push_notifications: true,
  enable_online_push_notifications: false,
  enable_digest_emails: false,
  enable_marketing_emails: false,
  enable_login_emails: true,
  message_content_in_email_notifications: true,
  pm_content_in_desktop_notifications: true,
  parley_hide_notification_text: false,
  parley_show_link_previews: true,
  parley_show_topic_tour: true,
  wildcard_mentions_notify: true,
  enable_followed_topic_wildcard_mentions_notify: true,
  automatically_follow_topics_where_mentioned: false,
  presence_enabled: true,
  allow_private_data_export: false,
}
const NUMBERS: Readonly<Record<string, readonly [initial: number, min: number, max: number]>> = {
  color_scheme: [1, 1, 3],
  demote_inactive_streams: [1, 1, 3],
  user_list_style: [2, 1, 3],
  web_mark_read_on_scroll_policy: [1, 1, 3],
  web_channel_default_view: [1, 1, 4],
  web_font_size_px: [16, 8, 40],
  web_line_height_percent: [122, 100, 200],
  web_stream_unreads_count_display_policy: [2, 1, 3],
  parley_notifications_paused_until: [0, 0, 4_102_444_800],
  email_notifications_batching_period_seconds: [120, 0, 604_800],
  desktop_icon_count_display: [1, 1, 4],
  realm_name_in_email_notifications_policy: [1, 1, 3],
  automatically_follow_topics_policy: [4, 1, 4],
  automatically_unmute_topics_in_muted_streams_policy: [4, 1, 4],
  email_address_visibility: [1, 1, 5],
}
const TEXTS: Readonly<Record<string, readonly [initial: string, ...others: string[]]>> = {
  default_language: ['en', 'de', 'zh-hans'],
  emojiset: ['google', 'google-blob', 'twitter', 'text'],
  web_home_view: ['inbox', 'recent', 'all_messages'],
  web_animate_image_previews: ['on_hover', 'always', 'never'],
  notification_sound: ['ding', 'none'],
  parley_quiet_hours: ['', '1,2 22:00-07:00; 6 00:00-00:00 Europe/Berlin', '7 09:00-10:30 UTC'],
  resolved_topic_notice_auto_read_policy: ['except_followed', 'always', 'never'],
}
const NUMBERS_INITIAL = Object.entries(NUMBERS).map(([name, [initial]]) => [name, initial])
const TEXTS_INITIAL = Object.entries(TEXTS).map(([name, [initial]]) => [name, initial])
const CHOICES = {
  available_notification_sounds: ['ding'],
  emojiset_choices: [
    { key: 'google', text: 'Google' },
    { key: 'google-blob', text: 'Google blobs' },
    { key: 'twitter', text: 'Twitter' },
    { key: 'text', text: 'Plain text' },
  ],
}
const INITIAL = {
  ...BOOLEANS,
  ...Object.fromEntries([...NUMBERS_INITIAL, ...TEXTS_INITIAL]),
  timezone: '',
  ...CHOICES,
}

t.test('[SETTING1] registration has every setting, with its default until it is set', async (t) => {
  t.same(await settingsOf(), INITIAL)
})

t.test('[SETTING2] people and bots can set every setting to each of its values', async (t) => {
  const others: Fields = {
    ...Object.fromEntries(Object.entries(BOOLEANS).map(([name, initial]) => [name, !initial])),
    ...Object.fromEntries(Object.entries(NUMBERS).map(([name, [, , max]]) => [name, max])),
    ...Object.fromEntries(Object.entries(TEXTS).map(([name, [, other]]) => [name, other])),
    timezone: 'Europe/Berlin',
  }
  const queue = await server.as('bot').register({ event_types: ['user_settings'] })
  t.same((await set(others, 'bot')).body, done)
  t.same(await settingsOf('bot'), { ...INITIAL, ...others })
  const least = Object.fromEntries(Object.entries(NUMBERS).map(([name, [, min]]) => [name, min]))
  const last = Object.fromEntries(Object.entries(TEXTS).map(([name, texts]) => [name, texts.at(-1)]))
  t.same((await set({ ...least, ...last }, 'bot')).body, done)
  t.same(await settingsOf('bot'), { ...INITIAL, ...others, ...least, ...last })
  t.same(await settingsOf('member2'), INITIAL, 'others have theirs')
  const events = withoutIds(await server.as('bot').events(queue)) as { property: string }[]
  t.ok(events.every((event) => 'property' in event))
  t.same(new Set(events.map(({ property }) => property)), new Set(Object.keys(others)))
})

t.test('[SETTING3] one invalid value refuses the whole request', async (t) => {
  for (const name of Object.keys(BOOLEANS)) {
    expectRefusal(t, await set({ twenty_four_hour_time: true, [name]: 1 }), `${name} is not a boolean`)
  }
  for (const [name, [, min, max]] of Object.entries(NUMBERS)) {
    expectRefusal(t, await set({ twenty_four_hour_time: true, [name]: min - 1 }), `Invalid ${name}`)
    expectRefusal(t, await set({ [name]: max + 1 }), `Invalid ${name}`)
    expectRefusal(t, await set({ [name]: '"x"' }), `${name} is not an integer`)
  }
  for (const name of Object.keys(TEXTS)) {
    expectRefusal(t, await set({ twenty_four_hour_time: true, [name]: 'qq' }), `Invalid ${name}`)
    const limit = name === 'parley_quiet_hours' ? 200 : 100
    expectRefusal(
      t,
      await set({ [name]: 'x'.repeat(limit + 1) }),
      `${name} is too long (limit: ${limit} characters)`,
    )
  }
  for (const zone of ['', 'Nowhere/City', '+01:00', 'Europe/Berlin ']) {
    expectRefusal(t, await set({ twenty_four_hour_time: true, timezone: zone }), 'Invalid timezone')
  }
  t.same(await settingsOf(), INITIAL)
})

t.test('[SETTING4] each queue of the user gets a changed setting, and nobody else does', async (t) => {
  const modern = await member.register({ client_capabilities: { user_settings_object: true } })
  for (const name of ['color_scheme', 'enable_sounds', 'timezone', 'emojiset_choices']) {
    t.notOk(name in modern.state, name)
  }
  const received = await expectConsistent(server, async () => {
    t.same((await set({ color_scheme: 2, enable_sounds: false, hide_ai_features: true })).body, done)
    t.same((await set({ color_scheme: 2, default_language: 'de' })).body, done)
  })
  const events = [
    { type: 'user_settings', op: 'update', property: 'color_scheme', value: 2 },
    { type: 'user_settings', op: 'update', property: 'hide_ai_features', value: true },
    { type: 'user_settings', op: 'update', property: 'enable_sounds', value: false },
    {
      type: 'user_settings',
      op: 'update',
      property: 'default_language',
      value: 'de',
      language_name: 'Deutsch',
    },
  ]
  const user = member.email
  t.same(withoutIds(received.member), [
    events[0],
    { type: 'update_display_settings', user, setting_name: 'color_scheme', setting: 2 },
    events[1],
    events[2],
    { type: 'update_global_notifications', user, notification_name: 'enable_sounds', setting: false },
    events[3],
    {
      type: 'update_display_settings',
      user,
      setting_name: 'default_language',
      setting: 'de',
      language_name: 'Deutsch',
    },
  ])
  t.same([received.owner, received.member2, received.guest], [[], [], []])
  t.same(withoutIds(await member.events(modern)), events, 'modern clients get one event')
})

t.test('[SETTING5] a time zone is sent to everyone, as part of the account', async (t) => {
  const events = await expectConsistent(server, async () => {
    t.same((await set({ timezone: 'Asia/Kolkata' })).body, done)
    t.same((await set({ timezone: 'Asia/Kolkata' })).body, done)
  })
  const update = {
    type: 'realm_user',
    op: 'update',
    person: { user_id: 4, email: member.email, timezone: 'Asia/Kolkata' },
  }
  for (const person of ['owner', 'member2', 'guest'] as const)
    t.same(withoutIds(events[person]), [update], person)
  t.same(withoutIds(events.member), [
    { type: 'user_settings', op: 'update', property: 'timezone', value: 'Asia/Kolkata' },
    {
      type: 'update_display_settings',
      user: member.email,
      setting_name: 'timezone',
      setting: 'Asia/Kolkata',
    },
    update,
  ])
  t.equal((await server.as('guest').must('GET', '/users/4')).user.timezone, 'Asia/Kolkata')
})

t.test('[SETTING6] a new name is sent to everyone, and new messages have it', async (t) => {
  await server.as('owner').subscribe(['town'], { principals: [1, 4] })
  const before = await member.send('town', 'x', 'hello')
  await member.must('GET', '/messages', { anchor: 'newest', num_before: 5, num_after: 0 })
  const events = await expectConsistent(server, async () => {
    t.same((await set({ full_name: '  Élodie 李 ' })).body, done)
    t.same((await set({ full_name: 'Élodie 李' })).body, done)
  })
  const update = { type: 'realm_user', op: 'update', person: { user_id: 4, full_name: 'Élodie 李' } }
  const { avatar_url } = await member.must('GET', '/users/me')
  for (const person of ['owner', 'member', 'member2', 'guest'] as const) {
    const [ofName, ofPicture, ...others] = withoutIds(events[person])
    t.same([ofName, others], [update, []], person)
    t.match(
      ofPicture,
      { type: 'realm_user', person: { user_id: 4, avatar_url } },
      'the drawn picture has its letters',
    )
  }
  t.equal((await member.must('GET', '/users/me')).full_name, 'Élodie 李')
  t.equal((await member.must('GET', `/messages/${before}`)).message.sender_full_name, 'Élodie 李')
})

t.test('[SETTING7] a name has 2 to 100 visible characters', async (t) => {
  for (const name of ['', ' ', 'x', ' x '])
    expectRefusal(t, await set({ full_name: name }), 'Name too short!')
  expectRefusal(t, await set({ full_name: '😀'.repeat(101) }), 'Name too long!')
  for (const character of ['\0', '*', '`', '\\', '<', '>', '"', '@', '\n', '\u200b', '\u202e']) {
    expectRefusal(t, await set({ full_name: `a${character}b` }), 'Invalid characters in name!')
  }
  expectRefusal(t, await set({ full_name: 'Ann|15' }), 'Invalid format!')
  expectRefusal(
    t,
    await set({ full_name: 'x'.repeat(10_001) }),
    'full_name is too long (limit: 10000 characters)',
  )
  t.same((await set({ full_name: '😀'.repeat(100) }, 'member2')).body, done)
  t.same((await set({ full_name: "Al | O'Neil-Smith, Jr." }, 'member2')).body, done)
  t.same((await set({ full_name: 'Al' }, 'member2')).body, done)
})

t.test('[SETTING10] older clients send settings to two paths of their own', async (t) => {
  for (const path of ['/settings/notifications', '/settings/display']) {
    const before = (await settingsOf()).enable_sounds
    const events = await expectConsistent(server, async () => {
      t.same((await member.patch(path, { enable_sounds: !before })).body, done)
    })
    t.ok((events.member ?? []).length > 0, 'the user gets events')
    t.same(events.owner, [])
    t.equal((await settingsOf()).enable_sounds, !before)
    expectRefusal(t, await member.patch(path, { enable_sounds: 1 }), 'enable_sounds is not a boolean')
    const { body } = await member.patch(path, { full_name: 'Another', new_password: 'x' })
    t.same(body, { ...done, ignored_parameters_unsupported: ['full_name', 'new_password'] })
    t.equal((await server.anyone.patch(path, { enable_sounds: true })).status, 401)
  }
})

t.test('[SETTING8] an unknown setting is reported as ignored', async (t) => {
  const { body } = await set({ dense_mode: true, night_mode: true })
  t.same(new Set(body.ignored_parameters_unsupported), new Set(['dense_mode', 'night_mode']))
  t.equal((await member.must('GET', '/users/me')).email, member.email)
})

t.test('[SETTING9] settings survive a restart', async (t) => {
  const another = await server.startAnotherNode()
  const { user_settings } = await another.as('member').must('POST', '/register', {})
  t.same(user_settings, await settingsOf())
  t.equal(user_settings.color_scheme, 2)
})
