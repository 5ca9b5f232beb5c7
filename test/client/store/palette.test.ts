/** Letters that people type for a name, with typos and in all scripts. */

import t from 'tap'
import type { State } from '../../../client/store/apply.ts'
import { findPlaces } from '../../../client/store/search/find-places.ts'
import { matchLetters } from '../../../client/store/search/match-letters.ts'

/** The matched letters in brackets; undefined without a match. */
function marked(name: string, query: string): string | undefined {
  const match = matchLetters(name, query)
  return (
    match &&
    Array.from(name, (letter, index) => (match.marks.has(index) ? `[${letter}]` : letter))
      .join('')
      .replaceAll('][', '')
  )
}

t.test(
  '[PALETTE1] letters are found at the start of words, inside, in their order, and with one typo',
  async (t) => {
    t.equal(marked('Release 2.4', 'rel'), '[Rel]ease 2.4')
    t.equal(marked('Migration rehearsal', 're'), 'Migration [re]hearsal')
    t.equal(marked('engineering', 'neer'), 'engi[neer]ing')
    t.equal(marked('Tomás Ferreira', 'tomas f'), '[Tomás] [F]erreira')
    t.equal(marked('Release notes', 'relaese'), '[Release] notes')
    t.equal(marked('Release notes', 'relase'), '[Release] notes')
    t.equal(marked('Memory leak in worker', 'mliw'), '[M]emory [l]eak [i]n [w]orker')
    t.equal(marked('Łukasz Wójcik', 'lukasz wojcik'), '[Łukasz] [Wójcik]')
    t.equal(marked('Søren Đặng', 'soren dang'), '[Søren] [Đặng]')
    t.equal(marked('田中 さくら', 'さく'), '田中 [さく]ら')
    t.equal(marked('יעל כהן', 'כהן'), 'יעל [כהן]')
    t.equal(marked('Release', 'xyz'), undefined)
    t.equal(marked('a.b', '.*'), undefined, 'no pattern is made of it')
    t.equal(marked('Anything', ''), 'Anything')
  },
)

t.test('[PALETTE2] a name that begins with the letters comes before one that has them inside', async (t) => {
  const score = (name: string, query: string) => matchLetters(name, query)?.score ?? -1
  t.ok(score('release', 'rel') > score('old releases', 'rel'))
  t.ok(score('old releases', 'rel') > score('unrelated', 'rel'))
  t.ok(score('unrelated', 'rela') > score('Relief', 'rela'))
  t.ok(score('docs', 'doc') > score('documents of the office', 'doc'))
})

t.test('[PALETTE6] letters that stand apart in a name count only where nothing fits better', async (t) => {
  const state = {
    user_id: 1,
    realm_users: [{ user_id: 2, full_name: 'Tomás Ferreira', is_active: true }],
    subscriptions: [{ stream_id: 1, name: 'office', color: '#000000' }],
  } as unknown as State
  const topics = [{ channelId: 1, topic: 'The roadmap is slow' }]
  const names = (query: string) =>
    Object.values(findPlaces(state, query, topics)).flatMap((places) => places.map(({ name }) => name))
  t.same(names('tomas'), ['Tomás Ferreira'])
  t.same(names('tmoas'), ['Tomás Ferreira'], 'with a typo, too')
  t.same(names('troadm'), ['The roadmap is slow'])
})
