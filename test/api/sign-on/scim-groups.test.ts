/** User groups by SCIM, as Okta and Microsoft Entra write them. */

import t from 'tap'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'
import { type ScimBody, ScimClient, startScim } from '../../harness/sign-on/scim-client.ts'

const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
const [OWNER, ADMINISTRATOR, MODERATOR, MEMBER, MEMBER2, GUEST, BOT] = [
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
] as const

const server = await startTestServer(t)
const owner = server.as('owner')
const scim = await startScim(server)

const group = (displayName: string, ids: readonly string[] = [], more: object = {}) => ({
  schemas: [GROUP],
  displayName,
  members: ids.map((value) => ({ value, display: emailOf('member') })),
  ...more,
})
const make = async (...given: Parameters<typeof group>): Promise<ScimBody> => {
  const { status, body } = await scim.send('POST', '/Groups', group(...given))
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body
}
const groupOf = async ({ id }: ScimBody) => {
  const { user_groups } = await owner.must('GET', '/user_groups', { include_deactivated_groups: true })
  return user_groups.find((one) => one.id === Number(id))
}
const idsOf = ({ members = [] }: ScimBody) => (members as { value: string }[]).map(({ value }) => value)
const refused = (status: number, detail: string, scimType?: string) => ({
  status,
  body: { schemas: [ERROR], status: String(status), detail, ...(scimType ? { scimType } : {}) },
})
const auditOf = async (act: () => Promise<unknown>) => {
  const read = async (limit: number) => (await owner.must('GET', '/realm/audit_log', { limit })).entries
  const [last] = await read(1)
  await act()
  return (await read(100)).filter(({ id }) => id > (last?.id ?? 0)).toReversed()
}

t.test('[SCIM20] a group is a user group, whose people only the provider and owners change', async (t) => {
  const queue = await owner.register({ event_types: ['user_group'] })
  let made: ScimBody | undefined
  const entries = await auditOf(async () => {
    made = await make('Engineering', [MEMBER, OWNER], { externalId: 'e-1' })
  })
  const engineering = made as ScimBody
  const { created, version } = engineering.meta
  const memberOf = (value: string) => ({ value, $ref: `${scim.base}/Users/${value}`, type: 'User' })
  t.same(engineering, {
    schemas: [GROUP],
    id: engineering.id,
    externalId: 'e-1',
    displayName: 'Engineering',
    members: [memberOf(OWNER), memberOf(MEMBER)],
    meta: { resourceType: 'Group', created, location: `${scim.base}/Groups/${engineering.id}`, version },
  })
  t.match(await owner.events(queue), [
    { type: 'user_group', op: 'add', group: { name: 'Engineering', members: [1, 4], description: '' } },
  ])
  t.match(entries, [{ kind: 'user_group/add', actor: 'scim', acting_user_id: null }])
  const path = `/user_groups/${engineering.id}/members` as '/user_groups/{user_group_id}/members'
  for (const person of ['administrator', 'member', 'guest'] as const) {
    const client = server.as(person)
    t.match(await client.post(path, { add: [client.userId] }), { status: 400 }, `${person} does not join`)
  }
  t.match(await server.as('member').post(path, { delete: [4] }), { status: 400 }, 'nobody leaves')
  t.equal((await owner.post(path, { add: [2] })).status, 200)
  t.match((await scim.send('GET', `/Groups/${engineering.id}`)).body, {
    members: [memberOf(OWNER), memberOf(ADMINISTRATOR), memberOf(MEMBER)],
  })
})

t.test('[SCIM21] members come and go in the forms of Okta and Microsoft Entra', async (t) => {
  const sales = await make('Sales')
  t.notOk('members' in sales)
  const path = `/Groups/${sales.id}`
  const after = async (...operations: object[]) => {
    const { status, body } = await scim.patch(path, ...operations)
    return status === 200 ? idsOf(body) : [status, body.detail]
  }
  const queue = await owner.register({ event_types: ['user_group'] })
  const all = [OWNER, ADMINISTRATOR, MODERATOR, MEMBER]
  t.same(await after({ op: 'Add', path: 'members', value: all.map((value) => ({ value })) }), all)
  t.same(await after({ op: 'add', path: 'members', value: [{ value: OWNER }] }), all, 'twice is once')
  t.same(await after({ op: 'remove', path: `members[value eq "${ADMINISTRATOR}"]` }), [
    OWNER,
    MODERATOR,
    MEMBER,
  ])
  t.same(await after({ op: 'Remove', path: 'members', value: [{ value: MODERATOR }] }), [OWNER, MEMBER])
  t.same(
    await after({ op: 'remove', path: `members[value eq "${GUEST}"]` }),
    [OWNER, MEMBER],
    'nobody leaves twice',
  )
  t.same(
    await after(
      { op: 'replace', value: { id: sales.id, displayName: 'Sales (EU)' } },
      { op: 'add', value: { members: [{ value: GUEST }] } },
    ),
    [OWNER, MEMBER, GUEST],
  )
  t.same(await after({ op: 'replace', path: 'members', value: [{ value: MEMBER2 }] }), [MEMBER2])
  t.same(await after({ op: 'remove', path: 'members' }), [])
  t.match(await groupOf(sales), { name: 'Sales (EU)', members: [] })
  t.match(await owner.events(queue), [
    { op: 'add_members', user_ids: [1, 2, 3, 4] },
    { op: 'remove_members', user_ids: [2] },
    { op: 'remove_members', user_ids: [3] },
    { op: 'update', data: { name: 'Sales (EU)' } },
    { op: 'add_members', user_ids: [6] },
    { op: 'add_members', user_ids: [5] },
    { op: 'remove_members', user_ids: [1, 4, 6] },
    { op: 'remove_members', user_ids: [5] },
  ])
  const many = [OWNER, ADMINISTRATOR, MODERATOR, MEMBER, MEMBER2, GUEST]
  await Promise.all(many.map((value) => scim.patch(path, { op: 'add', path: 'members', value: [{ value }] })))
  t.same(idsOf((await scim.send('GET', path)).body), many, 'requests at the same time lose nothing')
  for (const [value, detail] of [
    [[{ value: BOT }], 'There is no user 7 for members.'],
    [[{ value: '4000' }], 'There is no user 4000 for members.'],
    [[{ value: 'x' }], 'members must have the ids of users as their values.'],
    [[{ value: 4 }], 'members must have the ids of users as their values.'],
    [[{ value: '40', type: 'Group' }], 'The members of a group must be users.'],
  ] as const)
    t.match(
      await scim.patch(path, { op: 'add', path: 'members', value }),
      refused(400, detail, 'invalidValue'),
    )
})

t.test('[SCIM26] a change of many members looks at a million values at most', async (t) => {
  const hall = await make('Hall')
  const path = `/Groups/${hall.id}`
  const fill = (count: number) => ({
    op: 'replace',
    path: 'members',
    value: Array.from({ length: count }, () => MEMBER),
  })
  const remove = (value: string) => ({ op: 'remove', path: `members[value eq "${value}"]` })
  const absent = Array.from({ length: 900 }, (_, index) => remove(String(5_000 + index)))
  t.same(
    idsOf((await scim.patch(path, fill(9_000), ...absent, { ...fill(1), op: 'add' })).body),
    [MEMBER],
    'changes of one kind in a row are one',
  )
  t.same(
    idsOf(
      (
        await scim.patch(
          path,
          { op: 'add', path: 'members', value: { value: OWNER } },
          { op: 'add', path: 'members', value: [{ value: GUEST }, { value: GUEST }] },
          remove(OWNER),
          { op: 'remove', path: 'members', value: [{ value: MEMBER }] },
          { op: 'add', path: 'members', value: [{ value: MEMBER }] },
          remove(GUEST),
        )
      ).body,
    ),
    [MEMBER],
    'and the order stays',
  )
  const part = { op: 'remove', path: 'members[value eq "5000"].type' }
  const million = [fill(8_000), ...Array.from({ length: 123 }, () => part), fill(0)]
  t.match(
    await scim.patch(path, ...million),
    refused(
      400,
      'The Operations of the body look at more than 1000000 values: send fewer in a request.',
      'tooMany',
    ),
  )
  t.same(idsOf((await scim.send('GET', path)).body), [MEMBER], 'nothing changed')
  await scim.patch(path, remove(MEMBER))
  t.match(await scim.patch(path, ...million), { status: 200 }, 'a million, without a member')
})

t.test(
  '[SCIM22] bots and subgroups of a group stay; deactivated people stay members until they return',
  async (t) => {
    const crew = await make('Crew', [MEMBER, MEMBER2])
    const sub = await make('Subcrew')
    const members = `/user_groups/${crew.id}/members` as '/user_groups/{user_group_id}/members'
    await owner.must('POST', members, { add: [7], add_subgroups: [Number(sub.id)] })
    t.match(await scim.send('PUT', `/Groups/${crew.id}`, group('Crew', [MEMBER2, GUEST])), { status: 200 })
    t.match(await groupOf(crew), { members: [5, 6, 7], direct_subgroup_ids: [Number(sub.id)] })
    await scim.patch(`/Users/${MEMBER2}`, { op: 'replace', path: 'active', value: false })
    t.match(await groupOf(crew), { members: [6, 7] })
    await scim.patch(`/Users/${GUEST}`, { op: 'replace', path: 'active', value: false })
    await scim.patch(`/Groups/${crew.id}`, { op: 'add', path: 'members', value: [{ value: MODERATOR }] })
    t.same(idsOf((await scim.send('GET', `/Groups/${crew.id}`)).body), [MODERATOR, MEMBER2, GUEST])
    await scim.patch(`/Groups/${crew.id}`, { op: 'remove', path: `members[value eq "${GUEST}"]` })
    for (const id of [MEMBER2, GUEST])
      await scim.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })
    t.match(await groupOf(crew), { members: [3, 5, 7] })
  },
)

t.test('[SCIM23] groups are found by name, external id and members, and adopted', async (t) => {
  await owner.must('POST', '/user_groups/create', {
    name: 'Made Here',
    description: 'By people',
    members: [4],
  })
  const found = await scim.list('/Groups', 'displayName eq "made here"', { excludedAttributes: 'members' })
  const [one] = found.body.Resources ?? []
  t.match(found.body, { totalResults: 1, Resources: [{ displayName: 'Made Here' }] })
  t.notOk(one && 'members' in one)
  t.match(await scim.patch(`/Groups/${one?.id}`, { op: 'Replace', path: 'externalId', value: 'h-1' }), {
    status: 200,
    body: { externalId: 'h-1', members: [{ value: MEMBER }] },
  })
  for (const filter of [
    'externalId eq "h-1"',
    `id eq "${one?.id}" and members eq "${MEMBER}"`,
    `displayName eq "none" or externalId eq "h-1"`,
    `members.value eq "${MEMBER}" and id eq "${one?.id}"`,
  ]) {
    t.match(
      await scim.list('/Groups', filter),
      { status: 200, body: { totalResults: 1, Resources: [{ id: one?.id }] } },
      filter,
    )
  }
  for (const filter of [
    'externalId eq "H-1"',
    `id eq "${one?.id}" and members eq "${OWNER}"`,
    'members eq "0"',
    'id eq "1"',
  ])
    t.match((await scim.list('/Groups', filter)).body, { totalResults: 0 }, filter)
  t.match(await scim.list('/Groups', 'userName eq "a"'), { status: 400, body: { scimType: 'invalidFilter' } })
  const all = await scim.send('GET', '/Groups?count=2')
  t.match(all.body, { itemsPerPage: 2, startIndex: 1 })
  t.ok(Number(all.body.totalResults) >= 5)
  t.notOk(all.body.Resources?.some(({ displayName }) => String(displayName).startsWith('role:')))
  // Both types at once.
  const both = await scim.send('POST', '/.search', { count: 200 })
  const people = await scim.send('GET', '/Users?count=0')
  t.equal(both.body.totalResults, Number(all.body.totalResults) + Number(people.body.totalResults))
  const start = Number(people.body.totalResults)
  const border = await scim.send('POST', '/.search', {
    startIndex: start,
    count: 2,
    attributes: ['meta.resourceType'],
  })
  t.match(border.body.Resources, [{ meta: { resourceType: 'User' } }, { meta: { resourceType: 'Group' } }])
})

t.test('[SCIM27] a page ends before its groups have more than 50,000 members', async (t) => {
  const large = await startTestServer(t, { env: { RATE_LIMIT_USER_PER_MINUTE: '10000' } })
  const provider = await startScim(large)
  const post = async (path: string, body: object): Promise<ScimBody> => {
    const answer = await provider.send('POST', path, body)
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.body
  }
  const numbers = Array.from({ length: 250 }, (_, index) => index)
  const people = await Promise.all(
    numbers.map((number) => post('/Users', { userName: `p${number}@example.com` })),
  )
  const ids = people.map(({ id }) => id)
  const groups = await Promise.all(
    numbers.slice(0, 200).map((number) => post('/Groups', group(`Group ${number}`, ids))),
  )
  const lengthsOf = async (query: string) => {
    const { status, body } = await provider.send('GET', `/Groups?count=200&startIndex=${query}`)
    t.equal(status, 200)
    t.equal(body.Resources?.length, body.itemsPerPage)
    return [body.itemsPerPage, body.totalResults]
  }
  const all = await provider.send('GET', '/Groups?count=0')
  const start = Number(all.body.totalResults) - 199
  const total = start + 199
  t.same(await lengthsOf(`${start}`), [200, total], 'as many as a page takes')
  const [first] = groups as [ScimBody]
  await provider.patch(`/Groups/${first.id}`, { op: 'add', path: 'members', value: [{ value: MEMBER }] })
  t.same(await lengthsOf(`${start}`), [199, total])
  t.same(await lengthsOf(`${start + 199}`), [1, total], 'the rest is on the next page')
  t.same(
    await lengthsOf(`${start}&excludedAttributes=members`),
    [200, total],
    'members count where they are shown',
  )
  t.same(await lengthsOf(`${start}&attributes=displayName`), [200, total])
  t.same(await lengthsOf(`${start}&excludedAttributes=displayName`), [199, total])
  const { body } = await provider.send('GET', `/Groups/${first.id}`)
  t.equal(idsOf(body).length, 251)
  for (const filter of [`id eq "${first.id}"`, `members eq "${MEMBER}"`]) {
    const found = await provider.list('/Groups', filter, { excludedAttributes: 'members' })
    const { members: _, ...others } = body
    t.same(found.body.Resources, [others], 'the version is the same without the members')
    t.same((await provider.list('/Groups', filter)).body.Resources, [body])
  }
  const none = Array.from({ length: 20 }, (_, index) => `members eq "${4_000_000_000 + index}"`)
  t.match(await provider.list('/Groups', none.join(' or ')), { status: 200, body: { totalResults: 0 } })
})

t.test('[SCIM30] a body with more values than the server reads is too large, and says so', async (t) => {
  // Each comma and each colon begins a value: four for a member.
  const members = Array.from({ length: 7_498 }, () => ({ value: MEMBER, display: 'x' }))
  const post = (displayName: string, more: readonly number[]) =>
    scim.send('POST', '/Groups', { displayName, members, more })
  t.match(await post('Full', [1, 2, 3, 4]), { status: 201, body: { members: [{ value: MEMBER }] } })
  t.match(
    await post('Too full', [1, 2, 3, 4, 5]),
    refused(413, 'The body has more than 30000 values: send fewer members in a request.'),
  )
})

t.test('[SCIM24] names are those of user groups, each once', async (t) => {
  const first = await make('Names')
  const post = (displayName: string) => scim.send('POST', '/Groups', group(displayName))
  t.match(await post('NAMES'), refused(409, 'There is a group NAMES already.', 'uniqueness'))
  for (const [name, detail] of [
    ['', 'displayName must be a text that is not empty.'],
    ['role:cooks', "User group name cannot start with 'role:'."],
    ['x'.repeat(101), 'User group name cannot exceed 100 characters.'],
    ['a\u{10ffff}b', 'Invalid character in user group name, at position 2.'],
  ] as const)
    t.match(await post(name), refused(400, detail, 'invalidValue'))
  t.match(await post('x'.repeat(100)), { status: 201 })
  await make('Other names')
  t.match(
    await scim.send('PUT', `/Groups/${first.id}`, group('other NAMES')),
    refused(409, "User group 'other NAMES' already exists.", 'uniqueness'),
  )
  t.match(await scim.send('PUT', `/Groups/${first.id}`, group('names')), { body: { displayName: 'names' } })
  const old = { 'if-match': first.meta.version }
  t.match(await scim.send('PUT', `/Groups/${first.id}`, group('Names'), old), { status: 412 })
})

t.test(
  '[SCIM25] a deleted group is deactivated, or empty if something needs it; its name brings it back',
  async (t) => {
    const absent = refused(404, 'There is no such resource.')
    const plain = await make('Plain', [MEMBER])
    const queue = await owner.register({ event_types: ['user_group'] })
    const entries = await auditOf(() => scim.send('DELETE', `/Groups/${plain.id}`))
    t.match(await owner.events(queue), [
      { op: 'remove_members', user_ids: [4] },
      { op: 'remove', group_id: Number(plain.id) },
    ])
    t.same([...new Set(entries.map(({ actor }) => actor))], ['scim'])
    t.match(await groupOf(plain), { deactivated: true, members: [] })
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'])
      t.match(
        await scim.send(method, `/Groups/${plain.id}`, method === 'GET' ? undefined : group('Plain')),
        absent,
        method,
      )
    t.match(await scim.send('POST', '/Groups', group('plain', [GUEST])), {
      status: 201,
      body: { id: plain.id, displayName: 'plain', members: [{ value: GUEST }] },
    })
    t.match(await groupOf(plain), { deactivated: false, members: [6], name: 'plain' })

    const needed = await make('Needed', [MEMBER])
    await owner.must('PATCH', '/realm', {
      can_add_custom_emoji_group: { new: { direct_members: [], direct_subgroups: [Number(needed.id)] } },
    })
    t.equal((await scim.send('DELETE', `/Groups/${needed.id}`)).status, 204)
    t.match(await groupOf(needed), { deactivated: false, members: [] }, 'its people have lost the right')
    t.match(await scim.send('GET', `/Groups/${needed.id}`), absent)
    t.match((await scim.list('/Groups', 'displayName eq "Needed"')).body, { totalResults: 0 })
    t.match(await scim.send('POST', '/Groups', group('Needed', [OWNER])), {
      status: 201,
      body: { id: needed.id },
    })
    for (const id of ['1', '8', 'x', '4000'])
      t.match(
        await scim.send('DELETE', `/Groups/${id}`),
        absent,
        `${id}: groups of roles and no group look alike`,
      )
  },
)

t.test(
  '[SCIM13] the provider has a limit of its own, and guessed tokens that of their address',
  async (t) => {
    const clock = new ManualClock()
    const env = { RATE_LIMIT_USER_PER_MINUTE: '2', RATE_LIMIT_ADDRESS_PER_MINUTE: '3' }
    const limited = await startTestServer(t, { clock, env })
    const provider = await startScim(limited)
    clock.leap(60_000)
    const statusesOf = async (client: ScimClient, count: number) => {
      const answers = await Promise.all(Array.from({ length: count }, () => client.send('GET', '/Users/1')))
      return answers.map(({ status }) => status).sort((a, b) => a - b)
    }
    t.same(await statusesOf(provider, 7), [200, 200, 200, 200, 200, 200, 429], 'three times that of a user')
    const refusal = await provider.send('GET', '/Users/1')
    t.match(refusal, { status: 429, body: { schemas: [ERROR], status: '429' } })
    t.match(refusal.headers.get('retry-after'), /^\d+$/)
    const guesser = new ScimClient(provider.base, 'a'.repeat(32))
    t.same(await statusesOf(guesser, 4), [401, 401, 401, 429])
    clock.leap(60_000)
    t.same(await statusesOf(provider, 1), [200])
  },
)
