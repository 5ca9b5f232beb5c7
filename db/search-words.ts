/** From what a search asks for to the terms of the index, by the dictionary. */

import { foldCase } from '../server/domain/fold-case.ts'
import { listNearRanges, listNearWords, type NearRange, successorOf } from '../server/domain/near-words.ts'
import type { SearchWord } from '../server/domain/search-query.ts'
import { listQueryTerms, type WordProbe } from '../server/domain/search-terms.ts'
import type { Sql } from './connect.ts'

/** Words that one word of a search may stand in. Where there are more, most messages have one: the newest are read instead. */
const EXPANSION_MAX = 500
/** Words that the dictionary is asked for, the longest ones; the others are compared with what these find. */
const PROBES_MAX = 8
/** Runs of letters by which words are found that contain others: a few of them are telling enough. */
const GRAMS_MAX = 6

/** What a search finds in the index. */
export interface FoundTerms {
  /** The index holds all messages up to this one. */
  readonly throughId: number
  /** The newest message of all. */
  readonly newestId: number
  /** Every message that is searched for has a term of each of these groups. */
  readonly groups: readonly (readonly number[])[]
}

interface Probe extends WordProbe {
  readonly isForgiving: boolean
}

/** Looks up the words of a search, all of which must be found. */
export async function findTerms(sql: Sql, words: readonly SearchWord[]): Promise<FoundTerms> {
  const characters = new Set<number>()
  const all: Probe[] = []
  for (const { text, isForgiving } of words) {
    const terms = listQueryTerms(text)
    for (const term of terms.characters) characters.add(term)
    for (const probe of terms.words) all.push({ ...probe, isForgiving })
  }
  const probes = all.toSorted((a, b) => b.text.length - a.text.length).slice(0, PROBES_MAX)
  const rows = await lookUp(sql, probes)
  const found = probes.map(() => new Set<number>())
  let [throughId, newestId] = [0, 0]
  for (const { number, id } of rows) {
    if (number === THROUGH) throughId = id
    else if (number === NEWEST) newestId = id
    else found[number]?.add(id)
  }
  const expanded = found.filter(({ size }) => size <= EXPANSION_MAX).map((ids) => [...ids])
  return { throughId, newestId, groups: [...[...characters].map((term) => [term]), ...expanded] }
}

/** Rows that tell of the index itself. */
const THROUGH = -1
const NEWEST = -2

/** Every condition is one of an index whatever the values are, so that a plan is never a walk through the dictionary. */
function lookUp(sql: Sql, probes: readonly Probe[]): Promise<{ number: number; id: number }[]> {
  const numbered = probes.map((probe, number) => ({ ...probe, number }))
  const forgiving = numbered.filter(({ isForgiving }) => isForgiving)
  const whole = [
    ...numbered.filter(({ isStartOpen, isEndOpen }) => !isStartOpen && !isEndOpen),
    ...forgiving.flatMap(({ number, text }) =>
      listNearWords(foldCase(text)).map((near) => ({ number, text: near })),
    ),
  ]
  const begun = numbered.filter(({ isStartOpen, isEndOpen }) => !isStartOpen && isEndOpen)
  const inside = numbered.filter(({ isStartOpen }) => isStartOpen)
  const ranges = forgiving.flatMap(({ number, text }) =>
    listNearRanges(text).map((range) => ({ ...range, number })),
  )
  const countMax = EXPANSION_MAX + 1
  return sql`
    select ${THROUGH}::int as number, through_id as id from search_index
    union all
    select ${NEWEST}::int, coalesce(max(id), 0) from messages
    union all
    select p.number, w.id
    from unnest(${whole.map(({ number }) => number)}::int[], ${whole.map(({ text }) => text)}::text[]) as p (number, word)
    join search_words w on w.word = p.word
    union all
    select p.number, w.id
    from unnest(${begun.map(({ number }) => number)}::int[], ${begun.map(({ text }) => text)}::text[],
      ${begun.map(({ text }) => successorOf(text))}::text[]) as p (number, low, high),
    lateral (select id from search_words w where w.word >= p.low and w.word < p.high limit ${countMax}) w
    union all
    select p.number, w.id
    from unnest(${inside.map(({ number }) => number)}::int[], ${inside.map(({ text }) => gramsOf(text).join(' '))}::text[],
      ${inside.map(({ text }) => text)}::text[], ${inside.map(({ isEndOpen }) => (isEndOpen ? 1 : 0))}::int[])
      as p (number, grams, part, is_end_open),
    lateral (select id from search_words w where search_grams(w.word) @> string_to_array(p.grams, ' ')
      and case when p.is_end_open = 1 then position(p.part in w.word) > 0
        else right(w.word, char_length(p.part)) = p.part end
      limit ${countMax}) w
    union all
    select p.number, w.id from ${nearRanges(sql, ranges, false)},
    lateral (select id from search_words w where char_length(w.word) = p.length and w.word >= p.low
      and w.word < p.high and w.word like any(string_to_array(p.patterns, ' ')) limit ${countMax}) w
    union all
    select p.number, w.id from ${nearRanges(sql, ranges, true)},
    lateral (select id from search_words w where char_length(w.word) = p.length and reverse(w.word) >= p.low
      and reverse(w.word) < p.high and w.word like any(string_to_array(p.patterns, ' ')) limit ${countMax}) w`
}

function nearRanges(
  sql: Sql,
  all: readonly (NearRange & { readonly number: number })[],
  isReversed: boolean,
) {
  const ranges = all.filter((range) => range.isReversed === isReversed)
  return sql`unnest(${ranges.map(({ number }) => number)}::int[], ${ranges.map(({ length }) => length)}::int[],
    ${ranges.map(({ low }) => low)}::text[], ${ranges.map(({ high }) => high)}::text[],
    ${ranges.map(({ patterns }) => patterns.join(' '))}::text[]) as p (number, length, low, high, patterns)`
}

/** The longest runs of at most three letters of a text, spread over it. */
function gramsOf(text: string): string[] {
  const letters = Array.from(text)
  const length = Math.min(3, letters.length)
  const grams = Array.from({ length: letters.length - length + 1 }, (_, at) =>
    letters.slice(at, at + length).join(''),
  )
  const step = Math.ceil(grams.length / GRAMS_MAX)
  return grams.filter((_, index) => index % step === 0 || index === grams.length - 1)
}
