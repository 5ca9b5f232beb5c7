/** The page of a visitor: the narrows that it may show, and how it follows the server without events. */

import t from 'tap'
import { isPublic, toPublic } from '../../../client/store/derived/public-narrow.ts'
import { isVisitor } from '../../../client/store/derived/visitor.ts'
import { visitorUpdates } from '../../../client/store/visitor-updates.ts'
import { ofTopic, term } from '../../../client/store/narrows/narrow.ts'
import { suggestSearch } from '../../../client/store/search/suggest-search.ts'
import { ParleyClient } from '../../../packages/client/src/index.ts'
import type { InitialState } from '../../../packages/client/src/wire-types.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const owner = server.as('owner')
await owner.must('PATCH', '/realm', { enable_spectator_access: true })
await owner.subscribe(['commons'], { is_web_public: true })
await owner.subscribe(['town'])
const client = new ParleyClient({ url: server.node.url })
const state: InitialState = await client.call('POST /register')

t.test(
  '[STORE71] a visitor may show narrows of public channels, by what is public about messages',
  async (t) => {
    t.equal(isVisitor(state), true)
    t.equal(isPublic(state, ofTopic(1, 'talk')), true)
    t.equal(isPublic(state, [term('channel', 'commons')]), true)
    t.equal(isPublic(state, [term('search', 'words'), term('has', 'link')]), true)
    for (const narrow of [
      ofTopic(2, 'talk'),
      [term('channel', 'town')],
      [term('is', 'starred')],
      [term('dm', [1])],
      [term('channel', 1), term('in', 'home')],
    ])
      t.equal(isPublic(state, narrow), false, JSON.stringify(narrow))
  },
)

t.test('[STORE72] a narrow without a channel asks for all public ones', async (t) => {
  const search = term('search', 'words')
  t.same(toPublic([search]), [search, term('channels', 'web-public')])
  t.same(toPublic(ofTopic(1, 'talk')), ofTopic(1, 'talk'))
  const except = { ...term('channel', 1), isNegated: true }
  t.same(toPublic([except]), [except, term('channels', 'web-public')])
})

t.test('[STORE73] a visitor is offered only operators that the server answers', async (t) => {
  const sources = { recent: [], topics: [], today: '2026-03-31' }
  const offered = suggestSearch(state, '', sources).map(({ key }) => key)
  t.same(offered, ['channel:', 'topic:', 'in:', 'has:', 'date:'])
})

t.test(
  '[STORE74] a visit reads the state again after each wait, and nothing while nobody looks',
  async (t) => {
    const stop = new AbortController()
    let waits = 0
    let hiddenWaits = 2
    const phases: string[] = []
    const updates = visitorUpdates(
      client,
      {
        signal: stop.signal,
        onPhase: (phase) => phases.push(phase),
        wait: async () => void waits++,
      },
      () => hiddenWaits-- > 0,
    )
    const first = await updates.next()
    t.match(first.value, { kind: 'registered', state: { queue_id: null } })
    t.equal(waits, 0)
    t.match((await updates.next()).value, { kind: 'registered' })
    t.equal(waits, 3, 'two of them while the page was hidden')
    t.same(phases, ['connecting', 'connected', 'connected'])
    await owner.must('PATCH', '/realm', { enable_spectator_access: false })
    await t.rejects(updates.next(), { name: 'ApiError', status: 401 })
    await owner.must('PATCH', '/realm', { enable_spectator_access: true })
  },
)

t.test('[STORE75] a visit goes on when the server answers again', async (t) => {
  const stop = new AbortController()
  let isCut = true
  const cut = new ParleyClient({
    url: server.node.url,
    fetch: async (input, init) => {
      if (isCut) throw new TypeError('the network is cut')
      return fetch(input, init)
    },
  })
  const phases: string[] = []
  const wait = async () => {
    isCut = false
  }
  const options = { signal: stop.signal, onPhase: (phase: string) => void phases.push(phase), wait }
  const updates = visitorUpdates(cut, options, () => false)
  t.match((await updates.next()).value, { kind: 'registered' })
  t.same(phases, ['connecting', 'waiting', 'connected'])
  stop.abort()
  t.equal((await updates.next()).done, true)
})
