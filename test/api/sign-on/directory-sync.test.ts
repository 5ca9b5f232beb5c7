/** The sync with a company's directory: a real OpenLDAP server, where it is installed. */

import t from 'tap'
import { startWorker } from '../../../workers/worker.ts'
import { ROLES } from '../../../server/domain/entities.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { createLogger } from '../../../server/logger.ts'
import { runHere } from '../../admin/run-here.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { pollUntil } from '../../services/poll-until.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'
import {
  DIRECTORY_OPTIONS,
  OTHER_SUFFIX,
  startDirectory,
  TEAMS,
} from '../../harness/sign-on/start-directory.ts'

const PASSWORD = 'a password of the directory'

for (const hasMemberOf of [false, true])
  t.test(
    `[DIRECTORY35] groups within groups count, ${hasMemberOf ? 'with' : 'without'} memberOf`,
    DIRECTORY_OPTIONS,
    async (t) => {
      const directory = await startDirectory(t, { hasMemberOf })
      for (const uid of ['deep', 'low', 'round', 'out', 'far'])
        await directory.add(uid, { mail: `${uid}@example.com`, userPassword: PASSWORD })
      // deep → g1 → g2 → … → g10 → top; one more is not followed.
      const top = await directory.addGroup('top', ['nobody'])
      let outer = top
      for (let number = 10; number >= 0; number--) {
        const uids = number === 1 ? ['deep'] : number === 0 ? ['low'] : ['nobody']
        const inner = await directory.addGroup(`g${number}`, uids)
        await directory.nest(inner, outer)
        outer = inner
      }
      // Two groups that are in each other, and one of them in a third.
      const [one, two] = [
        await directory.addGroup('one', ['round']),
        await directory.addGroup('two', ['nobody']),
      ]
      await directory.nest(one, two)
      await directory.nest(two, one)
      const cooks = await directory.addGroup('cooks\\, and waiters', ['nobody'], [two])
      // far → team, elsewhere → cooks.
      await directory.nest(await directory.addGroup('team', ['far'], [], TEAMS), cooks)
      const env = {
        ...directory.env,
        LDAP_ROLES: JSON.stringify({ [top]: 'moderator' }),
        LDAP_USER_GROUPS: JSON.stringify({ [cooks.toUpperCase()]: 'Cooks' }),
        LDAP_ACCOUNTS: 'anyone',
      }
      const server = await startTestServer(t, { env })
      const owner = server.as('owner')
      await owner.must('POST', '/user_groups/create', { name: 'Cooks', description: '', members: [] })
      const logIn = async (username: string) =>
        (await server.anyone.must('POST', '/fetch_api_key', { username, password: PASSWORD })).user_id
      const roleOf = (id: number) => server.node.services.state.getUser(id as UserId).role
      const cooksOf = async () =>
        (await owner.must('GET', '/user_groups')).user_groups.find(({ name }) => name === 'Cooks')?.members
      const [deep, low, round, out, far] = [
        await logIn('deep'),
        await logIn('low'),
        await logIn('round'),
        await logIn('out'),
        await logIn('far'),
      ]
      t.equal(roleOf(deep), ROLES.moderator, 'ten groups in each other are followed')
      t.equal(roleOf(low), ROLES.member, 'and not eleven')
      t.equal(roleOf(out), ROLES.member)
      t.same(await cooksOf(), [round, far], 'a circle ends, and a group in another part counts')
      const sync = () => runHere({ DATABASE_URL: server.databaseUrl, ...env }, ['ldap', 'sync'])
      await directory.nest(`uid=out,${directory.env['LDAP_BASE']}`, two)
      const { code, stderr } = await sync()
      t.same({ code, stderr }, { code: 0, stderr: '' })
      await pollUntil('the node hears of the sync', async () => (await cooksOf())?.length === 3)
      t.same(await cooksOf(), [round, out, far])
      t.equal(roleOf(deep), ROLES.moderator)
    },
  )

t.test(
  '[DIRECTORY36] groups in another tree than the people are searched there',
  DIRECTORY_OPTIONS,
  async (t) => {
    const directory = await startDirectory(t)
    await directory.add('far', { mail: 'far@example.com', userPassword: PASSWORD })
    const inner = await directory.addGroup('inner', ['far'], [], OTHER_SUFFIX)
    const outer = await directory.addGroup('outer', [], [inner], OTHER_SUFFIX)
    const env = {
      ...directory.env,
      LDAP_ROLES: JSON.stringify({ [outer]: 'moderator' }),
      LDAP_ACCOUNTS: 'anyone',
    }
    const server = await startTestServer(t, { env })
    const fields = { username: 'far', password: PASSWORD }
    const { user_id } = await server.anyone.must('POST', '/fetch_api_key', fields)
    t.equal(server.node.services.state.getUser(user_id as UserId).role, ROLES.moderator)
  },
)

t.test('the sync with a directory', DIRECTORY_OPTIONS, async (t) => {
  const directory = await startDirectory(t)
  const clock = new ManualClock()
  const group = await directory.addGroup('moderators', ['nobody'])
  const env = {
    ...directory.env,
    LDAP_ROLES: JSON.stringify({ [group]: 'moderator' }),
    LDAP_SYNC_MINUTES: '60',
  }
  const server = await startTestServer(t, { clock, env })
  const owner = server.as('owner')
  const settings = { DATABASE_URL: server.databaseUrl, ...env }
  const sync = async (...args: string[]) => {
    const { code, stdout, stderr } = await runHere(settings, ['ldap', 'sync', ...args])
    return { code, stderr, result: stdout === '' ? undefined : JSON.parse(stdout) }
  }
  const logIn = async (username: string) =>
    (await server.anyone.must('POST', '/fetch_api_key', { username, password: PASSWORD })).user_id
  const add = (uid: string, values: Record<string, string | string[]> = {}) =>
    directory.add(uid, {
      mail: `${uid}@example.com`,
      displayName: `The ${uid}`,
      userPassword: PASSWORD,
      ...values,
    })
  /** The users by id, as the database has them. */
  const readUsers = async () => {
    const { stdout } = await runHere(settings, ['user', 'list'])
    const users = JSON.parse(stdout) as { user_id: number; email: string; is_active: boolean }[]
    return new Map(users.map((user) => [user.user_id, user]))
  }

  t.test('[DIRECTORY30] accounts get names, addresses and roles, and join their entries', async (t) => {
    for (const uid of ['moved', 'clash', 'renamed']) {
      await add(uid)
      await logIn(uid)
    }
    await add('guest', { displayName: 'Gus T.' })
    await add('absent')
    await directory.change('moved', { mail: ['new@example.com', 'other@example.com'] })
    await directory.change('renamed', { displayName: 'Another Name' })
    await directory.change('clash', { mail: emailOf('administrator') })
    const wanted = {
      people: 5,
      accounts: 4,
      joined: [emailOf('guest')],
      new_names: ['renamed@example.com', emailOf('guest')],
      new_addresses: ['moved@example.com'],
      taken_addresses: ['clash@example.com'],
      deactivated: [],
      kept_active: [],
    }
    for (const isDry of [true, true, false]) {
      const { code, stderr, result } = await sync(...(isDry ? ['--dry-run'] : []))
      t.same({ code, stderr }, { code: 0, stderr: '' })
      t.same(result, { is_dry: isDry, ...wanted }, 'a dry run changes nothing')
    }
    const nothing = { joined: [], new_names: [], new_addresses: [], taken_addresses: ['clash@example.com'] }
    t.match((await sync()).result, nothing)
    const users = new Map([...(await readUsers()).values()].map((user) => [user.email, user]))
    t.match(users.get('new@example.com'), { full_name: 'The moved', role: 'member' })
    t.match(users.get(emailOf('guest')), { user_id: 6, full_name: 'Gus T.' })
    t.match(users.get(emailOf('administrator')), { user_id: 2 }, 'nobody loses an address')
    t.notOk(users.has('absent@example.com'), 'a sync makes no accounts')
  })

  t.test('[DIRECTORY31] people who left are deactivated, but not many at once', async (t) => {
    const left = ['left1', 'left2', 'left3', 'left4']
    for (const uid of left) {
      await add(uid)
      await logIn(uid)
    }
    for (const uid of left) await directory.remove(uid)
    const emails = left.map((uid) => `${uid}@example.com`)
    const refused = { code: 1, result: { deactivated: [], kept_active: emails } }
    t.match(await sync('--dry-run'), refused)
    t.match(await sync(), refused)
    t.match(await sync('--dry-run', '--deactivate-many'), { code: 0, result: { deactivated: emails } })
    const queue = await owner.register({ event_types: ['realm_user'] })
    t.match(await sync('--deactivate-many'), { code: 0, result: { deactivated: emails, kept_active: [] } })
    const events = await owner.events(queue, {})
    t.match(events[0], { type: 'realm_user', op: 'update', person: { is_active: false } })
    t.match((await sync()).result, { deactivated: [], kept_active: [] })
    const answer = await server.anyone.post('/fetch_api_key', { username: 'left1', password: PASSWORD })
    t.equal(answer.status, 401)
    await add('left1')
    t.match((await sync()).result, { accounts: 4 }, 'a sync reactivates nobody: an entry is another one now')
  })

  t.test('[DIRECTORY32] the last owner stays, and so does everybody if the directory is empty', async (t) => {
    await add('owner')
    t.equal(await logIn('owner'), owner.userId)
    await directory.remove('owner')
    t.match(await sync(), { code: 1, result: { deactivated: [], kept_active: [emailOf('owner')] } })
    const nobody = { ...settings, LDAP_FILTER: '(title={login})' }
    const { stdout } = await runHere(nobody, ['ldap', 'sync', '--deactivate-many'])
    t.match(JSON.parse(stdout), { people: 0, deactivated: [] })
    t.equal(JSON.parse(stdout).kept_active.length, 5)
  })

  t.test('[DIRECTORY33] a directory that is away, or none, is a line for the operator', async (t) => {
    const away = await runHere({ ...settings, LDAP_URL: 'ldap://127.0.0.1:1' }, ['ldap', 'sync'])
    t.match(away, {
      code: 1,
      stdout: '',
      stderr: /the directory: it did not answer as it should \(ECONNREFUSED\)/,
    })
    const none = await runHere({ DATABASE_URL: server.databaseUrl }, ['ldap', 'sync'])
    t.match(none, { code: 1, stderr: /LDAP_URL is not set/ })
  })

  t.test('[DIRECTORY34] a worker syncs in each period, with more people than an answer has', async (t) => {
    await directory.addMany(1_200)
    await add('late')
    const id = await logIn('late')
    const queue = await owner.register({ event_types: ['realm_user'] })
    await directory.remove('late')
    const worker = await startWorker({ config: server.config, logger: createLogger('silent'), clock })
    t.teardown(() => worker.close())
    t.match(await owner.events(queue, {}), [{ person: { user_id: id, is_active: false } }])
    t.notOk(server.node.services.state.getUser(id as UserId).isActive)
    t.equal(server.node.services.state.getUser(owner.userId as UserId).role, ROLES.owner)
    await worker.close()
  })
})
