/** People by SCIM, as Okta and Microsoft Entra write them. */

import t from 'tap'
import { createLogger } from '../../../server/logger.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { runHere } from '../../admin/run-here.ts'
import { Client } from '../../harness/client/client.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'
import { type ScimBody, ScimClient, startScim } from '../../harness/sign-on/scim-client.ts'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

const clock = new ManualClock()
const server = await startTestServer(t, { clock, logger: createLogger('error') })
const owner = server.as('owner')
const scim = await startScim(server)

/** A person as Okta makes one. */
const person = (name: string, more: object = {}) => ({
  schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
  userName: `${name}@example.com`,
  name: { givenName: name, familyName: 'Doe' },
  emails: [{ primary: true, value: `${name}@example.com`, type: 'work' }],
  displayName: `${name} D.`,
  externalId: `00u${name}`,
  locale: 'en-US',
  groups: [],
  password: 'unused password',
  active: true,
  ...more,
})
const make = async (name: string, more: object = {}): Promise<ScimBody> => {
  const { status, body } = await scim.send('POST', '/Users', person(name, more))
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}
const userOf = async ({ id }: ScimBody) =>
  (await owner.must('GET', `/users/${id}` as '/users/{user_id}')).user
const refused = (status: number, detail: string, scimType?: string) => ({
  status,
  body: { schemas: [ERROR], status: String(status), detail, ...(scimType ? { scimType } : {}) },
})
/** The entries of the audit log that an action adds, oldest first. */
async function auditOf(act: () => Promise<unknown>) {
  const read = async (fields: object) => (await owner.must('GET', '/realm/audit_log', { ...fields })).entries
  const [last] = await read({ limit: 1 })
  await act()
  return (await read({ limit: 100 })).filter(({ id }) => id > (last?.id ?? 0)).toReversed()
}

t.test('[SCIM1] a person gets an account, which clients see like any other', async (t) => {
  const queue = await owner.register({ event_types: ['realm_user', 'user_group'] })
  let made: ScimBody | undefined
  const entries = await auditOf(async () => {
    made = await make('ann')
  })
  const ann = made as ScimBody
  const { created, ...meta } = ann.meta
  t.match(created, /^\d{4}-\d\d-\d\dT/)
  t.same(
    { ...ann, meta },
    {
      schemas: [USER],
      id: ann.id,
      externalId: '00uann',
      userName: 'ann@example.com',
      name: { givenName: 'ann', familyName: 'Doe' },
      displayName: 'ann D.',
      active: true,
      emails: [{ value: 'ann@example.com', type: 'work', primary: true }],
      meta: { resourceType: 'User', location: `${scim.base}/Users/${ann.id}`, version: meta.version },
    },
    'what is not kept is not there',
  )
  t.match(await userOf(ann), { full_name: 'ann D.', role: 400, is_active: true, is_bot: false })
  t.match(
    (await owner.events(queue)).find(({ type }) => type === 'realm_user'),
    { type: 'realm_user', op: 'add', person: { full_name: 'ann D.' } },
  )
  t.ok(entries.some(({ kind }) => kind === 'realm_user/add'))
  t.same(
    [...new Set(entries.map(({ actor, acting_user_id }) => `${actor} ${acting_user_id}`))],
    ['scim null'],
  )
  const { status, headers, body } = await scim.send('GET', `/Users/${ann.id}`)
  t.equal(status, 200)
  t.equal(headers.get('content-type'), 'application/scim+json')
  t.equal(headers.get('etag'), ann.meta.version)
  t.same(body, ann)
})

t.test(
  '[SCIM2] deactivation ends sessions, queues and bots at once; reactivation brings the account back',
  async (t) => {
    const ben = await make('ben')
    const setKey = async () => {
      const { stdout } = await runHere({ DATABASE_URL: server.databaseUrl }, [
        'user',
        'rotate-key',
        '--email',
        'ben@example.com',
      ])
      const given = new Client(server.node.url, Number(ben.id), 'ben@example.com', JSON.parse(stdout).api_key)
      await pollUntil(
        'the node does not hear of the key',
        async () => (await given.request('GET', '/users/me')).status === 200,
      )
      return given
    }
    const client = await setKey()
    const queue = await client.register()
    const bot = await client.must('POST', '/bots', { full_name: 'Bens bot', short_name: 'bens' })
    const seen = await owner.register({ event_types: ['realm_user'] })
    const entries = await auditOf(async () => {
      // Okta's form.
      const { status, body } = await scim.patch(`/Users/${ben.id}`, {
        op: 'replace',
        value: { active: false },
      })
      t.match({ status, body }, { status: 200, body: { id: ben.id, active: false } })
    })
    t.match(await client.request('GET', '/users/me'), {
      status: 401,
      body: { msg: 'Account is deactivated' },
    })
    t.match(
      (await owner.events(seen)).map((event) => ('person' in event ? event.person : undefined)),
      [
        { user_id: Number(ben.id), is_active: false },
        { user_id: bot.user_id, is_active: false },
      ],
    )
    t.match(entries, [
      { kind: 'realm_user/update', actor: 'scim', details: { user_id: Number(ben.id), is_active: false } },
      { kind: 'realm_user/update', actor: 'scim', details: { user_id: bot.user_id, is_active: false } },
    ])
    // Microsoft Entra's form.
    const back = await scim.patch(`/Users/${ben.id}`, { op: 'Replace', path: 'active', value: 'True' })
    t.match(back, { status: 200, body: { active: true } })
    t.match(await userOf(ben), { is_active: true })
    t.match(await client.request('GET', '/users/me'), { status: 401 }, 'its keys are gone')
    const again = await setKey()
    t.match(
      await again.request('GET', '/events', { queue_id: queue.queueId, last_event_id: -1 }),
      { status: 400, body: { code: 'BAD_EVENT_QUEUE_ID' } },
      'and so are its queues',
    )
  },
)

t.test('[SCIM3] people are found by what providers ask for; other filters are refused', async (t) => {
  const cas = await make('cas', { userName: 'Cas.Doe', externalId: 'object "7"' })
  for (const filter of [
    'userName eq "CAS.doe"',
    'externalId eq "object \\"7\\""',
    'emails.value eq "Cas@example.com"',
    'emails[type eq "work"].value eq "cas@example.com"',
    `${USER}:userName eq "cas.doe"`,
    `${USER.toUpperCase()}:userName eq "cas.doe"`,
    `id eq "${cas.id}"`,
    'displayName eq "CAS D."',
    'userName eq "cas.doe" and active eq true',
    'active eq true and userName eq "cas.doe"',
    '(userName eq "nobody" or userName EQ "cas.doe") AND active eq "True"',
  ]) {
    const { status, body } = await scim.list('/Users', filter)
    t.match({ status, body }, { status: 200, body: { totalResults: 1, Resources: [{ id: cas.id }] } }, filter)
  }
  for (const filter of [
    'userName eq "cas@example.com"',
    'externalId eq "OBJECT \\"7\\""',
    'id eq "0"',
    'id eq "99999999999"',
    'userName eq "cas.doe" and active eq false',
    'emails[type eq "home"].value eq "cas@example.com"',
    `userName eq "${emailOf('bot')}"`,
  ])
    t.match(
      await scim.list('/Users', filter),
      { status: 200, body: { totalResults: 0, Resources: [] } },
      filter,
    )
  const byEmail = await scim.list('/Users', `userName eq "${emailOf('member')}"`)
  t.match(byEmail.body.Resources, [{ id: '4', userName: emailOf('member'), displayName: 'The member' }])
  for (const [filter, detail] of [
    ['userName co "a"', 'The filter may compare by eq, not by co.'],
    ['userName', 'The filter must compare attributes by eq.'],
    ['title eq "a"', 'Resources cannot be filtered by title eq "a".'],
    ['constructor eq "a"', 'Resources cannot be filtered by constructor eq "a".'],
    [
      'urn:example:2.0:User:userName eq "cas.doe"',
      'Resources cannot be filtered by urn:example:2.0:User:userName eq "cas.doe".',
    ],
    ['userName eq a', 'The filter must compare with a text in quotation marks, true or false.'],
    ['userName eq "a', 'The filter must compare with a text in quotation marks, true or false.'],
    ['userName eq "\\x"', 'The filter has a text with an invalid escape.'],
    ['externalId eq "\\u0000"', 'The filter has a text with NUL or half a character.'],
    ['userName eq "a\\ud800"', 'The filter has a text with NUL or half a character.'],
    ['(userName eq "a"', 'The filter lacks a closing parenthesis.'],
    ['emails[type eq "work" eq "a"', 'The filter lacks a closing bracket.'],
    ['userName eq "a" userName eq "b"', 'The filter goes on after its end.'],
    ['not (userName eq "a")', 'The filter must compare attributes by eq.'],
    ['"a"', 'The filter lacks the name of an attribute.'],
    [`userName eq "${'a'.repeat(1_990)}"`, 'The filter has more than 2000 characters.'],
    [Array.from({ length: 21 }, () => 'id eq "1"').join(' or '), 'The filter has more than 20 comparisons.'],
    [
      'active eq true',
      'The filter would look at everyone: name an attribute that few have, such as userName or id.',
    ],
    [
      'active eq true or id eq "1"',
      'The filter would look at everyone: name an attribute that few have, such as userName or id.',
    ],
  ] as const)
    t.match(await scim.list('/Users', filter), refused(400, detail, 'invalidFilter'), filter)
  const most = Array.from({ length: 20 }, () => `id eq "${cas.id}"`).join(' or ')
  t.match(await scim.list('/Users', most), { status: 200, body: { totalResults: 1 } })
})

t.test('[SCIM4] lists come in pages, and with the wanted attributes', async (t) => {
  const all = await scim.send('GET', '/Users')
  const ids = all.body.Resources?.map(({ id }) => Number(id)) ?? []
  t.same(
    ids,
    [...ids].sort((a, b) => a - b),
  )
  t.equal(all.body.totalResults, ids.length)
  t.notOk(ids.includes(7), 'bots are nobody')
  const page = await scim.send('GET', '/Users?startIndex=2&count=3&attributes=userName,name.givenName')
  t.match(page.body, { startIndex: 2, itemsPerPage: 3, totalResults: ids.length })
  t.same(
    page.body.Resources,
    ids.slice(1, 4).map((id) => ({
      schemas: [USER],
      id: String(id),
      userName: all.body.Resources?.find((one) => one.id === String(id))?.userName,
    })),
  )
  const without = await scim.send('GET', '/Users?count=1&excludedAttributes=emails,META.version,id')
  const [first] = without.body.Resources ?? []
  t.same(Object.keys(first ?? {}), ['schemas', 'id', 'userName', 'displayName', 'active', 'roles', 'meta'])
  t.same(Object.keys(first?.meta ?? {}), ['resourceType', 'created', 'location'])
  for (const [query, itemsPerPage, startIndex] of [
    ['count=0', 0, 1],
    ['count=-1', 0, 1],
    ['startIndex=-5&count=1', 1, 1],
    [`startIndex=${ids.length}`, 1, ids.length],
    [`startIndex=${ids.length + 1}`, 0, ids.length + 1],
  ] as const)
    t.match(
      (await scim.send('GET', `/Users?${query}`)).body,
      { totalResults: ids.length, itemsPerPage, startIndex },
      query,
    )
  t.match(
    await scim.send('GET', '/Users?count=x'),
    refused(400, 'count must be a whole number.', 'invalidValue'),
  )
  const search = {
    schemas: [],
    filter: 'userName eq "ann@example.com"',
    attributes: ['displayName'],
    count: 1,
  }
  for (const path of ['/Users/.search', '/.search'])
    t.match(
      await scim.send('POST', path, search),
      { status: 200, body: { totalResults: 1, Resources: [{ displayName: 'ann D.' }] } },
      path,
    )
})

t.test('[SCIM5] nobody gets the user name or the address of somebody else', async (t) => {
  const dan = await make('dan', { userName: 'dan' })
  const taken = (what: string) => refused(409, `Another account has the ${what}.`, 'uniqueness')
  const post = (more: object) => scim.send('POST', '/Users', person('eve', more))
  t.match(await post({ userName: 'DAN' }), taken('userName DAN'))
  t.match(await post({ userName: emailOf('member') }), taken(`userName ${emailOf('member')}`))
  for (const value of [emailOf('member'), emailOf('bot'), 'Dan@example.com'])
    t.match(await post({ emails: [{ value }] }), taken(`emails ${value}`))
  const eve = await make('eve')
  t.match(
    await scim.patch(`/Users/${eve.id}`, { op: 'replace', path: 'userName', value: 'dan' }),
    taken('userName dan'),
  )
  t.match(
    await scim.patch(`/Users/${eve.id}`, {
      op: 'replace',
      path: 'emails[type eq "work"].value',
      value: 'dan@example.com',
    }),
    refused(409, "Email 'dan@example.com' already in use", 'uniqueness'),
  )
  t.match((await scim.send('GET', `/Users/${eve.id}`)).body, { ...eve }, 'nothing changed')
  t.match((await scim.send('GET', `/Users/${dan.id}`)).body, { ...dan })
  const both = await Promise.all([1, 2].map(() => scim.send('POST', '/Users', person('fay'))))
  t.same(
    both.map(({ status }) => status).sort((a, b) => a - b),
    [201, 409],
    'of two at a time one is made',
  )
})

t.test('[SCIM6] changes come in the forms of Okta and Microsoft Entra', async (t) => {
  const gus = await make('gus')
  const path = `/Users/${gus.id}`
  const change = async (...operations: object[]) => {
    const { status, body } = await scim.patch(path, ...operations)
    return status === 200 ? body : { status, ...body }
  }
  t.match(await change({ op: 'Replace', path: 'displayName', value: 'Gus Two' }), { displayName: 'Gus Two' })
  t.match(await userOf(gus), { full_name: 'Gus Two' })
  // Without a displayName the parts of the name say it.
  t.same((await change({ op: 'remove', path: 'displayName' })).displayName, undefined)
  t.match(await userOf(gus), { full_name: 'gus Doe' })
  t.match(
    await change(
      { op: 'Add', path: 'name.givenName', value: 'Gustav' },
      { op: 'Add', value: { 'name.familyName': 'Smith', title: 'ignored', id: 'ignored' } },
      { op: 'replace', path: `${USER}:externalId`, value: 'object 8' },
      {
        op: 'add',
        path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
        value: 'x',
      },
    ),
    { name: { givenName: 'Gustav', familyName: 'Smith' }, externalId: 'object 8' },
  )
  t.match(await userOf(gus), { full_name: 'Gustav Smith' })
  t.match(
    await change(
      { op: 'replace', path: 'urn:example:2.0:User:userName', value: 'foreign' },
      { op: 'replace', path: 'urn:example:2.0:emails[', value: 'foreign' },
      { op: 'replace', value: { 'urn:example:2.0:User:externalId': 'foreign', 'urn:example:2.0': {} } },
      { op: 'replace', value: { [`${USER}:name`]: { FAMILYNAME: 'Jones', honorificPrefix: 'Dr' } } },
    ),
    {
      userName: 'gus@example.com',
      name: { givenName: 'Gustav', familyName: 'Jones' },
      externalId: 'object 8',
    },
    'attributes of other schemas are ignored',
  )
  await change({ op: 'replace', path: 'name.familyName', value: 'Smith' })
  t.match(await change({ op: 'Replace', path: 'name', value: { formatted: 'Gustav  S.' } }), {
    name: { givenName: 'Gustav', familyName: 'Smith', formatted: 'Gustav  S.' },
  })
  t.match(await userOf(gus), { full_name: 'Gustav S.' })
  t.match(await change({ op: 'Add', path: 'emails[type eq "work"].value', value: 'gustav@example.com' }), {
    emails: [{ value: 'gustav@example.com' }],
  })
  t.match(await userOf(gus), { delivery_email: 'gustav@example.com' })
  t.match(
    await change({
      op: 'replace',
      path: 'emails',
      value: [{ value: 'a@example.com' }, { value: 'b@example.com', primary: 'True' }],
    }),
    {
      emails: [{ value: 'b@example.com', type: 'work', primary: true }],
    },
  )
  t.match(await change({ op: 'Replace', path: 'active', value: [{ value: 'False' }] }), { active: false })
  t.match(await change({ op: 'replace', value: { active: true, externalId: null } }), { active: true })
  t.notOk('externalId' in (await scim.send('GET', path)).body)
  for (const [operation, detail, scimType] of [
    [{ op: 'move', path: 'active' }, 'An operation must be add, replace or remove.', 'invalidSyntax'],
    [{ op: 'remove' }, 'An operation that removes needs a path.', 'invalidPath'],
    [{ op: 'add', value: 'x' }, 'An operation without a path needs an object as its value.', 'invalidSyntax'],
    [{ op: 'add', path: 7, value: 'x' }, 'The path must be a text.', 'invalidPath'],
    [{ op: 'add', path: 'emails[', value: 'x' }, 'The path lacks the name of an attribute.', 'invalidPath'],
    [
      { op: 'add', path: 'emails[type eq "\\u0000"].value', value: 'x' },
      'The path has a text with NUL or half a character.',
      'invalidPath',
    ],
    [{ op: 'replace', path: 'id', value: '1' }, 'id cannot be changed.', 'mutability'],
    [{ op: 'replace', path: 'active', value: 'perhaps' }, 'active must be true or false.', 'invalidValue'],
    [{ op: 'replace', path: 'name', value: 'Gus' }, 'name must be an object.', 'invalidValue'],
    [{ op: 'remove', path: 'userName' }, 'userName must be a text that is not empty.', 'invalidValue'],
    [
      { op: 'replace', path: 'emails', value: 'nowhere' },
      'emails must have an address such as name@example.com.',
      'invalidValue',
    ],
    [
      { op: 'replace', path: 'displayName', value: 'a'.repeat(1_001) },
      'displayName must be a text of at most 1000 characters in one line.',
      'invalidValue',
    ],
    [
      { op: 'replace', path: 'displayName', value: 'a\nb' },
      'displayName must be a text of at most 1000 characters in one line.',
      'invalidValue',
    ],
    [7, 'An operation must be an object.', 'invalidSyntax'],
  ] as const)
    t.match(
      await scim.patch(path, operation as object),
      refused(400, detail, scimType),
      JSON.stringify(operation).slice(0, 80),
    )
  t.match(await scim.send('PATCH', path, {}), refused(400, 'The body has no Operations.', 'invalidSyntax'))
  const tooMany = refused(400, 'The Operations of the body change more than 1000 attributes.', 'tooMany')
  const many = (count: number) =>
    Array.from({ length: count }, () => ({ op: 'replace', path: 'title', value: 'x' }))
  const named = (count: number) => ({
    op: 'replace',
    value: Object.fromEntries(Array.from({ length: count }, (_, index) => [`name.part${index}`, 'x'])),
  })
  t.match(await scim.patch(path, ...many(1_001)), tooMany)
  t.match(await scim.patch(path, ...many(1), named(1_000)), tooMany)
  t.match(await scim.patch(path, named(1_000)), { status: 200 })
  t.match(
    await change({ op: 'add', path: 'emails', value: [{ value: ['a@example.com', 'b@example.com'] }] }),
    { detail: 'emails.value must be a text of at most 1000 characters in one line.' },
  )
  t.match(await scim.patch(path, ...many(1_000)), { status: 200 })
})

t.test('[SCIM7] a PUT replaces a person; what it does not name of role and address stays', async (t) => {
  const hal = await make('hal', { roles: [{ value: 'moderator' }] })
  t.match(await userOf(hal), { role: 300 })
  const put = (body: object, headers?: Record<string, string>) =>
    scim.send('PUT', `/Users/${hal.id}`, body, headers)
  t.match(await put({ userName: 'hal', displayName: 'Hal' }), {
    status: 200,
    body: {
      userName: 'hal',
      displayName: 'Hal',
      emails: [{ value: 'hal@example.com' }],
      roles: [{ value: 'moderator' }],
    },
  })
  const { body: bare } = await put({ userName: 'hal' })
  t.notOk('name' in bare || 'displayName' in bare || 'externalId' in bare)
  t.match(await userOf(hal), { full_name: 'Hal', role: 300 }, 'nobody is renamed to nothing')
  t.match(await put({ userName: 'hal', roles: ['Guest', { value: 'member' }] }), {
    body: { userName: 'hal' },
  })
  t.match(await userOf(hal), { role: 400 }, 'of several roles the highest counts')
  t.match(
    await put({ userName: 'hal', roles: ['king'] }),
    refused(
      400,
      'roles may have these values: owner, administrator, moderator, member, guest.',
      'invalidValue',
    ),
  )
  await scim.patch(`/Users/${hal.id}`, { op: 'add', path: 'roles', value: [{ value: 'administrator' }] })
  t.match(await userOf(hal), { role: 200 })
  t.notOk('roles' in (await scim.patch(`/Users/${hal.id}`, { op: 'remove', path: 'roles' })).body)
  t.match(await userOf(hal), { role: 400 })
  const { version } = (await scim.send('GET', `/Users/${hal.id}`)).body.meta
  const old = { 'if-match': 'W/"0"' }
  t.match(await put({ userName: 'hal 2' }, old), refused(412, 'The resource has changed meanwhile.'))
  t.equal((await put({ userName: 'hal 2' }, { 'if-match': `W/"0", ${version}` })).status, 200)
  t.equal((await put({ userName: 'hal' }, { 'if-match': '*' })).status, 200)
  const other = await scim.send('GET', `/Users/${hal.id}`, undefined, { 'if-none-match': 'W/"0"' })
  t.same([other.status, other.headers.get('etag')], [200, version])
  const same = await scim.send('GET', `/Users/${hal.id}`, undefined, { 'if-none-match': version })
  t.same([same.status, same.body], [304, {}])
})

t.test(
  '[SCIM8] a deleted person is gone for the provider, and deactivated; the same address brings the account back',
  async (t) => {
    const ida = await make('ida')
    t.same(await scim.send('DELETE', `/Users/${ida.id}`).then(({ status, body }) => [status, body]), [
      204,
      {},
    ])
    const absent = refused(404, 'There is no such resource.')
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
      t.match(await scim.send(method, `/Users/${ida.id}`, method === 'GET' ? undefined : {}), absent, method)
    t.match((await scim.list('/Users', 'userName eq "ida@example.com"')).body, { totalResults: 0 })
    t.match(await userOf(ida), { is_active: false, full_name: 'ida D.' })
    const again = await scim.send('POST', '/Users', person('ida', { displayName: 'Ida' }))
    t.match(again, { status: 201, body: { id: ida.id, displayName: 'Ida', active: true } })
    t.match(await userOf(ida), { is_active: true, full_name: 'Ida' })
    await scim.send('DELETE', `/Users/${ida.id}`)
    const renamed = { emails: [{ value: 'ida.two@example.com' }] }
    t.match(await scim.send('POST', '/Users', person('ida', renamed)), {
      status: 201,
      body: { id: ida.id, emails: [{ value: 'ida.two@example.com' }] },
    })
    for (const [name, former, next] of [
      ['another external id', '1', '2'],
      ['no external id any more', '1', undefined],
      ['an external id only now', undefined, '2'],
      ['no external id', undefined, undefined],
    ] as const) {
      const at = (email: string) => ({ userName: `jdoe ${name}`, emails: [{ value: email }] })
      const jane = await make('jane', {
        ...at('jane@example.com'),
        externalId: former,
        roles: ['administrator'],
      })
      await scim.send('DELETE', `/Users/${jane.id}`)
      const john = await make('john', { ...at('john@example.com'), externalId: next })
      t.not(john.id, jane.id, `a user name is given to somebody else: ${name}`)
      t.match(await userOf(john), { role: 400, is_active: true })
      t.match(await userOf(jane), { is_active: false })
      await scim.send('DELETE', `/Users/${john.id}`)
      const back = await make('jane', { ...at('jane@example.com'), externalId: former })
      t.equal(back.id, jane.id)
      t.match(await userOf(back), { role: 400, is_active: true }, 'a role must be named anew')
      for (const { id } of [back, john]) {
        const free = { op: 'replace', value: { 'emails.value': `${id}@example.com`, userName: id } }
        await scim.patch(`/Users/${id}`, free)
        await scim.send('DELETE', `/Users/${id}`)
      }
    }
    // An account that the provider never wrote.
    await scim.send('DELETE', '/Users/5')
    t.match((await scim.send('GET', '/Users/5')).status, 404)
    t.match(await owner.must('GET', '/users/5'), { user: { is_active: false } })
    for (const id of ['0', '7', 'me', '1e1', '99999999999', '%', '1/2', ''])
      t.match(
        await scim.send('GET', `/Users/${id}`),
        id === '' ? { status: 200 } : absent,
        `${id}: bots, system users and nobody look alike`,
      )
  },
)

t.test('[SCIM9] the last owner stays, and keeps the role', async (t) => {
  for (const value of [false, 'False'])
    t.match(
      await scim.patch('/Users/1', { op: 'replace', path: 'active', value }),
      refused(400, 'Cannot deactivate the only organization owner', 'mutability'),
    )
  t.match(await scim.send('DELETE', '/Users/1'), { status: 400, body: { scimType: 'mutability' } })
  t.match(
    await scim.patch('/Users/1', { op: 'replace', path: 'roles', value: [{ value: 'member' }] }),
    refused(400, 'The owner permission cannot be removed from the only organization owner.', 'mutability'),
  )
  t.match(await scim.patch('/Users/1', { op: 'replace', path: 'externalId', value: 'o' }), { status: 200 })
})

t.test('[SCIM10] names, addresses and domains follow the rules of the organization', async (t) => {
  await owner.must('PATCH', '/realm', { require_unique_names: true })
  const [one, two] = [
    await make('jon', { displayName: 'Jon <J>' }),
    await make('jon2', { displayName: 'Jon J' }),
  ]
  t.same([(await userOf(one)).full_name, (await userOf(two)).full_name], ['Jon J', 'Jon J 2'])
  t.match([one.displayName, two.displayName], ['Jon <J>', 'Jon J 2'])
  const bare = await make('kim', { name: undefined, displayName: undefined })
  t.equal((await userOf(bare)).full_name, 'kim')
  t.match(
    await scim.send('POST', '/Users', { userName: 'nobody' }),
    refused(400, 'An account needs an address, in emails or as the userName.', 'invalidValue'),
  )
  const queue = await owner.register({ event_types: ['realm_user', 'user_group'] })
  const byName = await scim.send('POST', '/Users', { userName: 'lea@example.com', active: 'False' })
  const added = await owner.events(queue)
  const { id: leaId } = byName.body
  t.match(
    added.filter(({ type }) => type === 'realm_user'),
    [
      { op: 'add', person: { user_id: Number(leaId) } },
      { op: 'update', person: { user_id: Number(leaId), is_active: false } },
    ],
    'both in one change',
  )
  const [row] = await server.node.services.sql`
    select u.xmin = s.xmin as "isOneCommit", u.is_active as "isActive"
    from users u join scim_users s on s.user_id = u.id where u.id = ${Number(leaId)}`
  t.same(row, { isOneCommit: true, isActive: false }, 'it was active at no time')
  t.match(byName, { status: 201, body: { active: false, emails: [{ value: 'lea@example.com' }] } })
  t.match(await userOf(byName.body), { is_active: false })
  // The address follows the user name while it is the same.
  await scim.patch(`/Users/${byName.body.id}`, {
    op: 'replace',
    path: 'userName',
    value: 'lea.new@example.com',
  })
  t.match(await userOf(byName.body), { is_active: false, delivery_email: 'lea.new@example.com' })
  await scim.patch(`/Users/${byName.body.id}`, { op: 'add', value: { roles: [{ value: 'guest' }] } })
  t.match(await userOf(byName.body), { is_active: false, role: 600 })
  await owner.must('POST', '/realm/domains', { domain: 'example.org', allow_subdomains: false })
  await owner.must('PATCH', '/realm', { emails_restricted_to_domains: true, require_unique_names: false })
  t.match(await scim.send('POST', '/Users', person('max')), {
    status: 400,
    body: { scimType: 'invalidValue' },
  })
  t.match(
    await scim.patch(`/Users/${two.id}`, {
      op: 'replace',
      path: 'emails',
      value: [{ value: 'm+a@example.org' }],
    }),
    { status: 400, body: { scimType: 'invalidValue' } },
  )
  await owner.must('PATCH', '/realm', { emails_restricted_to_domains: false })
})

t.test('[SCIM11] without the token there is nothing, and a new or an ended one counts at once', async (t) => {
  const admin = (command: string) => runHere({ DATABASE_URL: server.databaseUrl }, ['scim', command])
  /** Resolves when the node has heard of another token. */
  const becomes = (status: number) =>
    pollUntil('the token does not count', async () => (await scim.send('GET', '/Users/1')).status === status)
  for (const [token, detail] of [
    ['', 'Missing authorization header with an API key as bearer token'],
    ['short', 'Malformed API key'],
    ['a'.repeat(32), 'Invalid API key'],
    [owner.key, 'Invalid API key'],
  ] as const) {
    const other = new ScimClient(scim.base, token)
    for (const [method, path] of [
      ['GET', '/Users'],
      ['POST', '/Users'],
      ['GET', '/Schemas'],
      ['GET', '/nowhere'],
    ] as const) {
      const answer = await other.send(method, path, method === 'POST' ? person('nan') : undefined)
      t.match(answer, refused(401, detail), `${method} ${path}`)
      t.match(answer.headers.get('www-authenticate'), /^Bearer /)
    }
  }
  const basic = await fetch(`${scim.base}/Users`, { headers: { authorization: owner.authorization } })
  t.equal(basic.status, 401)
  const foreign = await scim.send('POST', '/Users', person('nan'), { origin: 'https://evil.example' })
  t.match(
    foreign,
    { status: 403, body: { schemas: [ERROR], status: '403' } },
    'pages of other sites are refused',
  )
  t.match(await new Client(server.node.url, 1, '', scim.token).request('GET', '/users/me'), { status: 401 })
  const entries = await auditOf(async () => {
    const next = JSON.parse((await admin('token')).stdout) as { token: string; base_url: string }
    t.match(next.base_url, /\/scim\/v2$/)
    await becomes(401) // The former token has ended.
    scim.token = next.token
    t.match(await scim.send('GET', '/Users/1'), { status: 200 })
    t.same((await admin('off')).stdout, '{"ended":true}\n')
    await becomes(401)
    t.same((await admin('off')).stdout, '{"ended":false}\n')
    const rotate = ['keys', 'rotate', '--only', 'scim']
    t.same((await runHere({ DATABASE_URL: server.databaseUrl }, rotate)).stdout, '{"scim":0}\n')
    scim.token = (JSON.parse((await admin('token')).stdout) as { token: string }).token
    await becomes(200)
  })
  t.match(
    entries.map(({ kind, actor, details }) => [kind, actor, details]),
    [true, false, true].map((is_on) => ['scim_token_changed', 'server', { is_on }]),
  )
  const [row] = await server.node.services.sql`select token_hash from scim_tokens`
  t.match(row?.token_hash, /^[0-9a-f]{64}$/, 'only its hash is stored')
  const other = await server.startAnotherNode()
  t.equal((await new ScimClient(`${other.node.url}/scim/v2`, scim.token).send('GET', '/Users/1')).status, 200)
})

t.test('[SCIM12] the server describes itself, and takes other methods nowhere', async (t) => {
  t.match((await scim.send('GET', '/ServiceProviderConfig')).body, {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true, maxResults: 200 },
    etag: { supported: true },
  })
  const types = await scim.send('GET', '/ResourceTypes')
  t.match(types.body.Resources?.[0], { id: 'User', endpoint: '/Users', schema: USER })
  t.match((await scim.send('GET', `/Schemas/${USER}`)).body, { id: USER, attributes: [{ name: 'userName' }] })
  for (const path of [
    '',
    '/',
    '/Schemas/none',
    '/ResourceTypes/none',
    '/Bulk',
    '/Me',
    '/users',
    '/Schemas/a/b',
  ])
    t.match(await scim.send('GET', path), refused(404, 'There is no such resource.'), path)
  for (const [path, allow, method] of [
    ['/ServiceProviderConfig', 'GET', 'POST'],
    ['/ResourceTypes', 'GET', 'PUT'],
    ['/Schemas', 'GET', 'DELETE'],
    ['/Users', 'GET, POST', 'DELETE'],
    ['/Users/1', 'GET, PUT, PATCH, DELETE', 'POST'],
    ['/Users/.search', 'POST', 'GET'],
    ['/.search', 'POST', 'GET'],
  ] as const) {
    const answer = await scim.send(method, path, method === 'GET' ? undefined : {})
    t.match(answer, refused(405, `The path takes ${allow}.`), path)
    t.equal(answer.headers.get('allow'), allow)
  }
  for (const body of ['{', '[]', '"a"', '', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`])
    t.match(
      await scim.send('POST', '/Users', body),
      { status: 400, body: { scimType: 'invalidSyntax' } },
      body.slice(0, 9),
    )
  const padded = (bytes: number) => {
    const text = JSON.stringify(person('oda', { active: 'neither' }))
    return text + ' '.repeat(bytes - text.length)
  }
  t.match(await scim.send('POST', '/Users', padded(512 * 1024)), { status: 400 })
  t.match(await scim.send('POST', '/Users', padded(512 * 1024 + 1)), {
    status: 413,
    body: { schemas: [ERROR] },
  })
})
