/** Changes of one object: each has its turn, and none fails while there is time. */

import t from 'tap'
import { ObjectTurns } from '../../server/actors/object-turns.ts'
import { OverloadError } from '../../server/actors/overload-error.ts'
import { ACCOUNTS, type Person, startTestServer } from '../harness/servers/start-server.ts'

const WRITERS = 12
const ROUNDS = 6

class StaleError extends Error {}

await t.test(
  '[OBJECT1] changes of one object run one after another, those of different objects in parallel',
  async (t) => {
    const turns = new ObjectTurns()
    const done: string[] = []
    const first = Promise.withResolvers<void>()
    const change = (object: string, what: string, until?: Promise<void>) =>
      turns.change(object, StaleError, async () => {
        await until
        done.push(what)
        return what
      })
    const changes = [
      change('a', 'a1', first.promise),
      change('a', 'a2'),
      change('a', 'a3'),
      change('b', 'b1'),
    ]
    t.equal(await changes[3], 'b1')
    t.same(done, ['b1'])
    first.resolve()
    t.same(await Promise.all(changes), ['a1', 'a2', 'a3', 'b1'])
    t.same(done, ['b1', 'a1', 'a2', 'a3'])
  },
)

await t.test(
  '[OBJECT4] the number of waiting changes is bounded, and ended ones free their places',
  async (t) => {
    const turns = new ObjectTurns()
    const WAITING_MAX = 10_000
    for (let round = 0; round < 2; round++) {
      const go = Promise.withResolvers<void>()
      const changes = Array.from({ length: WAITING_MAX }, (_, index) =>
        turns.change(`${index}`, StaleError, () => go.promise),
      )
      await t.rejects(
        turns.change('another', StaleError, async () => {}),
        OverloadError,
      )
      go.resolve()
      await Promise.all(changes)
    }
  },
)

await t.test('[OBJECT2] a stale change is retried until it commits or its time is over', async (t) => {
  let tries = 0
  const result = await new ObjectTurns().change('a', StaleError, async () => {
    if (++tries < 30) throw new StaleError()
    return tries
  })
  t.equal(result, 30)
  const late = new ObjectTurns(0).change('a', StaleError, () => Promise.reject(new StaleError()))
  await t.rejects(late, OverloadError)
  await t.rejects(
    new ObjectTurns().change('a', StaleError, () => Promise.reject(new RangeError('else'))),
    RangeError,
  )
})

await t.test('[OBJECT3] concurrent changes of one object over two processes are all committed', async (t) => {
  const server = await startTestServer(t, { redis: true })
  const there = await server.startAnotherNode()
  const clients = (person: Person) => [server.as(person), there.as(person)] as const
  const owners = clients('owner')
  const [owner] = owners
  await owner.subscribe(['town'], { principals: [...ACCOUNTS.values()].map(({ id }) => id) })
  const id = await owner.send('town', 'tea', 'x')
  const { saved_snippet_id: snippet } = await owner.must('POST', '/saved_snippets', {
    title: 'a',
    content: 'b',
  })
  const later = {
    type: 'channel',
    to: 1,
    topic: 'tea',
    content: 'x',
    scheduled_delivery_timestamp: 4_000_000_000,
  }
  const { scheduled_message_id: scheduled } = await owner.must('POST', '/scheduled_messages', later)
  const things = [
    (content: string) => [`/messages/${id}`, { content }] as const,
    (content: string) => [`/saved_snippets/${snippet}`, { content }] as const,
    (content: string) => [`/scheduled_messages/${scheduled}`, { content }] as const,
    (topic: string) => [`/messages/${id}`, { topic, propagate_mode: 'change_all' }] as const,
  ]
  const statuses = await Promise.all(
    things.flatMap((thing, kind) =>
      Array.from({ length: WRITERS }, async (_, writer) => {
        const answers: number[] = []
        for (let round = 0; round < ROUNDS; round++) {
          const [path, fields] = thing(`${kind} ${writer} ${round}`)
          const client = owners[writer % 2] as (typeof owners)[0]
          answers.push((await client.patch(path, fields)).status)
        }
        return answers
      }),
    ),
  )
  t.same(new Set(statuses.flat()), new Set([200]))
  const edits = await server.node.services.sql`select from message_edits where message_id = ${id}`
  t.equal(edits.length, 2 * WRITERS * ROUNDS, 'each edit and each move is in the history')
})
