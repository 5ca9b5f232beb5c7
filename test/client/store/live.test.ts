/** The live state of the client against a real server, in a session of a browser. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { Live, type LiveOptions } from '../../../client/store/live.ts'
import { ParleyClient } from '../../../packages/client/src/index.ts'
import { storePasswordHash } from '../../../db/accounts/users.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { Browser } from '../../harness/browser/browser.ts'
import type { TestContext } from '../../harness/databases/create-database.ts'
import { emailOf, startTestServer } from '../../harness/servers/start-server.ts'

const PASSWORD = 'correct horse battery'
const server = await startTestServer(t)
const { url } = server.node
const { sql, passwords } = server.node.services
const owner = server.as('owner')
await storePasswordHash(sql, 4 as UserId, await passwords.hash(PASSWORD))

/** A network that can be cut, with the cookies of a browser. */
class Network {
  isCut = false
  readonly browser = new Browser(url)
  readonly client = new ParleyClient({
    url,
    csrfToken: () => this.browser.csrfToken,
    fetch: async (input, init) => {
      if (this.isCut) throw new TypeError('the network is cut')
      const headers = new Headers(init?.headers)
      headers.set('Cookie', this.browser.cookieHeader)
      return fetch(input, { ...init, headers })
    },
  })
}

async function openBrowser(): Promise<Network> {
  const network = new Network()
  const { status } = await network.browser.logIn(emailOf('member'), PASSWORD)
  if (status !== 200) throw new Error(`the log-in answered ${status}`)
  return network
}

/** Runs until the test ends. */
function run(t: TestContext, network: Network, options: Partial<LiveOptions> = {}) {
  const live = new Live({
    updates: (given) => network.client.updates({ ...given, retryMs: 10 }),
    nowMs: () => Date.now(),
    ...options,
  })
  const stop = new AbortController()
  const ended = live.run(stop.signal)
  t.teardown(async () => {
    stop.abort()
    await ended
  })
  return { live, ended }
}

/** Resolves when a signal's value fits. */
function until<Value>(
  source: { subscribe(listener: (value: Value) => void): () => void },
  fits: (value: Value) => boolean,
): Promise<void> {
  return new Promise((resolve) => {
    const end = source.subscribe((value) => {
      if (fits(value)) queueMicrotask(() => (end(), resolve()))
    })
  })
}

for (const transport of ['websocket', 'sse', 'poll'] as const) {
  t.test(`[STORE14${transport[0] as string}] a session follows the server by ${transport}`, async (t) => {
    const network = await openBrowser()
    const { live } = run(t, network, { transports: [transport] })
    t.match(live.status.value, { phase: 'connecting' })
    await until(live.status, ({ phase }) => phase === 'connected')
    t.equal(live.state.value?.user_id, 4)
    await owner.sendDirect([4], 'hello')
    await until(live.state, (state) => (state?.unread_msgs?.pms.length ?? 0) > 0)
    await network.client.call('POST /messages/flags', {
      messages: live.state.value?.unread_msgs?.pms[0]?.unread_message_ids ?? [],
      op: 'add',
      flag: 'read',
    })
    await until(live.state, (state) => state?.unread_msgs?.count === 0)
  })
}

t.test(
  '[STORE15] after a lost connection the state goes on, and after a lost queue it begins anew',
  async (t) => {
    const network = await openBrowser()
    const { live } = run(t, network, { transports: ['poll'] })
    let registrations = 0
    live.listen(({ kind }) => {
      if (kind === 'registered') registrations++
    })
    await until(live.status, ({ phase }) => phase === 'connected')
    network.isCut = true
    await owner.sendDirect([4], 'ends the poll')
    await until(live.status, ({ phase }) => phase === 'offline')
    const queueId = live.state.value?.queue_id as string
    await owner.sendDirect([4], 'sent meanwhile')
    network.isCut = false
    live.retryNow()
    await until(live.state, (state) => state?.unread_msgs?.count === 2)
    await until(live.status, ({ phase }) => phase === 'connected')
    t.equal(registrations, 1)
    await network.client.call('DELETE /events', { queue_id: queueId })
    await until(live.state, (state) => state?.queue_id !== queueId)
    t.equal(registrations, 2)
    t.equal(live.state.value?.unread_msgs?.count, 2)
  },
)

t.test('[STORE16] an event that does not fit the state makes the client register again', async (t) => {
  const network = await openBrowser()
  let isFirst = true
  const { live } = run(t, network, {
    async *updates(options) {
      for await (const update of network.client.updates(options)) {
        yield update
        if (update.kind !== 'registered' || !isFirst) continue
        isFirst = false
        yield {
          kind: 'event',
          event: { id: 1, type: 'realm_user', op: 'update', person: { user_id: 99, full_name: 'Nobody' } },
        }
      }
    },
  })
  const seen: (string | null)[] = []
  live.listen((update, state) => {
    if (update.kind === 'registered') seen.push(state.queue_id)
  })
  await until(live.status, ({ phase }) => phase === 'connected')
  t.equal(new Set(seen).size, 2)
})

t.test('[STORE17] without a session the server refuses, and the client stops', async (t) => {
  const network = new Network()
  const { live, ended } = run(t, network)
  await ended
  t.match(live.status.value, { phase: 'refused', error: { status: 401 } })
})

t.test(
  '[STORE70] a client whose session is gone takes a state without a queue only if it is for visitors',
  async (t) => {
    await owner.must('PATCH', '/realm', { enable_spectator_access: true })
    const network = new Network()
    const { live, ended } = run(t, network)
    await ended
    t.match(live.status.value, { phase: 'refused', error: { status: 401 } })
    t.equal(live.state.value, undefined)
    const visit = run(t, network, { isForVisitor: true })
    await visit.ended
    t.match(visit.live.state.value, { queue_id: null, user_id: 0 })
    await owner.must('PATCH', '/realm', { enable_spectator_access: false })
  },
)

t.test('[STORE102] a connection counts as lost from its end on, not from the last attempt', async (t) => {
  let nowMs = 100
  const live = new Live({
    nowMs: () => nowMs++,
    async *updates({ onPhase }) {
      onPhase?.('connected')
      for (const phase of ['connecting', 'waiting', 'connecting', 'waiting'] as const) onPhase?.(phase)
      yield* [] // It only connects.
    },
  })
  const seen: unknown[] = []
  live.status.subscribe((status) => void seen.push(status))
  await live.run(new AbortController().signal)
  t.same(seen, [
    { phase: 'connecting', sinceMs: 100 },
    { phase: 'connected' },
    { phase: 'connecting', sinceMs: 101 },
    { phase: 'offline', sinceMs: 101 },
    { phase: 'offline', sinceMs: 101 },
  ])
})

t.test('[STORE103] after a second event that does not fit, the next registration waits', async (t) => {
  let registrations = 0
  const { live } = run(t, new Network(), {
    async *updates() {
      registrations++
      await nextTurn()
      const person = { user_id: 99, full_name: 'Nobody' }
      yield { kind: 'registered', state: { queue_id: 'queue', realm_users: [] } as never }
      yield { kind: 'event', event: { id: 1, type: 'realm_user', op: 'update', person } }
    },
  })
  for (let turn = 0; turn < 50; turn++) await nextTurn()
  t.equal(registrations, 2)
  live.retryNow()
  for (let turn = 0; turn < 50; turn++) await nextTurn()
  t.equal(registrations, 3, 'news of the connection end the wait')
})
