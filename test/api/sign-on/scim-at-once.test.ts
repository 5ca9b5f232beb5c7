/** Requests of a provider at the same time, at one node and at two. */

import t from 'tap'
import { pollUntil } from '../../services/poll-until.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import { ScimClient, startScim } from '../../harness/sign-on/scim-client.ts'

const server = await startTestServer(t, { redis: true })
const scim = await startScim(server)
const { node } = await server.startAnotherNode()
const other = new ScimClient(`${node.url}/scim/v2`, scim.token)

/** Sends requests together; answers their statuses in order of size. */
const statusesOf = async (answers: readonly ReturnType<ScimClient['send']>[]) =>
  (await Promise.all(answers)).map(({ status }) => status).sort((a, b) => a - b)
const hears = (client: ScimClient, path: string) =>
  pollUntil('the node does not hear of it', async () => (await client.send('GET', path)).status === 200)
const totalOf = async (filter: string) => (await scim.list('/Users', filter)).body.totalResults ?? 0

for (const [place, second] of [
  ['one', scim],
  ['two', other],
] as const) {
  await t.test(
    `[SCIM28] of two people with one user name at a time, only one gets an account: ${place}`,
    async (t) => {
      const post = (client: ScimClient, value: string) =>
        client.send('POST', '/Users', { userName: `pia ${place}`, emails: [{ value }] })
      const emails = ['a', 'b'].map((name) => `${place}.${name}@example.com`) as [string, string]
      t.same(await statusesOf([post(scim, emails[0]), post(second, emails[1])]), [201, 409])
      const [row] = await server.node.services.sql`
      select count(*)::int as count from users where email like ${`${place}.%`}`
      t.same(row, { count: 1 })
      await pollUntil(
        'the node does not hear of the account',
        async () => (await totalOf(`userName eq "pia ${place}"`)) === 1,
      )
    },
  )

  await t.test(
    `[SCIM29] a version is changed once, and changes at a time keep each other: ${place}`,
    async (t) => {
      const ray = { userName: `ray.${place}@example.com` }
      const { body } = await scim.send('POST', '/Users', ray)
      const crew = await scim.send('POST', '/Groups', { displayName: `Crew ${place}` })
      const [path, groupPath] = [`/Users/${body.id}`, `/Groups/${crew.body.id}`]
      for (const one of [path, groupPath]) await hears(second, one)
      const put = (client: ScimClient, displayName: string) =>
        client.send('PUT', path, { ...ray, displayName }, { 'if-match': body.meta.version })
      t.same(await statusesOf([put(scim, 'Ray A'), put(second, 'Ray B')]), [200, 412])
      const remove = (client: ScimClient) =>
        client.send('DELETE', groupPath, undefined, { 'if-match': crew.body.meta.version })
      const rename = (client: ScimClient) =>
        client.send(
          'PUT',
          groupPath,
          { displayName: `Crew of ${place}` },
          { 'if-match': crew.body.meta.version },
        )
      const [removed, renamed] = await Promise.all([remove(scim), rename(second)])
      t.match(
        [removed.status, renamed.status],
        removed.status === 204 ? [204, 404] : [412, 200],
        'a group that was removed is not renamed, and the other way round',
      )
      const add = (client: ScimClient, at: string, value: unknown) =>
        client.patch(path, { op: 'add', path: at, value })
      const changes = [
        add(scim, 'externalId', 'ray'),
        add(second, 'name.givenName', 'Ray'),
        add(scim, 'name.familyName', 'C.'),
        add(second, 'roles', ['guest']),
      ]
      t.same(await statusesOf(changes), [200, 200, 200, 200])
      const whole = {
        externalId: 'ray',
        name: { givenName: 'Ray', familyName: 'C.' },
        roles: [{ value: 'guest' }],
      }
      await pollUntil('a change is lost', async () => {
        const { roles } = (await scim.send('GET', path)).body
        return roles !== undefined
      })
      t.match((await scim.send('GET', path)).body, whole)
    },
  )
}
