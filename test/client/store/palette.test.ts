/** Letters that people type for a name, with typos and in all scripts. */

import t from 'tap'
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
