import t from 'tap'
import type { FolderId } from '../../../server/domain/ids.ts'
import { expectConsistent } from '../../harness/states/expect-consistent.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
const NOT_ADMINISTRATOR = 'Must be an organization administrator'

const create = (person: Person, name: unknown, description?: string) =>
  server.as(person).post('/channel_folders/create', { name, description })
const update = (person: Person, id: number, fields: Record<string, unknown>) =>
  server.as(person).patch(`/channel_folders/${id}`, fields)
const order = (person: Person, ids: unknown) => server.as(person).patch('/channel_folders', { order: ids })
const list = async (person: Person, fields = {}) =>
  (await server.as(person).must('GET', '/channel_folders', fields)).channel_folders

t.test('[FOLDER1] a new folder is sent to everyone and ordered last', async (t) => {
  const received = await expectConsistent(server, async () => {
    t.same((await create('administrator', '  Work ', 'For *work*')).body, {
      result: 'success',
      msg: '',
      channel_folder_id: 1,
    })
    t.equal((await create('owner', 'Play')).body.channel_folder_id, 2)
  })
  for (const events of Object.values(received)) {
    t.match(events, [
      {
        type: 'channel_folder',
        op: 'add',
        channel_folder: {
          id: 1,
          name: 'Work',
          description: 'For *work*',
          rendered_description: '<p>For <em>work</em></p>',
          creator_id: 2,
          is_archived: false,
          order: 0,
        },
      },
      { op: 'add', channel_folder: { id: 2, name: 'Play', rendered_description: '', order: 1 } },
    ])
  }
  for (const person of ['owner', 'guest', 'bot'] as const) {
    t.match(await list(person), [
      { id: 1, order: 0 },
      { id: 2, order: 1 },
    ])
  }
})

t.test('[FOLDER2] names ignore case, are unique and visible, and have 1 to 60 code points', async (t) => {
  for (const act of [
    (name: unknown) => create('owner', name),
    (name: unknown) => update('owner', 2, { name }),
  ]) {
    expectRefusal(t, await act('wORK'), 'Channel folder name already in use')
    expectRefusal(t, await act('  '), "Channel folder name can't be empty.")
    expectRefusal(t, await act(''), "Channel folder name can't be empty.")
    expectRefusal(t, await act('a\tb'), 'Invalid character in channel folder name, at position 2.')
    expectRefusal(t, await act('a\0b'), 'Invalid character in channel folder name, at position 2.')
    expectRefusal(t, await act('x'.repeat(61)), 'name is too long (limit: 60 characters)')
  }
  t.equal((await create('owner', '😀'.repeat(60))).status, 200)
  expectRefusal(t, await create('owner', undefined), "Missing 'name' argument", {
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'name',
  })
})

t.test('[FOLDER3] a description has at most 1,024 code points', async (t) => {
  const message = 'description is too long (limit: 1024 characters)'
  expectRefusal(t, await create('owner', 'long', 'x'.repeat(1025)), message)
  expectRefusal(t, await update('owner', 2, { description: 'x'.repeat(1025) }), message)
  t.equal((await update('owner', 2, { description: 'x'.repeat(1024) })).status, 200)
  t.equal((await create('owner', 'long', '😀'.repeat(1024))).status, 200)
})

t.test('[FOLDER4] only administrators create, change and reorder folders', async (t) => {
  for (const person of ['moderator', 'member', 'guest', 'bot'] as const) {
    expectRefusal(t, await create(person, 'mine'), NOT_ADMINISTRATOR)
    expectRefusal(t, await update(person, 1, { name: 'mine' }), NOT_ADMINISTRATOR)
    expectRefusal(t, await update(person, 999, { name: 'mine' }), NOT_ADMINISTRATOR)
    expectRefusal(t, await order(person, [1, 2, 3, 4]), NOT_ADMINISTRATOR)
  }
})

t.test('[FOLDER5] an update of several fields sends one event', async (t) => {
  const received = await expectConsistent(server, async () => {
    t.same((await update('administrator', 2, { name: 'PLAY', description: 'For **fun**' })).body, {
      result: 'success',
      msg: '',
    })
    t.equal((await update('owner', 2, { description: '' })).status, 200)
  })
  for (const events of Object.values(received)) {
    t.same(
      events.map((event) => ({ ...event, id: 0 })),
      [
        {
          id: 0,
          type: 'channel_folder',
          op: 'update',
          channel_folder_id: 2,
          data: {
            name: 'PLAY',
            description: 'For **fun**',
            rendered_description: '<p>For <strong>fun</strong></p>',
          },
        },
        {
          id: 0,
          type: 'channel_folder',
          op: 'update',
          channel_folder_id: 2,
          data: { description: '', rendered_description: '' },
        },
      ],
    )
  }
})

t.test('[FOLDER6] an update to the same values sends no event', async (t) => {
  const events = await expectConsistent(server, async () => {
    t.equal((await update('owner', 1, {})).status, 200)
    const same = { name: 'Work', description: 'For *work*', is_archived: false }
    t.equal((await update('owner', 1, same)).status, 200)
    t.equal((await order('owner', [1, 2, 3, 4])).status, 200)
  })
  t.same(events, { owner: [], member: [], member2: [], guest: [] })
  for (const id of [0, 999]) {
    expectRefusal(t, await update('owner', id, {}), 'Invalid channel folder ID')
  }
})

t.test('[FOLDER7] only a folder without channels can be archived; archived channels count', async (t) => {
  const message = 'You need to remove all the channels from this folder to archive it.'
  await owner.subscribe(['filed'])
  await owner.must('PATCH', '/streams/1', { folder_id: 1 })
  expectRefusal(t, await update('owner', 1, { is_archived: true }), message)
  await owner.must('DELETE', '/streams/1')
  expectRefusal(t, await update('owner', 1, { is_archived: true }), message)
  await owner.must('PATCH', '/streams/1', { folder_id: null })
  const events = await expectConsistent(server, () => update('owner', 1, { is_archived: true }))
  t.match(events.guest, [{ op: 'update', channel_folder_id: 1, data: { is_archived: true } }])
  t.notOk((await list('member')).some(({ id }: { id: number }) => id === 1))
  // The other folders keep their order.
  t.match(await list('member'), [{ id: 2, order: 1 }, {}, {}])
  t.match(await list('member', { include_archived: true }), [
    { id: 1, is_archived: true, order: 0 },
    {},
    {},
    {},
  ])
  expectRefusal(t, await create('owner', 'work'), 'Channel folder name already in use')
  t.equal((await update('owner', 1, { is_archived: false })).status, 200)
  t.match((await list('member'))[0], { id: 1, is_archived: false })
})

t.test('[FOLDER8] a new order names every folder once', async (t) => {
  const received = await expectConsistent(server, async () => {
    t.same((await order('administrator', [4, 2, 3, 1])).body, { result: 'success', msg: '' })
  })
  for (const events of Object.values(received)) {
    t.match(events, [{ type: 'channel_folder', op: 'reorder', order: [4, 2, 3, 1] }])
  }
  t.same(
    (await list('guest')).map(({ id }: { id: number }) => id),
    [4, 2, 3, 1],
  )
  for (const wrong of [[], [1, 2, 3], [1, 2, 3, 3], [1, 2, 3, 5], [1, 2, 3, 4, 4]]) {
    expectRefusal(t, await order('owner', wrong), 'Invalid order mapping.')
  }
  expectRefusal(t, await order('owner', 1), 'order is not a list')
  expectRefusal(t, await order('owner', Array(10_001).fill(1)), 'order is too long (limit: 10000 items)')
})

t.test('[FOLDER9] there are at most 1,000 folders', async (t) => {
  const { committer, state } = server.node.services
  const add = (count: number) =>
    committer.submit({
      kind: 'structure',
      decide: () => ({
        events: Array.from({ length: count }, (_, index) => ({
          event: {
            type: 'channel_folder/add',
            folder: {
              id: (state.folders.length + index + 1) as FolderId,
              name: `folder ${index}`,
              description: '',
              renderedDescription: '',
              createdAt: 1_700_000_000,
              creatorId: null,
              isArchived: false,
            },
          },
          audience: { kind: 'nobody' },
        })),
        reply: () => undefined,
      }),
    })
  await add(999 - state.folders.filter(({ isArchived }) => !isArchived).length)
  t.equal((await create('owner', 'the last')).status, 200)
  expectRefusal(t, await create('owner', 'one more'), 'Too many channel folders (maximum 1000).')
})

t.test('[FOLDER10] a description that takes too long to render changes nothing', async (t) => {
  const server = await startTestServer(t, { env: { RENDER_MS_MAX: '1' } })
  const owner = server.as('owner')
  const description = '![['.repeat(341) // In milliseconds.
  const fields = { name: 'slow', description }
  expectRefusal(t, await owner.post('/channel_folders/create', fields), 'Unable to render message')
  await owner.must('POST', '/channel_folders/create', { name: 'quick' })
  expectRefusal(t, await owner.patch('/channel_folders/1', fields), 'Unable to render message')
  t.match((await owner.must('GET', '/channel_folders')).channel_folders, [{ name: 'quick', description: '' }])
})
