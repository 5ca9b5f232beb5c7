/** Searches as text, and their suggestions, from the state of a real server. */

import t from 'tap'
import type { State } from '../../../client/store/apply.ts'
import { REGISTRATION } from '../../../client/store/registration.ts'
import { ofDirect, term } from '../../../client/store/narrows/narrow.ts'
import { readSearch } from '../../../client/store/search/read-search.ts'
import { writeSearch } from '../../../client/store/search/write-search.ts'
import { suggestSearch } from '../../../client/store/search/suggest-search.ts'
import type { Fields } from '../../harness/client/client.ts'
import { startTestServer } from '../../harness/servers/start-server.ts'

const server = await startTestServer(t)
const [owner, member] = [server.as('owner'), server.as('member')]
await owner.subscribe(['plans'], { principals: [1, 4] })
await owner.subscribe(['garden work'], { principals: [1, 4] })
const state = (await member.register(REGISTRATION as Fields)).state as unknown as State
const SOURCES = {
  recent: ['roses is:starred'],
  topics: [{ channelId: 2, topic: 'old roses' }],
  today: '2026-03-01',
}
const suggest = (text: string) => suggestSearch(state, text, SOURCES)
const labels = (text: string) => suggest(text).map(({ label }) => label)

t.test('[FIND1] a typed search is read as operators and words, and written as it was typed', async (t) => {
  const text = 'channel:"garden work" topic:roses sender:"The owner" -has:link red "climbing ones"'
  const { narrow, date } = readSearch(state, text)
  t.equal(date, undefined)
  t.same(narrow, [
    term('channel', 2),
    term('topic', 'roses'),
    term('sender', 1),
    { ...term('has', 'link'), isNegated: true },
    term('search', 'red "climbing ones"'),
  ])
  t.equal(writeSearch(state, narrow), text)
  t.same(readSearch(state, 'dm:"The owner,The guest" sender:me').narrow, [
    ...ofDirect([1, 6]),
    term('sender', 4),
  ])
  t.same(readSearch(state, 'stream:plans from:me subject:a pm-with:"The owner"').narrow, [
    term('channel', 1),
    term('sender', 4),
    term('topic', 'a'),
    ...ofDirect([1]),
  ])
  t.same(readSearch(state, 'from:@me in:#plans in:"The owner" in:home -in:plans').narrow, [
    term('sender', 4),
    term('channel', 1),
    ...ofDirect([1]),
    term('in', 'home'),
    { ...term('channel', 1), isNegated: true },
  ])
  t.equal(readSearch(state, 'soup date:2026-02-28').date, '2026-02-28')
})

t.test('[FIND21] a part of a name is enough for a person, if it is the name of nobody else', async (t) => {
  t.same(readSearch(state, 'from:owner soup').narrow, [term('sender', 1), term('search', 'soup')])
  t.same(readSearch(state, 'from:@gue').narrow, [term('sender', 6)])
  t.same(readSearch(state, 'from:member').narrow, [term('sender', 4)], 'a whole word comes before a start')
  t.same(readSearch(state, 'from:memb').narrow, [term('search', 'from:memb')])
  t.same(readSearch(state, 'from:the').narrow, [term('search', 'from:the')])
})

t.test(
  '[FIND2] parts that are no operator are words, so that no search is refused while it is typed',
  async (t) => {
    for (const text of ['sender:nobody', 'http://example.com', 'date:soon', 'is:', 'near:here', 'a:b'])
      t.same(readSearch(state, text).narrow, [term('search', text)], text)
    t.same(readSearch(state, ' ').narrow, [])
  },
)

t.test('[FIND3] suggestions complete operators, names and places', async (t) => {
  t.same(labels('').slice(0, 3), ['roses is:starred', 'channel:', 'topic:'])
  t.same(labels('cha'), ['channel:', 'channels:'])
  t.same(labels('is:st'), ['is:starred'])
  t.same(labels('red channel:g'), ['channel:"garden work"'])
  t.equal(suggest('red channel:g')[0]?.text, 'red channel:"garden work" ')
  t.same(labels('channel:"garden w'), ['channel:"garden work"'], 'a space inside of quotes goes on')
  t.same(labels('topic:ro'), ['topic:"old roses"'])
  t.same(labels('-sender:m').slice(0, 1), ['sender:me'])
  t.same(labels('from:member2'), ['from:"The member2"'])
  t.same(labels('in:#gar'), ['in:"garden work"'])
  t.same(labels('Stream:g'), ['channel:"garden work"'])
  t.same(labels('constructor:a'), [], 'a word before a colon is not always an operator')
  t.equal(suggest('-sender:m')[0]?.text, '-sender:me ')
  t.same(labels('dm:"The owner,the g'), ['dm:"The owner,The guest"'])
  t.same(labels('date:'), ['date:2026-03-01', 'date:2026-02-28', 'date:2026-02-22'])
  const [place] = suggest('gard')
  t.same(place?.narrow, [term('channel', 2)], 'a channel is opened at once')
  t.same(suggest('old')[0]?.narrow, [term('channel', 2), term('topic', 'old roses')])
  t.same(suggest('member2')[0]?.narrow, ofDirect([5]))
})
