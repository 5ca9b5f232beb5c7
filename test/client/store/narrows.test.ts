/** Narrows and routes in addresses: those of rendered messages are read, and each is read as it was written. */

import t from 'tap'
import {
  keyOf,
  type Narrow,
  ofTopic,
  splitNear,
  term,
  type Term,
} from '../../../client/store/narrows/narrow.ts'
import { readRoute, type Route, writeRoute } from '../../../client/store/narrows/route.ts'
import { makeRandom } from '../../events/make-random.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const names = { channelName: (id: number) => (id === 9 ? undefined : `c. ${id} (ü) -/%`) }
const narrowOf = (fragment: string): Narrow | undefined => {
  const route = readRoute(fragment)
  return route?.view === 'narrow' ? route.narrow : undefined
}

t.test('[STORE10] the links of rendered messages are read as narrows', async (t) => {
  const server = await startTestServer(t)
  const member = server.as('member')
  await member.subscribe(['c. (ü) 100%'])
  const id = await member.send('c. (ü) 100%', 'a/b. (c)?', 'first')
  await member.send('c. (ü) 100%', '', 'nameless')
  const linkIn = async (content: string) => {
    const sent = await member.sendDirect([4], content)
    const { message } = await member.must('GET', `/messages/${sent}`, { allow_empty_topic_name: true })
    const [, href = ''] = /href="([^"]*)"/.exec(message.content) ?? []
    t.match(href, /^\/#narrow\//, message.content)
    return href.slice(1)
  }
  t.same(narrowOf(await linkIn('#**c. (ü) 100%**')), [term('channel', 1)])
  t.same(narrowOf(await linkIn(`#**c. (ü) 100%>a/b. (c)?@${id}**`)), [
    ...ofTopic(1, 'a/b. (c)?'),
    term('near', id),
  ])
  t.same(narrowOf(await linkIn('#**c. (ü) 100%>a/b. (c)?**')), [...ofTopic(1, 'a/b. (c)?'), term('with', id)])
  t.match(narrowOf(await linkIn('#**c. (ü) 100%>**')), [
    ...ofTopic(1, ''),
    { operator: 'with', isNegated: false },
  ])
})

t.test('[STORE11] older spellings are read, and senseless addresses are not', async (t) => {
  t.same(narrowOf('#narrow/stream/5-old/subject/t/near/7'), [...ofTopic(5, 't'), term('near', 7)])
  t.same(narrowOf('#narrow/pm-with/5,4-group'), [term('dm', [4, 5])])
  t.same(narrowOf('narrow/-is/starred'), [{ operator: 'is', operand: 'starred', isNegated: true }])
  t.same(narrowOf('#narrow/channel/general'), [term('channel', 'general')])
  t.same(narrowOf('#narrow'), [], 'all messages')
  t.same(narrowOf('#narrow/channel/1/topic/a%20b'), ofTopic(1, 'a b'))
  for (const wrong of [
    '#narrow/nonsense/1',
    '#narrow/near/x',
    '#narrow/topic/.ZZ',
    '#narrow/dm/x',
    '#nowhere',
  ])
    t.equal(readRoute(wrong), undefined, wrong)
  t.equal(readRoute('#inbox/more'), undefined)
  t.equal(readRoute('#constructor'), undefined)
})

const seed = Number(process.env.PARLEY_TEST_SEED ?? Date.now() % 1_000_000)

t.test('[STORE12] a route is read as it was written', async (t) => {
  t.comment(`PARLEY_TEST_SEED=${seed}`)
  const random = makeRandom(seed)
  const characters = [...Array.from('ab./%-,#?&()!*\'" üñ🎉漢0159'), 'with', 'near']
  const text = () => Array.from({ length: random.below(6) }, () => random.pick(characters)).join('')
  const id = () => random.below(1_000_000)
  const makers: readonly (() => Term)[] = [
    () => term('channel', id()),
    () => term('channel', `name ${text()}`),
    () => term('topic', text()),
    () => term('topic', random.pick(['with', 'near', ''])),
    () => term('dm', [1, 5 + random.below(9)]),
    () => term('dm-including', [id()]),
    () => term('sender', id()),
    () => term('near', id()),
    () => term('with', id()),
    () => term('is', random.pick(['mentioned', 'starred', 'unread'])),
    () => term('has', 'link'),
    () => term('search', text()),
    () => ({ ...term('search', text()), isNegated: true }),
  ]
  const parts = () => Array.from({ length: random.below(3) }, () => `x${text()}`)
  for (let count = 0; count < 2_000; count++) {
    const narrow = Array.from({ length: random.below(5) }, () => random.pick(makers)())
    const routes: Route[] = [
      { view: 'narrow', narrow },
      { view: 'settings', path: parts() },
    ]
    for (const route of routes) {
      const address = writeRoute(route, names)
      t.notMatch(address, /[\s%"'()]/, 'no character of the address needs another encoding')
      t.strictSame(readRoute(address), route, address)
    }
  }
  for (const view of ['inbox', 'recent', 'drafts', 'places'] as const)
    t.same(readRoute(writeRoute({ view }, names)), { view })
  t.equal(writeRoute({ view: 'narrow', narrow: [] }, names), '#feed', 'all messages')
})

t.test('[STORE13] narrows with the same messages have the same key', async (t) => {
  t.equal(keyOf(ofTopic(1, 'Topic')), keyOf([term('topic', 'topic'), term('channel', 1)]))
  t.not(keyOf(ofTopic(1, 'a')), keyOf(ofTopic(1, 'b')))
  t.not(keyOf([term('is', 'starred')]), keyOf([{ ...term('is', 'starred'), isNegated: true }]))
  const at = splitNear([...ofTopic(1, 'a'), term('near', 5)])
  t.same(at, { narrow: ofTopic(1, 'a'), nearId: 5, linkedId: 5 })
  const linked = splitNear([...ofTopic(1, 'a'), term('with', 7), term('near', 5)])
  t.same(linked, { narrow: ofTopic(1, 'a'), nearId: 5, linkedId: 7 })
  const alone: Narrow = [term('with', 7)]
  t.same(splitNear(alone), { narrow: alone, nearId: undefined, linkedId: 7 }, 'nothing else names the place')
})
