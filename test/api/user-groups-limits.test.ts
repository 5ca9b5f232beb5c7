import t from 'tap'
import { Client } from '../harness/client.ts'
import { expectRefusal } from '../harness/expect-refusal.ts'
import { startTestServer } from '../harness/start-server.ts'

t.test('[GROUP80] an organization has 10,000 groups at most, those of the system included', async (t) => {
  const server = await startTestServer(t)
  // Written where a server that starts finds them: 10,000 calls would take too long.
  await server.node.services.sql`
    insert into user_groups (id, name, description, permissions)
    select id, 'group ' || id, '', (select permissions from user_groups where id = 1)
    from generate_series(9, 9999) as id`
  const { node } = await server.startAnotherNode()
  const { userId, email, key } = server.as('owner')
  const owner = new Client(node.url, userId, email, key)
  const attempt = (name: string) => owner.post('/user_groups/create', { name, description: '', members: [] })
  const { status, body } = await attempt('the last one')
  t.same([status, body.group_id], [200, 10_000])
  expectRefusal(t, await attempt('one too many'), 'Too many user groups (maximum 10000).')
})
