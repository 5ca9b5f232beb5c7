import t from 'tap'
import type { Fields } from '../../harness/client/client.ts'
import { addUser, deactivate } from '../../harness/worlds/add-user.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { emailOf, type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const SHORT = 1
const LONG = 2
const CHOICE = 3
const DATE = 4
const LINK = 5
const USERS = 6
const EXTERNAL = 7
const PRONOUNS = 8

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
const guest = server.as('guest')
const done = { result: 'success', msg: '' }

const add = (fields: Fields, person: Person = 'administrator') =>
  server.as(person).post('/realm/profile_fields', fields)
const change = (id: number, fields: Fields, person: Person = 'administrator') =>
  server.as(person).patch(`/realm/profile_fields/${id}`, fields)
const listFields = async () => (await guest.must('GET', '/realm/profile_fields')).custom_fields
const say = (id: number, value: unknown, person: Person = 'member') =>
  server.as(person).patch('/users/me/profile_data', { data: [{ id, value }] })
const profileOf = async (userId = 4) =>
  (await guest.must('GET', `/users/${userId}`, { include_custom_profile_fields: true })).user.profile_data
const choices = (...texts: string[]) =>
  Object.fromEntries(texts.map((text, index) => [text.slice(0, 1), { text, order: `${index + 1}` }]))

const ids: Record<string, number> = {}
const field = (name: string) => ids[name] as number

t.test('[PROFILE1] administrators add fields of every type, and everyone gets the whole list', async (t) => {
  const received = await expectConsistent(server, async () => {
    const wanted: [string, Fields][] = [
      ['short', { field_type: SHORT, name: ' short ', hint: ' what ', display_in_profile_summary: true }],
      ['long', { field_type: LONG, required: true }],
      ['choice', { field_type: CHOICE, field_data: choices('vim', 'emacs') }],
      ['date', { field_type: DATE }],
      ['link', { field_type: LINK }],
      ['users', { field_type: USERS }],
      ['github', { field_type: EXTERNAL, field_data: { subtype: 'github' } }],
      [
        'forge',
        { field_type: EXTERNAL, field_data: { subtype: 'custom', url_pattern: 'https://x.io/%(username)s' } },
      ],
      ['pronouns', { field_type: PRONOUNS, editable_by_user: false }],
    ]
    for (const [name, fields] of wanted) {
      const { status, body } = await add({ name, ...fields })
      t.equal(status, 200, name)
      ids[name] = body.id
    }
  })
  for (const events of Object.values(received)) {
    t.same(
      events.map(({ type, fields }) => [type, fields.length]),
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((length) => ['custom_profile_fields', length]),
    )
  }
  const plain = {
    hint: '',
    field_data: '',
    display_in_profile_summary: false,
    required: false,
    editable_by_user: true,
  }
  const fields = await listFields()
  t.same(fields, received.guest?.at(-1).fields)
  t.same(fields, [
    { ...plain, id: 1, order: 1, type: SHORT, name: 'short', hint: 'what', display_in_profile_summary: true },
    { ...plain, id: 2, order: 2, type: LONG, name: 'long', required: true },
    {
      ...plain,
      id: 3,
      order: 3,
      type: CHOICE,
      name: 'choice',
      field_data: JSON.stringify(choices('vim', 'emacs')),
    },
    { ...plain, id: 4, order: 4, type: DATE, name: 'date' },
    { ...plain, id: 5, order: 5, type: LINK, name: 'link' },
    { ...plain, id: 6, order: 6, type: USERS, name: 'users' },
    {
      ...plain,
      id: 7,
      order: 7,
      type: EXTERNAL,
      name: 'GitHub username',
      field_data: '{"subtype":"github"}',
    },
    { ...plain, id: 8, order: 8, type: EXTERNAL, name: 'forge', field_data: fields[7].field_data },
    { ...plain, id: 9, order: 9, type: PRONOUNS, name: 'pronouns', editable_by_user: false },
  ])
  t.same(JSON.parse(fields[7].field_data), { subtype: 'custom', url_pattern: 'https://x.io/%(username)s' })
  const { state } = await guest.register({ fetch_event_types: ['custom_profile_fields', 'realm'] })
  t.same(state.custom_profile_fields, fields)
  t.equal(Object.keys(state.custom_profile_field_types).length, 8)
  t.same(state.custom_profile_field_types.SHORT_TEXT, { id: 1, name: 'Text (short)' })
  t.match(state.realm_default_external_accounts.github, { url_pattern: 'https://github.com/%(username)s' })
})

t.test('[PROFILE2] a field has a unique name and the data of its type', async (t) => {
  const refusals: [Fields, string][] = [
    [{ field_type: 0 }, 'Invalid field type.'],
    [{ field_type: 9 }, 'Invalid field type.'],
    [{ name: ' ' }, 'Label cannot be blank.'],
    [{ name: undefined }, 'Label cannot be blank.'],
    [{ name: 'x'.repeat(41) }, 'name is too long (limit: 40 characters)'],
    [{ hint: 'x'.repeat(81) }, 'hint is too long (limit: 80 characters)'],
    [{ name: 'short' }, 'A field with that label already exists.'],
    [{ field_data: [] }, 'field_data is not a dict'],
    [{ field_data: { a: 'x'.repeat(10_000) } }, 'field_data is too long (limit: 10000 characters)'],
    [{ field_data: { a: '\0' } }, 'field_data must not contain null characters'],
    [
      { field_type: LONG, display_in_profile_summary: true },
      'Field type not supported for display in profile summary.',
    ],
    [
      { field_type: USERS, display_in_profile_summary: true },
      'Field type not supported for display in profile summary.',
    ],
    [{ field_type: CHOICE }, 'Field must have at least one choice.'],
    [{ field_type: CHOICE, field_data: { ' ': { text: 'x', order: '1' } } }, "'value' cannot be blank."],
    [{ field_type: CHOICE, field_data: { a: 'x' } }, 'field_data is not a dict'],
    [{ field_type: CHOICE, field_data: { a: { text: 'x' } } }, 'order key is missing from field_data'],
    [
      { field_type: CHOICE, field_data: { a: { text: 1, order: '1' } } },
      'field_data["text"] is not a string',
    ],
    [
      { field_type: CHOICE, field_data: { a: { text: ' ', order: '1' } } },
      'field_data["text"] cannot be blank.',
    ],
    [{ field_type: CHOICE, field_data: { a: { text: 'x', order: '1', b: 1 } } }, 'Unexpected arguments: b'],
    [
      { field_type: CHOICE, field_data: { a: { text: 'x', order: '1' }, b: { text: 'x', order: '2' } } },
      'Field must not have duplicate choices.',
    ],
    [{ field_type: EXTERNAL }, 'subtype key is missing from field_data'],
    [{ field_type: EXTERNAL, field_data: { subtype: 'no' } }, 'Invalid external account type'],
    [
      { field_type: EXTERNAL, field_data: { subtype: 'custom' } },
      'Custom external account must define URL pattern',
    ],
    [
      { field_type: EXTERNAL, field_data: { subtype: 'custom', url_pattern: 'https://x.io/' } },
      "URL pattern must contain '%(username)s'.",
    ],
    [
      { field_type: EXTERNAL, field_data: { subtype: 'custom', url_pattern: 'javascript:%(username)s' } },
      'field_data["url_pattern"] is not a URL',
    ],
    [{ field_type: EXTERNAL, field_data: { subtype: 'github' } }, 'A field with that label already exists.'],
  ]
  for (const [fields, message] of refusals) {
    expectRefusal(t, await add({ field_type: SHORT, name: 'another', ...fields }), message)
  }
  t.equal((await listFields()).length, 9)
})

t.test('[PROFILE3] only administrators change the fields', async (t) => {
  const message = 'Must be an organization administrator'
  for (const person of ['moderator', 'member', 'guest', 'bot'] as const) {
    expectRefusal(t, await add({ field_type: SHORT, name: 'x' }, person), message)
    expectRefusal(t, await change(1, { name: 'x' }, person), message)
    expectRefusal(t, await server.as(person).delete('/realm/profile_fields/1'), message)
    expectRefusal(t, await server.as(person).patch('/realm/profile_fields', { order: [] }), message)
  }
})

t.test('[PROFILE4] people fill in each field with a valid value, and everyone gets events', async (t) => {
  const values: [string, unknown, string?][] = [
    ['short', '*hi* <b>', '<p><em>hi</em> &lt;b&gt;</p>'],
    ['long', 'x'.repeat(500), `<p>${'x'.repeat(500)}</p>`],
    ['choice', 'e'],
    ['date', '2020-02-29'],
    ['link', 'https://example.com/a?b'],
    ['users', [5, 6]],
    ['github', 'torvalds'],
    ['forge', '😀'.repeat(50)],
  ]
  const data = values.map(([name, value]) => ({ id: field(name), value }))
  const received = await expectConsistent(server, async () => {
    t.same((await member.patch('/users/me/profile_data', { data })).body, done)
    t.same((await member.patch('/users/me/profile_data', { data })).body, done, 'one event')
  })
  const said = values.map(([name, value, rendered_value]) => ({
    id: field(name),
    value: typeof value === 'string' ? value : JSON.stringify(value),
    ...(rendered_value === undefined ? {} : { rendered_value }),
  }))
  for (const events of Object.values(received)) {
    t.same(
      withoutIds(events),
      said.map((custom_profile_field) => ({
        type: 'realm_user',
        op: 'update',
        person: { user_id: 4, custom_profile_field },
      })),
    )
  }
  const profile = Object.fromEntries(said.map(({ id, ...filled }) => [id, filled]))
  t.same(await profileOf(), profile)
  t.same((await member.must('GET', '/users/me')).profile_data, profile)
  const { members } = await guest.must('GET', '/users', { include_custom_profile_fields: true })
  t.same(members[3].profile_data, profile)
  t.same(members[4].profile_data, {})
  const another = await server.startAnotherNode()
  const { user } = await another.as('guest').must('GET', '/users/4', { include_custom_profile_fields: true })
  t.same(user.profile_data, profile, 'a server that starts finds them')
})

t.test('[PROFILE5] one invalid value refuses the whole update', async (t) => {
  const gone = await addUser(server, 'gone')
  await deactivate(server, gone.userId)
  const before = await profileOf()
  const refusals: [string, unknown, string][] = [
    ['short', 'x'.repeat(51), 'short is too long (limit: 50 characters)'],
    ['short', [1], 'short is not a string'],
    ['long', 'x'.repeat(501), 'long is too long (limit: 500 characters)'],
    ['choice', 'x', "'x' is not a valid choice for 'choice'."],
    ['choice', 'toString', "'toString' is not a valid choice for 'choice'."],
    ['date', '2021-02-29', 'date is not a date'],
    ['date', '1-2-3', 'date is not a date'],
    ['link', 'example.com', 'link is not a URL'],
    ['link', 'javascript:alert(1)', 'link is not a URL'],
    ['link', `https://x/${'x'.repeat(491)}`, 'link is too long (limit: 500 characters)'],
    ['users', 'x', 'users is not a list'],
    ['users', [999], 'Invalid user ID: 999'],
    ['users', [7], 'User with ID 7 is a bot'],
    ['users', [gone.userId], `User with ID ${gone.userId} is deactivated`],
    ['github', 'x'.repeat(51), 'GitHub username is too long (limit: 50 characters)'],
    ['pronouns', 'they', 'You are not allowed to change this field. Contact an administrator to update it.'],
  ]
  for (const [name, value, message] of refusals) {
    const data = [
      { id: field('short'), value: 'changed' },
      { id: field(name), value },
    ]
    expectRefusal(t, await member.patch('/users/me/profile_data', { data }), message)
  }
  expectRefusal(t, await say(999, 'x'), 'Field id 999 not found.')
  expectRefusal(t, await say(1, 1), 'Invalid data[0]["value"]')
  expectRefusal(
    t,
    await say(
      6,
      Array.from({ length: 101 }, () => 5),
    ),
    'Invalid data[0]["value"]',
  )
  expectRefusal(
    t,
    await member.patch('/users/me/profile_data', { data: [{ id: 1 }] }),
    'data[0]["value"] field is missing: Field required',
  )
  expectRefusal(t, await say(2, `${'> '.repeat(250)}`, 'bot'), 'This endpoint does not accept bot requests.')
  expectRefusal(
    t,
    await server.as('bot').delete('/users/me/profile_data', { data: [1] }),
    'This endpoint does not accept bot requests.',
  )
  t.same(await profileOf(), before)
})

t.test('[PROFILE6] people clear fields, and everyone gets events of those that had a value', async (t) => {
  const empty = (data: number[], person: Person = 'member') =>
    server.as(person).delete('/users/me/profile_data', { data })
  const received = await expectConsistent(server, async () => {
    t.same((await empty([field('date'), field('link')])).body, done)
    t.same((await empty([field('date')])).body, done)
    t.same((await say(field('forge'), null)).body, done)
    t.same((await say(field('github'), '')).body, done)
  })
  const emptied = (name: string) => ({
    type: 'realm_user',
    op: 'update',
    person: { user_id: 4, custom_profile_field: { id: field(name), value: null } },
  })
  for (const events of Object.values(received)) {
    t.same(withoutIds(events), ['date', 'link', 'forge', 'github'].map(emptied))
  }
  expectRefusal(t, await empty([999]), 'Field id 999 not found.')
  expectRefusal(
    t,
    await empty([field('pronouns')]),
    'You are not allowed to change this field. Contact an administrator to update it.',
  )
})

t.test(
  '[PROFILE7] administrators fill in the profile of any person, locked fields too; bots have none',
  async (t) => {
    const fill = (
      who: number | string,
      value: unknown,
      person: Person = 'administrator',
      name = 'pronouns',
    ) => server.as(person).patch(`/users/${who}`, { profile_data: [{ id: field(name), value }] })
    for (const who of [5, emailOf('member2')]) {
      t.same((await fill(who, 'they')).body, done)
      t.same(await profileOf(5), { [field('pronouns')]: { value: 'they' } })
      t.same((await fill(who, null)).body, done)
      t.same(await profileOf(5), {})
      expectRefusal(t, await fill(who, 'x'.repeat(51)), 'pronouns is too long (limit: 50 characters)')
      expectRefusal(
        t,
        await server.as('owner').patch(`/users/${who}`, { profile_data: [{ id: 999, value: 'x' }] }),
        'Field id 999 not found.',
      )
    }
    expectRefusal(t, await fill(5, 'they', 'member'), 'Insufficient permission')
    for (const who of [7, emailOf('bot')]) {
      expectRefusal(t, await fill(who, 'they', 'member'), 'Bots have no profile.')
    }
  },
)

t.test('[PROFILE8] fields can be changed; removing a chosen option removes its values', async (t) => {
  t.equal((await say(field('choice'), 'v', 'guest')).status, 200)
  const received = await expectConsistent(server, async () => {
    t.same(
      (await change(field('choice'), { field_data: choices('emacs', 'nano'), name: 'editor' })).body,
      done,
    )
    t.same((await change(field('choice'), { name: 'editor' })).body, done)
  })
  for (const events of Object.values(received)) {
    t.match(withoutIds(events), [
      { type: 'custom_profile_fields' },
      {
        type: 'realm_user',
        person: { user_id: 6, custom_profile_field: { id: field('choice'), value: null } },
      },
    ])
    t.equal(events.length, 2)
  }
  t.match(await profileOf(), { [field('choice')]: { value: 'e' } })
  const all = { hint: 'h', required: true, editable_by_user: false, display_in_profile_summary: true }
  t.same((await change(field('date'), all)).body, done)
  t.match((await listFields())[3], { name: 'date', ...all })
  const refusals: [number, Fields, string][] = [
    [999, { name: 'x' }, 'Field id 999 not found.'],
    [field('date'), { name: 'editor' }, 'A field with that label already exists.'],
    [field('date'), { name: '' }, 'Label cannot be blank.'],
    [field('choice'), { field_data: {} }, 'Field must have at least one choice.'],
    [
      field('long'),
      { display_in_profile_summary: true },
      'Field type not supported for display in profile summary.',
    ],
    [
      field('link'),
      { display_in_profile_summary: true },
      'Only 2 custom profile fields can be displayed in the profile summary.',
    ],
    [field('github'), { name: 'Forge' }, 'Default custom field cannot be updated.'],
    [field('github'), { field_data: { subtype: 'twitter' } }, 'Default custom field cannot be updated.'],
  ]
  for (const [id, fields, message] of refusals) expectRefusal(t, await change(id, fields), message)
  expectRefusal(
    t,
    await add({ field_type: DATE, name: 'third', display_in_profile_summary: true }),
    'Only 2 custom profile fields can be displayed in the profile summary.',
  )
  t.equal((await change(field('github'), { required: true })).status, 200)
})

t.test('[PROFILE9] a new order of fields names all of them', async (t) => {
  const reorder = (order: unknown) => owner.patch('/realm/profile_fields', { order })
  const all = (await listFields()).map(({ id }) => id)
  const events = await expectConsistent(server, async () => {
    t.same((await reorder(all.toReversed())).body, done)
    t.same((await reorder(all.toReversed())).body, done)
  })
  t.equal(events.guest?.length, 1)
  t.same(
    (await listFields()).map(({ id, order }) => [id, order]),
    all.toReversed().map((id: number, index: number) => [id, index + 1]),
  )
  for (const order of [[], all.slice(1), [...all, 99], [...all, all[0]], [...all.slice(1), all[1]]]) {
    expectRefusal(t, await reorder(order), 'Invalid order mapping.')
  }
})

t.test('[PROFILE10] deleting a field deletes its values, and its id is never reused', async (t) => {
  const received = await expectConsistent(server, async () => {
    t.same((await owner.delete(`/realm/profile_fields/${field('short')}`)).body, done)
    t.same((await owner.delete(`/realm/profile_fields/${field('pronouns')}`)).body, done)
  })
  for (const events of Object.values(received)) {
    t.match(withoutIds(events), [{ type: 'custom_profile_fields' }, { type: 'custom_profile_fields' }])
  }
  t.notOk(field('short') in (await profileOf()))
  expectRefusal(t, await say(field('short'), 'x'), `Field id ${field('short')} not found.`)
  expectRefusal(t, await owner.delete('/realm/profile_fields/1'), 'Field id 1 not found.')
  t.equal((await add({ field_type: SHORT, name: 'short' })).body.id, 10)
})

t.test('[PROFILE11] there are at most 100 fields', async (t) => {
  const { length } = await listFields()
  for (let count = length; count < 100; count++) await add({ field_type: DATE, name: `field ${count}` })
  expectRefusal(
    t,
    await add({ field_type: DATE, name: 'last' }),
    'Too many custom profile fields (maximum 100).',
  )
})

t.test('[PROFILE12] a text that takes too long to render is refused', async (t) => {
  const slow = await startTestServer(t, { env: { RENDER_MS_MAX: '1' } })
  const { id } = await slow
    .as('owner')
    .must('POST', '/realm/profile_fields', { field_type: LONG, name: 'long' })
  const data = [{ id, value: '$$x$$' }]
  const message = 'Unable to render message'
  expectRefusal(t, await slow.as('member').patch('/users/me/profile_data', { data }), message)
  for (const who of [4, emailOf('member')]) {
    expectRefusal(t, await slow.as('owner').patch(`/users/${who}`, { profile_data: data }), message)
  }
  t.same((await slow.as('member').must('GET', '/users/me')).profile_data, {})
})
