import t from 'tap'
import type { Fields } from '../../harness/client/client.ts'
import { expectRefusal } from '../../harness/client/expect-refusal.ts'
import { type Person, startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
await owner.subscribe(['town'], { principals: [1, 4] })
await owner.subscribe(['secret'], { invite_only: true })
const one = await owner.send('town', 'plans & more', 'one *<two>*')
const unnamed = await owner.send('town', '', 'three')
const hidden = await owner.send('secret', 'plans', 'one hidden')
const direct = await owner.sendDirect([4], 'one direct')
const all = [one, unnamed, hidden, direct]

const ask = (person: Person, msg_ids: unknown, narrow: unknown, more: Fields = {}) =>
  server.as(person).get('/messages/matches_narrow', { msg_ids, narrow, ...more })

t.test('[MATCH1] matching messages are returned with content and topic as HTML', async (t) => {
  const { status, body } = await ask('owner', all, [['channel', 'town']])
  t.equal(status, 200)
  t.same(body, {
    result: 'success',
    msg: '',
    messages: {
      [one]: { match_content: '<p>one <em>&lt;two&gt;</em></p>', match_subject: 'plans &amp; more' },
      [unnamed]: { match_content: '<p>three</p>', match_subject: 'general chat' },
    },
  })
  const named = await ask('owner', [unnamed], [], { allow_empty_topic_name: true })
  t.same(named.body.messages, { [unnamed]: { match_content: '<p>three</p>', match_subject: '' } })
})

t.test('[MATCH2] search terms are highlighted', async (t) => {
  const { body } = await ask('owner', all, [
    ['search', 'two plans'],
    ['is', 'resolved'],
  ])
  t.same(body.messages, {})
  const found = await ask('owner', all, [['search', 'two plans']])
  t.same(found.body.messages, {
    [one]: {
      match_content: '<p>one <em>&lt;<span class="highlight">two</span>&gt;</em></p>',
      match_subject: '<span class="highlight">plans</span> &amp; more',
    },
  })
})

t.test('[MATCH3] unreadable messages do not match', async (t) => {
  const matches = async (person: Person, narrow: unknown) =>
    Object.keys((await ask(person, [...all, 999_999, -1, one], narrow)).body.messages).map(Number)
  t.same(await matches('owner', []), all)
  t.same(await matches('member', []), [one, unnamed, direct])
  t.same(await matches('member2', []), [])
  t.same(await matches('member2', [['channel', 'town']]), [one, unnamed])
  t.same(await matches('guest', [['search', 'one']]), [])
  t.same((await ask('owner', [], [])).body.messages, {})
})

t.test('[MATCH4] both parameters are required and bounded', async (t) => {
  const missing = (name: string) =>
    [`Missing '${name}' argument`, { code: 'REQUEST_VARIABLE_MISSING', var_name: name }] as const
  expectRefusal(t, await ask('owner', undefined, []), ...missing('msg_ids'))
  expectRefusal(t, await ask('owner', [one], undefined), ...missing('narrow'))
  expectRefusal(t, await ask('owner', ['x'], []), 'msg_ids[0] is not an integer')
  const reason = 'unknown channel nowhere'
  expectRefusal(
    t,
    await ask('owner', [one], [['channel', 'nowhere']]),
    `Invalid narrow operator: ${reason}`,
    {
      code: 'BAD_NARROW',
      desc: reason,
    },
  )
})

t.test('[MATCH5] more text than fits one reply is refused', async (t) => {
  const server = await startTestServer(t)
  const owner = server.as('owner')
  await owner.subscribe(['huge'])
  const ids = await Promise.all(Array.from({ length: 100 }, () => owner.send('huge', 'topic', 'small')))
  await server.node.services.sql`update messages set rendered = repeat('x', 200000)`
  const answer = await owner.get('/messages/matches_narrow', { msg_ids: ids, narrow: [] })
  expectRefusal(t, answer, 'Too many messages requested (maximum 99).')
})
