/** Groups of default channels. */

import t from 'tap'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { channelIdOf } from '../../harness/worlds/set-up-channel.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const PATH = '/default_stream_groups'

const create = (fields: object, person: Person = 'administrator') =>
  server.as(person).post(`${PATH}/create`, { description: '', stream_names: [], ...fields })
const update = (id: number, fields: object, person: Person = 'administrator') =>
  server.as(person).patch(`${PATH}/${id}`, { ...fields })
const change = (id: number, op: string, stream_names: unknown, person: Person = 'administrator') =>
  server.as(person).patch(`${PATH}/${id}/streams`, { op, stream_names })
const remove = (id: number, person: Person = 'administrator') => server.as(person).delete(`${PATH}/${id}`)
const idOf = (name: string) => channelIdOf(server, name)
const groupsOf = async (person: Person) =>
  (await server.as(person).register()).state.realm_default_stream_groups
/** The id of a new group. */
const made = async (fields: object) => {
  const { status, body } = await create(fields)
  t.equal(status, 200)
  return body.group_id as number
}
const eventOf = (groups: readonly object[]) => [
  { type: 'default_stream_groups', default_stream_groups: groups },
]

t.before(async () => {
  await owner.subscribe(['general', 'tennis', 'rowing', 'chess', 'old'])
  await owner.subscribe(['secret'], { invite_only: true })
  await owner.must('POST', '/default_streams', { stream_id: idOf('general') })
  await owner.must('DELETE', `/streams/${idOf('old')}`)
})

t.test('[CHGROUP1] all but guests see groups of default channels, by name, and their changes', async (t) => {
  let sports = 0
  const added = await expectConsistent(server, async () => {
    const description = 'Balls\nand boats'
    const { body } = await create({
      group_name: ' Sports ',
      description,
      stream_names: ['rowing', ' TENNIS ', 'tennis'],
    })
    t.match(body, { result: 'success', msg: '', group_id: Number })
    sports = body.group_id
  })
  const streams = [idOf('tennis'), idOf('rowing')]
  const first = { id: sports, name: 'Sports', description: 'Balls\nand boats', streams }
  for (const person of ['owner', 'member', 'member2'] as const)
    t.match(added[person], eventOf([first]), person)
  t.same(added.guest, [])
  t.same(await groupsOf('member'), [first])
  t.same(await groupsOf('bot'), [first])
  t.same(await groupsOf('guest'), [])

  const games = await made({ group_name: 'Games', stream_names: ['chess'] })
  t.ok(games > sports)
  const second = { id: games, name: 'Games', description: '', streams: [idOf('chess')] }
  t.same(await groupsOf('member'), [second, first], 'by name')

  const changed = await expectConsistent(server, async () => {
    t.same((await change(games, 'add', ['rowing', 'tennis'])).body, { result: 'success', msg: '' })
    t.same((await change(games, 'remove', ['chess', 'rowing'])).body, { result: 'success', msg: '' })
    const fields = { new_group_name: 'Zen', new_description: 'Calm' }
    t.same((await update(games, fields)).body, { result: 'success', msg: '' })
    t.same((await update(games, { new_description: '' })).body, { result: 'success', msg: '' })
    t.same((await remove(sports)).body, { result: 'success', msg: '' })
  })
  const zen = { id: games, name: 'Zen', description: 'Calm', streams: [idOf('tennis')] }
  const all = [...streams, idOf('chess')].sort((a, b) => a - b)
  t.match(changed.member, [
    ...eventOf([{ ...second, streams: all }, first]),
    ...eventOf([{ ...second, streams: [idOf('tennis')] }, first]),
    ...eventOf([first, zen]),
    ...eventOf([first, { ...zen, description: '' }]),
    ...eventOf([{ ...zen, description: '' }]),
  ])
  t.same(changed.guest, [])
  await remove(games)
  t.ok((await made({ group_name: 'Sports' })) > games, 'no id is used again')
  await remove(games + 1)
})

t.test('[CHGROUP2] a change of a group that changes nothing sends no event', async (t) => {
  const id = await made({ group_name: 'Sports', description: 'Balls', stream_names: ['tennis'] })
  const events = await expectConsistent(server, async () => {
    t.equal((await update(id, { new_description: 'Balls' })).status, 200)
    t.equal((await change(id, 'add', [])).status, 200)
    t.equal((await change(id, 'remove', [])).status, 200)
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] })
  await remove(id)
})

t.test('[CHGROUP3] only administrators change groups of default channels', async (t) => {
  const id = await made({ group_name: 'Sports', stream_names: ['tennis'] })
  const message = 'Must be an organization administrator'
  for (const person of ['moderator', 'member', 'guest', 'bot'] as const) {
    expectRefusal(t, await create({ group_name: 'Games' }, person), message)
    expectRefusal(t, await update(id, { new_group_name: 'Games' }, person), message)
    expectRefusal(t, await change(id, 'add', ['chess'], person), message)
    expectRefusal(t, await change(99, 'add', ['nothing'], person), message)
    expectRefusal(t, await remove(id, person), message)
  }
  for (const person of ['owner', 'administrator'] as const) {
    t.equal((await change(id, 'add', ['chess'], person)).status, 200)
    t.equal((await change(id, 'remove', ['chess'], person)).status, 200)
    t.equal((await update(id, { new_group_name: `Of ${person}` }, person)).status, 200)
  }
  t.equal((await remove(id, 'owner')).status, 200)
})

t.test('[CHGROUP4] names of groups are unique and not empty, and an unknown group is refused', async (t) => {
  const id = await made({ group_name: 'Sports' })
  const other = await made({ group_name: 'Games' })
  const empty = "Invalid default channel group name ''"
  expectRefusal(t, await create({ group_name: ' ' }), empty)
  expectRefusal(t, await update(id, { new_group_name: '' }), empty)
  for (const name of ['a\0b', 'a\nb'])
    expectRefusal(t, await create({ group_name: name }), `Invalid default channel group name '${name}'`)
  const taken = "Default channel group 'GAMES' already exists"
  expectRefusal(t, await create({ group_name: 'GAMES' }), taken)
  expectRefusal(t, await update(id, { new_group_name: 'GAMES' }), taken)
  const same = "This default channel group is already named 'Sports'"
  expectRefusal(t, await update(id, { new_group_name: 'Sports', new_description: 'x' }), same)
  t.equal((await update(id, { new_group_name: 'SPORTS' })).status, 200, 'another case of its own name')
  expectRefusal(t, await update(id, {}), 'You must pass "new_description" or "new_group_name".')
  for (const unknown of [0, other + 1, 2 ** 40]) {
    const message = `Default channel group with id '${unknown}' does not exist.`
    expectRefusal(t, await update(unknown, { new_group_name: 'x' }), message)
    expectRefusal(t, await change(unknown, 'add', ['chess']), message)
    expectRefusal(t, await remove(unknown), message)
  }
  for (const one of [id, other]) await remove(one)
})

t.test('[CHGROUP5] a group has public channels that are no default channels', async (t) => {
  const id = await made({ group_name: 'Sports', stream_names: ['tennis'] })
  const create2 = (...stream_names: string[]) => create({ group_name: 'Games', stream_names })
  for (const name of ['nothing', 'old', '']) {
    const message = `Invalid channel name '${name}'`
    expectRefusal(t, await create2('chess', name), message)
    expectRefusal(t, await change(id, 'add', ['chess', name]), message)
    expectRefusal(t, await change(id, 'remove', [name]), message)
  }
  const isPrivate = 'Private channels cannot be made default.'
  expectRefusal(t, await create2('secret'), isPrivate)
  expectRefusal(t, await change(id, 'add', ['secret']), isPrivate)
  const isDefault = (group: string) => `'general' is a default channel and cannot be added to '${group}'`
  expectRefusal(t, await create2('general'), isDefault('Games'))
  expectRefusal(t, await change(id, 'add', ['general']), isDefault('Sports'))
  const has = "Channel 'tennis' is already present in default channel group 'Sports'"
  expectRefusal(t, await change(id, 'add', ['chess', 'tennis']), has)
  const lacks = "Channel 'chess' is not present in default channel group 'Sports'"
  expectRefusal(t, await change(id, 'remove', ['tennis', 'chess']), lacks)
  expectRefusal(t, await change(id, 'replace', ['chess']), 'Invalid op')
  expectRefusal(t, await change(id, 'add', 'chess'), 'stream_names is not valid JSON')
  t.match(await groupsOf('member'), [{ streams: [idOf('tennis')] }], 'nothing changed')
  await remove(id)
})

t.test('[CHGROUP6] a channel that is archived or made private leaves the groups first', async (t) => {
  await owner.subscribe(['to archive', 'to close', 'to rename'])
  const names = ['to archive', 'to close', 'to rename']
  const id = await made({ group_name: 'Sports', stream_names: names })
  const other = await made({ group_name: 'Tours', stream_names: ['to close'] })
  const [archived, closed, renamed] = names.map(idOf)
  const update = (channel: number | undefined, fields: Record<string, unknown>) =>
    owner.must('PATCH', `/streams/${channel}`, fields)
  const kinds = (events: readonly { type: string }[] = []) => events.map(({ type }) => type)
  const left = await expectConsistent(server, () => owner.must('DELETE', `/streams/${archived}`))
  t.same(kinds(left.member), ['default_stream_groups', 'stream'])
  const closing = await expectConsistent(server, () => update(closed, { is_private: true }))
  t.equal(kinds(closing.member)[0], 'default_stream_groups')
  t.match(await groupsOf('member'), [
    { id, streams: [renamed] },
    { id: other, streams: [] },
  ])
  const unrelated = await expectConsistent(server, async () => {
    await update(renamed, { new_name: 'renamed' })
    await update(closed, { description: 'none of them' })
  })
  t.notOk(kinds(unrelated.member).includes('default_stream_groups'))
  t.match(await groupsOf('member'), [{ streams: [renamed] }, { streams: [] }])
  for (const one of [id, other]) await remove(one)
})

t.test('[CHGROUP7] users who become guests lose the groups, and see them again as members', async (t) => {
  const none = await expectConsistent(server, () => setRole('member2', 600))
  t.notOk(
    none.member2?.some(({ type }) => type === 'default_stream_groups'),
    'without groups',
  )
  await setRole('member2', 400)
  const id = await made({ group_name: 'Sports', stream_names: ['tennis'] })
  const groups = (events: readonly { type: string }[] = []) =>
    events.filter(({ type }) => type === 'default_stream_groups')
  const lost = await expectConsistent(server, () => setRole('member2', 600))
  t.match(groups(lost.member2), eventOf([]))
  t.same(groups(lost.member), [])
  const seen = await expectConsistent(server, () => setRole('member2', 400))
  t.match(groups(seen.member2), eventOf([{ id, streams: [idOf('tennis')] }]))
  const promoted = await expectConsistent(server, () => setRole('member2', 300))
  t.same(groups(promoted.member2), [])
  await setRole('member2', 400)
  await remove(id)
})

async function setRole(person: Person, role: number): Promise<void> {
  await owner.must('PATCH', `/users/${server.as(person).userId}`, { role })
}

t.test('[CHGROUP8] names, descriptions, groups and their channels have limits', async (t) => {
  const name = '😀'.repeat(60)
  const description = '😀'.repeat(1_024)
  const id = await made({ group_name: name, description })
  t.match(await groupsOf('member'), [{ name, description }])
  expectRefusal(t, await create({ group_name: `${name}x` }), 'group_name is too long (limit: 60 characters)')
  expectRefusal(
    t,
    await update(id, { new_group_name: `${name}x` }),
    'new_group_name is too long (limit: 60 characters)',
  )
  expectRefusal(
    t,
    await create({ group_name: 'x', description: `${description}x` }),
    'description is too long (limit: 1024 characters)',
  )
  expectRefusal(
    t,
    await update(id, { new_description: `${description}x` }),
    'new_description is too long (limit: 1024 characters)',
  )
  const names = Array.from({ length: 101 }, (_, index) => `many ${index}`)
  await owner.subscribe(names.slice(0, 60))
  await owner.subscribe(names.slice(60))
  const tooLong = 'stream_names is too long (limit: 100 items)'
  expectRefusal(t, await create({ group_name: 'x', stream_names: names }), tooLong)
  expectRefusal(t, await change(id, 'add', names), tooLong)
  t.equal((await change(id, 'add', names.slice(0, 99))).status, 200)
  const tooMany = 'Too many channels in a default channel group (maximum 100).'
  expectRefusal(t, await change(id, 'add', names.slice(99)), tooMany)
  t.equal((await change(id, 'add', names.slice(99, 100))).status, 200)
  t.equal((await change(id, 'remove', names.slice(0, 100))).status, 200)
  const ids = [id]
  for (let number = 2; number <= 50; number++) ids.push(await made({ group_name: `group ${number}` }))
  expectRefusal(t, await create({ group_name: 'one more' }), 'Too many default channel groups (maximum 50).')
  await remove(ids.pop() as number)
  ids.push(await made({ group_name: 'one more' }))
  for (const one of ids) await remove(one)
  for (const missing of ['group_name', 'description', 'stream_names'])
    expectRefusal(
      t,
      await create({ group_name: 'x', [missing]: undefined }),
      `Missing '${missing}' argument`,
      {
        code: 'REQUEST_VARIABLE_MISSING',
        var_name: missing,
      },
    )
})
