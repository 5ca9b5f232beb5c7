/** Owners and operators see refused log-ins, codes, permissions and keys. */

import { Writable } from 'node:stream'
import { pino } from 'pino'
import t from 'tap'
import { createLogger } from '../../../server/logger.ts'
import { startNode } from '../../../server/node/node.ts'
import { openStream, refusedUpgrade } from '../../events/open-stream.ts'
import { Browser } from '../../harness/browser/browser.ts'
import { Client, type Queue } from '../../harness/client/client.ts'
import { FactorAccounts, PROOF, wrongCode } from '../../harness/sign-on/factor-accounts.ts'
import { ManualClock } from '../../harness/servers/manual-clock.ts'
import { sendRequest } from '../../harness/client/send-request.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'
import type { Named } from '../../harness/client/wire-types.ts'

const DAY_MS = 86_400_000
const clock = new ManualClock()
const lines: Named[] = []
const sink = new Writable({
  write(line: Buffer, _, written) {
    lines.push(JSON.parse(line.toString()))
    written()
  },
})
const server = await startTestServer(t, { clock, logger: pino({ level: 'warn' }, sink) })
const { services, url } = server.node
const owner = server.as('owner')
const member = server.as('member')
const people = new FactorAccounts(server, clock)

/** The entries of the audit log that an action adds within a minute or longer, oldest first. */
async function refusalsOf(act: () => Promise<unknown>, minutes = 1) {
  for (let minute = 0; minute < minutes; minute++) await passMinute()
  const read = async () =>
    (await owner.must('GET', '/realm/audit_log', { kinds: ['access_refused'], limit: 200 })).entries
  const before = new Set((await read()).map(({ id }: { id: number }) => id))
  lines.length = 0
  await act()
  for (let minute = 0; minute < minutes; minute++) await passMinute()
  const entries = await read()
  return entries.filter(({ id }: { id: number }) => !before.has(id)).toReversed()
}
async function passMinute(): Promise<void> {
  clock.advance(60_000)
  await services.committer.drain()
}
const network = '127.0.0.1'

t.test('[REFUSED1] each way to log in notes a refusal, with the account and the address', async (t) => {
  const account = await people.addAccount()
  const { email, client } = account
  const { userId } = client
  const fail = (username: string) => ({ username, password: 'not this one' })
  const ways: [operation: string | null, act: (username: string) => Promise<unknown>][] = [
    ['POST /fetch_api_key', (username) => server.anyone.post('/fetch_api_key', fail(username))],
    ['POST /login', (username) => new Browser(url).send('POST', '/json/login', { fields: fail(username) })],
    [null, (username) => new Browser(url).send('POST', '/accounts/login', { fields: fail(username) })],
  ]
  for (const [operation, act] of ways) {
    const entries = await refusalsOf(async () => {
      await act(email)
      await act(email.toUpperCase())
      await act('my secret password')
    })
    const common = { refusal: 'log_in', network, operation }
    t.same(
      entries.map(({ details, actor }) => ({ ...details, actor })),
      [
        { ...common, user_id: userId, count: 2, actor: 'server' },
        { ...common, user_id: null, count: 1, actor: 'server' },
      ],
    )
    t.match(lines, [
      { msg: 'access refused', level: 40, refusal: 'log_in', userId, network },
      { msg: 'access refused', refusal: 'log_in', userId: null, network },
    ])
    t.equal(lines.length, 2, 'one line for each kind')
    t.notMatch(JSON.stringify([lines, entries]), /my secret password|not this one/)
  }
  const codes = await refusalsOf(async () => {
    await people.fetchKey(email, { otp_token: wrongCode(account.code()) })
    await people.secondStep(await people.firstStep(email), wrongCode(account.sameCode()))
    await client.delete('/users/me/two_factor/totp', { password: 'no' })
    await client.delete('/users/me/two_factor/totp', { ...PROOF, otp_token: wrongCode(account.sameCode()) })
  })
  t.same(
    codes.map(({ details }) => [details.refusal, details.user_id, details.operation]),
    [
      ['code', userId, 'POST /fetch_api_key'],
      ['code', userId, null],
      ['log_in', userId, 'DELETE /users/me/two_factor/totp'],
      ['code', userId, 'DELETE /users/me/two_factor/totp'],
    ],
  )
})

t.test(
  '[REFUSED2] a missing permission is noted with its user, and success or a mistake is not',
  async (t) => {
    const entries = await refusalsOf(async () => {
      await member.patch('/realm', { name: 'Mine' })
      await member.patch('/realm', { name: 'Mine' })
      await member.get('/realm/audit_log')
      await member.get('/messages/1')
      await member.patch('/realm', { name: 'x'.repeat(1_000) })
      await member.must('GET', '/users/me')
    })
    const common = { refusal: 'permission', user_id: member.userId, network }
    t.same(
      entries.map(({ acting_user_id, details }) => ({ acting_user_id, ...details })),
      [
        { ...common, acting_user_id: member.userId, operation: 'PATCH /realm', count: 2 },
        { ...common, acting_user_id: member.userId, operation: 'GET /realm/audit_log', count: 1 },
      ],
    )
  },
)

t.test(
  '[REFUSED5] invalid API keys and tickets are noted wherever they are sent, once an hour',
  async (t) => {
    const wrong = new Client(url, member.userId, member.email, 'x'.repeat(32))
    const query = 'queue_id=any'
    const send = async () => {
      await wrong.get('/users/me')
      await wrong.get('/users/me')
      await wrong.upload('/user_uploads', [Buffer.from('x')])
      const headers = { authorization: wrong.authorization, 'tus-resumable': '1.0.0', 'upload-length': '1' }
      await sendRequest(`${url}/api/v1/tus`, { method: 'POST', headers })
      await sendRequest(`${url}/user_uploads/1/a/b/c.png`, {
        method: 'GET',
        headers: { authorization: wrong.authorization },
      })
      await refusedUpgrade(url, query, wrong.authorization)
      await refusedUpgrade(url, `${query}&ticket=nonsense`, '')
      await openStream(member, { queueId: 'any' } as Queue, undefined, 'x'.repeat(43)).then(
        ({ closed }) => closed,
      )
      await new Client(url, 0, 'nobody@example.com', 'x'.repeat(32)).get('/users/me')
      await server.anyone.get('/users/me')
      await new Browser(url, [['sessionid', 'ended']]).send('GET', '/json/users/me')
    }
    t.same(await refusalsOf(send), [], 'not at once')
    const entries = await refusalsOf(send, 60)
    const common = { refusal: 'key', network }
    const theirs = { ...common, user_id: member.userId }
    const expected = [
      { ...theirs, operation: 'GET /users/me', count: 2 },
      { ...theirs, operation: 'POST /user_uploads', count: 1 },
      { ...theirs, operation: 'POST /tus', count: 1 },
      { ...theirs, operation: 'GET /user_uploads', count: 1 },
      { ...theirs, operation: 'GET /events/stream', count: 1 },
      { ...common, user_id: null, operation: 'GET /events/stream', count: 2 },
      { ...common, user_id: null, operation: 'GET /users/me', count: 1 },
    ]
    const textOf = ({ operation, user_id }: { operation?: unknown; user_id?: unknown }) =>
      `${String(operation)} ${String(user_id)}`
    const byText = (one: object, other: object) => (textOf(one) < textOf(other) ? -1 : 1)
    t.match(entries.map(({ details }) => details).toSorted(byText), expected.toSorted(byText))
    t.equal(entries.length, expected.length)
  },
)

t.test('[REFUSED3] a flood gets few entries and lines, and accounts come first', async (t) => {
  const note = (userId: number | null, number: number) =>
    services.refusals.note({
      refusal: 'log_in',
      userId: userId as never,
      network: `10.0.${number >> 8}.${number & 255}`,
      operation: 'POST /login',
    })
  const entries = await refusalsOf(async () => {
    for (let number = 0; number < 5_000; number++) note(null, number)
  })
  t.equal(entries.length, 21)
  t.match(entries.at(-1).details, { user_id: null, network: null, operation: null, count: 4_980 })
  t.equal(lines.length, 1_000)
  const mixed = await refusalsOf(async () => {
    for (let number = 0; number < 100; number++) for (const _ of [1, 2]) note(null, number)
    note(3, 200)
  })
  t.match(mixed[0].details, { user_id: 3, count: 1 })
  // The bound is of one day: the following minutes must not pass midnight, at whatever time the test runs.
  clock.leap(DAY_MS - (clock.nowMs() % DAY_MS))
  for (let minute = 0; minute < 105; minute++) {
    for (let number = 0; number < 30; number++) note(null, number)
    await passMinute()
  }
  const [last] = await refusalsOf(async () => note(3, 1))
  t.match(last.details, { user_id: null, network: null, count: 1 }, 'a day has a bound, too')
})

t.test('[REFUSED4] a stopping process records what it has noted', async (t) => {
  const node = await startNode({ config: server.config, logger: createLogger('error'), clock })
  node.services.refusals.note({ refusal: 'code', userId: null, network: '10.1.1.1', operation: null })
  await node.close()
  const { entries } = await owner.must('GET', '/realm/audit_log', { kinds: ['access_refused'], limit: 1 })
  t.match(entries, [{ details: { refusal: 'code', network: '10.1.1.1', count: 1 } }])
})
