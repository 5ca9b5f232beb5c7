import t from 'tap'
import type { LinkifierId } from '../../../server/domain/ids.ts'
import type { Linkifier } from '../../../server/domain/organization/organization-lists.ts'
import type { Fields } from '../../harness/client/client.ts'
import { commitEvents } from '../../harness/worlds/commit-events.ts'
import { expectConsistent, REGISTRATION } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { withoutIds } from '../../harness/states/without-ids.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const member = server.as('member')
const guest = server.as('guest')
const done = { result: 'success', msg: '' }

const ISSUE = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' }
const plain = { example_input: null, reverse_template: null, alternative_url_templates: [] }
const add = (fields: Fields, person: Person = 'administrator') =>
  server.as(person).post('/realm/filters', { ...ISSUE, ...fields })
const change = (id: number, fields: Fields, person: Person = 'administrator') =>
  server.as(person).patch(`/realm/filters/${id}`, { ...ISSUE, ...fields })
const remove = (id: number, person: Person = 'administrator') =>
  server.as(person).delete(`/realm/filters/${id}`)
const order = (ids: unknown, person: Person = 'administrator') =>
  server.as(person).patch('/realm/linkifiers', { ordered_linkifier_ids: ids })
const all = async () => (await guest.must('GET', '/realm/linkifiers')).linkifiers

/** The clients of the owner and a guest support templates; those of the members do not. */
const capable = {
  ...REGISTRATION,
  client_capabilities: { ...REGISTRATION.client_capabilities, linkifier_url_template: true },
}
const registrations = { owner: capable, guest: capable }

t.test(
  '[LINKIFIER1] administrators add, change, reorder and remove linkifiers, and clients with templates get the whole list',
  async (t) => {
    const events = await expectConsistent(
      server,
      async () => {
        t.same((await add({})).body, { ...done, id: 1 })
        const full = {
          pattern: ' TKT-(?P<n>[0-9]+) ',
          url_template: ' https://tickets.example.com/{?n} ',
          example_input: 'TKT-7',
          reverse_template: 'TKT-{n}',
          alternative_url_templates: ['https://old.example.com/{n}'],
        }
        t.same((await add(full)).body, { ...done, id: 2 })
        t.same((await order([2, 1])).body, done)
        t.same((await change(1, { url_template: 'https://bugs.example.com/{id}' })).body, done)
        t.same((await remove(1)).body, done)
      },
      { registrations },
    )
    const issue = { id: 1, ...ISSUE, ...plain }
    const ticket = {
      id: 2,
      pattern: 'TKT-(?P<n>[0-9]+)',
      url_template: 'https://tickets.example.com/{?n}',
      example_input: 'TKT-7',
      reverse_template: 'TKT-{n}',
      alternative_url_templates: ['https://old.example.com/{n}'],
    }
    const moved = { ...issue, url_template: 'https://bugs.example.com/{id}' }
    const lists = [[issue], [issue, ticket], [ticket, issue], [ticket, moved], [ticket]]
    for (const person of ['owner', 'guest'] as const) {
      t.same(
        withoutIds(events[person]),
        lists.map((realm_linkifiers) => ({ type: 'realm_linkifiers', realm_linkifiers })),
        person,
      )
    }
    t.same([events.member, events.member2], [[], []], 'older clients get no linkifiers')
    t.same(await all(), [ticket])
    const fields = { fetch_event_types: ['realm_linkifiers', 'realm_filters'] }
    const { state } = await member.register({ ...capable, ...fields })
    t.match(state, { realm_linkifiers: [ticket], realm_filters: [] })
    const old = await member.register(fields)
    t.same([old.state.realm_linkifiers, old.state.realm_filters], [[], []])
  },
)

t.test('[LINKIFIER2] an update that changes nothing sends no event, and ids are not reused', async (t) => {
  const same = { pattern: 'TKT-(?P<n>[0-9]+)', url_template: 'https://tickets.example.com/{?n}' }
  const events = await expectConsistent(
    server,
    async () => {
      t.same((await change(2, same)).body, done)
      t.same((await order([2])).body, done)
    },
    { registrations },
  )
  t.same(events, { owner: [], member: [], member2: [], guest: [] })
  t.equal((await add({})).body.id, 3, 'ids of removed ones are not reused')
})

t.test('[LINKIFIER3] an empty text removes an alternative or a reverse template', async (t) => {
  const same = { pattern: 'TKT-(?P<n>[0-9]+)', url_template: 'https://tickets.example.com/{?n}' }
  await change(2, { ...same, reverse_template: '', alternative_url_templates: '' })
  t.match((await all())[0], { example_input: 'TKT-7', reverse_template: null, alternative_url_templates: [] })
  await change(2, { ...same, example_input: '', reverse_template: null, alternative_url_templates: [] })
  t.match((await all())[0], plain)
})

t.test('[LINKIFIER4] only administrators change linkifiers, and unknown ones are refused', async (t) => {
  for (const person of ['moderator', 'member', 'guest', 'bot'] as const) {
    for (const answer of [
      await add({}, person),
      await change(2, {}, person),
      await remove(2, person),
      await order([2, 3], person),
    ]) {
      expectRefusal(t, answer, 'Must be an organization administrator')
    }
  }
  for (const id of [1, 4]) {
    expectRefusal(t, await change(id, {}), 'Linkifier not found.')
    expectRefusal(t, await remove(id), 'Linkifier not found.')
  }
  for (const ids of [[], [2], [2, 2], [2, 3, 3], [2, 3, 4], [2, 4]]) {
    expectRefusal(t, await order(ids), 'The ordered list must enumerate all existing linkifiers exactly once')
  }
  expectRefusal(t, await order('x'), 'ordered_linkifier_ids is not valid JSON')
  expectRefusal(t, await order(2), 'ordered_linkifier_ids is not a list')
  expectRefusal(t, await order(Array(101).fill(2)), 'ordered_linkifier_ids is too long (limit: 100 items)')
})

t.test('[LINKIFIER5] errors name the parameter', async (t) => {
  const bad = (reason: string) => ({ pattern: [`Bad regular expression: ${reason}`] })
  const template = { url_template: ['Invalid URL template.'] }
  const url = 'https://x.example.com/{id}'
  const cases: [Fields, Record<string, string[]>][] = [
    [{ pattern: '(' }, bad('missing closing ): `(`')],
    [{ pattern: 'a)|(?P<id>b' }, bad('unexpected ): `a)|(?P<id>b`')],
    [{ pattern: 'x(?=y)' }, bad('invalid or unsupported Perl syntax: `(?=`')],
    [{ pattern: '(?P<id>a)\\1' }, bad('invalid escape sequence: `\\1`')],
    [{ pattern: '(?P<id>a)(?P<id>b)' }, bad('duplicate capture group name: `id`')],
    [{ pattern: '(?P<id>(a{1000}){1000})' }, bad('invalid repeat count: `{1000}`')],
    [{ pattern: '(?P<id>a{999}b{999})' }, bad('pattern too large')],
    [{ pattern: ' ' }, { pattern: ['This field cannot be blank.'] }],
    [{ url_template: '' }, { url_template: ['This field cannot be blank.'] }],
    [{ url_template: `${url}{` }, template],
    [{ url_template: 'https://x.example.com/id}' }, template],
    [{ url_template: 'https://x.example.com/{}' }, template],
    [{ url_template: 'https://x.example.com/{id,}' }, template],
    [{ url_template: 'https://x.example.com/{|id}' }, template],
    [{ url_template: 'https://x.example.com/{id:0}' }, template],
    [{ url_template: 'https://x.example.com/{i d}' }, template],
    [{ url_template: 'https://x.example.com/ {id}' }, template],
    [{ url_template: 'javascript:{id}' }, template],
    [{ url_template: 'x.example.com/{id}' }, template],
    [
      { pattern: '(', url_template: '{' },
      { ...bad('missing closing ): `(`'), ...template },
    ],
    [
      { url_template: 'https://x.example.com/{id}{page}' },
      { __all__: ["Group 'page' in URL template is not present in linkifier pattern."] },
    ],
    [
      { pattern: '(?P<b>x)(?P<a>y)(?P<id>z)' },
      { __all__: ["Group 'a' in linkifier pattern is not present in URL template."] },
    ],
    [{}, { __all__: ['Realm filter with this Realm and Pattern already exists.'] }],
    [{ alternative_url_templates: ['{'] }, { alternative_url_templates: ['Invalid URL template.'] }],
    [
      { pattern: 'new#(?P<id>x)', alternative_url_templates: ['https://x.example.com/{n}'] },
      { alternative_url_templates: ["Group 'n' in URL template is not present in linkifier pattern."] },
    ],
    [
      { pattern: 'new#(?P<id>x)', reverse_template: 'new#{id}' },
      { example_input: ['An example input is required with a reverse template.'] },
    ],
    [
      { pattern: 'new#(?P<id>x)', reverse_template: 'new#{id}', example_input: 'see new#x' },
      { example_input: ['Example input does not match the linkifier pattern.'] },
    ],
    ...['old#{id}', 'new#{n}', 'new#x}', 'new#{id', 'new#{{id}}'].map(
      (reverse): [Fields, Record<string, string[]>] => [
        { pattern: 'new#(?P<id>x)', reverse_template: reverse, example_input: 'new#x' },
        { reverse_template: ['Reverse template does not rebuild the example input.'] },
      ],
    ),
  ]
  const before = await all()
  for (const [fields, errors] of cases) {
    const first = Object.values(errors)[0]?.[0] ?? ''
    expectRefusal(t, await add(fields), first, { errors })
    expectRefusal(t, await change(2, fields), first, { errors })
  }
  t.same(await all(), before)
  const tooLong = (name: string) => `${name} is too long (limit: 500 characters)`
  expectRefusal(t, await add({ pattern: 'x'.repeat(501) }), tooLong('pattern'))
  expectRefusal(
    t,
    await add({ url_template: `https://x.example.com/${'x'.repeat(500)}` }),
    tooLong('url_template'),
  )
  expectRefusal(t, await add({ example_input: 'x'.repeat(501) }), tooLong('example_input'))
  expectRefusal(t, await add({ reverse_template: 'x'.repeat(501) }), tooLong('reverse_template'))
  expectRefusal(t, await add({ pattern: undefined }), "Missing 'pattern' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'pattern',
  })
  const many = Array(6).fill('https://x.example.com/{id}')
  expectRefusal(t, await add({ alternative_url_templates: many }), 'Invalid alternative_url_templates')
})

t.test('[LINKIFIER6] braces in a reverse template are doubled', async (t) => {
  const fields = {
    pattern: '\\{(?P<id>\\w+)\\}',
    example_input: '{x}',
    reverse_template: '{{{id}}}',
  }
  const { body } = await add(fields)
  t.equal(body.result, 'success')
  t.match((await all()).at(-1), { reverse_template: '{{{id}}}', example_input: '{x}' })
  await remove(body.id)
})

t.test('[LINKIFIER7] messages, edits and previews use the linkifiers of their time', async (t) => {
  await owner.subscribe(['town'])
  await member.subscribe(['town'])
  const contentOf = async (id: number) => (await member.must('GET', `/messages/${id}`)).message.content
  const link = (url: string, text: string) => `<a href="${url}">${text}</a>`
  const first = link('https://issues.example.com/1', '#1')
  const id = await member.send('town', 'topic', 'see #1')
  t.equal(await contentOf(id), `<p>see ${first}</p>`)
  await member.must('PATCH', `/messages/${id}`, { content: '#2 and TKT-3' })
  const edited = `<p>${link('https://issues.example.com/2', '#2')} and ${link('https://tickets.example.com/?n=3', 'TKT-3')}</p>`
  t.equal(await contentOf(id), edited)
  const { message_history } = await member.must('GET', `/messages/${id}/history`)
  t.match(message_history[1], { prev_rendered_content: `<p>see ${first}</p>`, rendered_content: edited })
  const preview = async (content: string) =>
    (await guest.must('POST', '/messages/render', { content })).rendered
  t.equal(await preview('#1 in `#1`'), `<p>${first} in <code>#1</code></p>`)
  const long = `#1${' word'.repeat(200)}`
  t.equal(await preview(long), `<p>${first}${' word'.repeat(200)}</p>`, 'also in a thread')

  const { body } = await add({
    pattern: 'TKT-3#(?P<id>\\d+)|(#1)',
    url_template: 'https://first.example.com/{id}',
  })
  t.equal(await preview('#1'), `<p>${first}</p>`, 'the earlier one wins')
  await order([body.id, 2, 3])
  t.equal(await preview('#1'), `<p>${link('https://first.example.com/', '#1')}</p>`)
  await remove(body.id)
  t.equal(await preview('#1'), `<p>${first}</p>`)
  t.equal(await contentOf(id), edited, 'sent messages stay unchanged')
})

t.test(
  '[LINKIFIER8] a pattern that backtracks for ever elsewhere takes one scan, in messages and topics',
  async (t) => {
    const { body } = await add({
      pattern: '(?P<all>(a+)+)$',
      url_template: 'https://x.example.com/{all}',
    })
    t.equal(body.result, 'success')
    const text = `${'a'.repeat(9_990)}!b`
    const rendered = await member.must('POST', '/messages/render', { content: text })
    t.equal(rendered.rendered, `<p>${text}</p>`)
    const topic = `${'a'.repeat(58)}!b`
    const id = await member.send('town', topic, text)
    t.match((await member.must('GET', `/messages/${id}`)).message, {
      content: `<p>${text}</p>`,
      topic_links: [],
    })
    await remove(body.id)
  },
)

t.test('[LINKIFIER9] an organization has at most a hundred linkifiers', async (t) => {
  const linkifiers = Array.from({ length: 100 }, (_, index): Linkifier => {
    return {
      id: (index + 100) as LinkifierId,
      pattern: `x${index}#(?P<id>[0-9]+)`,
      urlTemplate: ISSUE.url_template,
      exampleInput: null,
      reverseTemplate: null,
      alternativeUrlTemplates: [],
    }
  })
  await commitEvents(server, [{ type: 'realm_linkifiers', linkifiers, clients: 'with_linkifier_templates' }])
  t.equal((await all()).length, 100)
  expectRefusal(t, await add({ pattern: 'more#(?P<id>x)' }), 'Too many linkifiers (maximum 100).')
})

t.test('[LINKIFIER10] older clients list linkifiers by pattern, address and id', async (t) => {
  for (const { id } of await all()) await remove(id)
  const ids: number[] = []
  for (const [pattern, url_template] of [
    ['#(?P<id>[0-9]+)', 'https://a.example/{id}'],
    ['(?P<repo>[a-z]+)#(?P<id>[0-9]+)', 'https://b.example/{repo}/a%20b/{id}'],
    ['c-(?P<id>[0-9]+)', 'https://c.example/{?id}'],
  ]) {
    ids.push((await add({ pattern, url_template })).body.id)
  }
  t.same((await guest.get('/realm/filters')).body, {
    ...done,
    filters: [
      ['#(?P<id>[0-9]+)', 'https://a.example/%(id)s', ids[0]],
      ['(?P<repo>[a-z]+)#(?P<id>[0-9]+)', 'https://b.example/%(repo)s/a%%20b/%(id)s', ids[1]],
    ],
  })
  for (const id of ids) await remove(id)
  t.same((await guest.get('/realm/filters')).body.filters, [])
})
