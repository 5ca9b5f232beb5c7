/** Maps the words of a search to terms of the index, through the dictionary. */

import { derived } from '../../server/domain/messages/derived.ts'
import { foldCase } from '../../packages/rules/fold-case.ts'
import {
  listNearRanges,
  listNearWords,
  type NearRange,
  successorOf,
} from '../../server/domain/search/near-words.ts'
import type { SearchWord } from '../../server/domain/search/search-query.ts'
import { listQueryTerms, type WordProbe } from '../../server/domain/search/search-terms.ts'
import type { Sql } from '../connection/connect.ts'
import type { TermGroup } from './search-postings.ts'

/**
 * Dictionary words that one word of a search may match. With more, most messages contain one: the newest messages are
 * scanned instead.
 */
const EXPANSION_MAX = 500
/** Words looked up in the dictionary, the longest ones; the others are compared with the candidates. */
const PROBES_MAX = 8
/** Runs of letters that find words which contain others: a few of them are selective enough. */
const GRAMS_MAX = 6

/** Cached probes of one connection: of the last dozens of searches, in about a megabyte at most. */
const CACHED_MAX = 256

/** A lookup in the dictionary. */
export interface Probe extends WordProbe {
  readonly isForgiving: boolean
}

/** The probes and the other terms of a search's words, which must all match. */
export function listProbes(words: readonly SearchWord[]): { probes: Probe[]; characters: number[] } {
  const characters = new Set<number>()
  const all: Probe[] = []
  for (const { text, isForgiving } of words) {
    const terms = listQueryTerms(text)
    for (const term of terms.characters) characters.add(term)
    for (const probe of terms.words) all.push({ ...probe, isForgiving })
  }
  const probes = all.toSorted((a, b) => b.text.length - a.text.length).slice(0, PROBES_MAX)
  return { probes, characters: [...characters] }
}

/** The words of some probes, as of the dictionary's newest word. */
export interface FoundWords {
  readonly newestWordId: number
  /** By probe; undefined if too many words match, so that it is not selective. */
  readonly groups: readonly (TermGroup | undefined)[]
}

/**
 * The dictionary as one connection has cached it. Words get increasing numbers, one transaction after another, and
 * never change: as long as the newest word is the same, there are no others. Users of the cache must check that.
 */
export class Dictionary {
  readonly #sql: Sql
  readonly #cached: Cached

  constructor(sql: Sql) {
    this.#sql = sql
    // The connection's own options, however it is wrapped.
    this.#cached = cachedBy(sql.options)
  }

  async find(probes: readonly Probe[]): Promise<FoundWords> {
    const cached = this.#cached
    const missing = probes.filter((probe) => !cached.groups.has(keyOf(probe)))
    if (missing.length > 0) {
      const { newestWordId, groups } = await lookUp(this.#sql, missing)
      if (newestWordId !== cached.newestWordId) this.forget()
      cached.newestWordId = newestWordId
      for (const [index, group] of groups.entries()) cached.groups.set(keyOf(missing[index] as Probe), group)
      // The others belong to an older dictionary.
      if (!probes.every((probe) => cached.groups.has(keyOf(probe)))) return this.find(probes)
    }
    const groups = probes.map((probe) => cached.groups.get(keyOf(probe)))
    for (const key of cached.groups.keys()) {
      if (cached.groups.size <= CACHED_MAX) break
      cached.groups.delete(key)
    }
    return { newestWordId: cached.newestWordId, groups }
  }

  /** Drops the cache after a change of the dictionary. */
  forget(): void {
    this.#cached.groups.clear()
  }
}

interface Cached {
  newestWordId: number
  readonly groups: Map<string, TermGroup | undefined>
}

const cachedBy = derived<object, Cached>(() => ({ newestWordId: 0, groups: new Map() }))

function keyOf({ text, isStartOpen, isEndOpen, isForgiving }: Probe): string {
  return `${isStartOpen}${isEndOpen}${isForgiving} ${text}`
}

async function lookUp(sql: Sql, probes: readonly Probe[]): Promise<FoundWords> {
  const rows = await findWords(sql, probes)
  const found = probes.map(() => new Set<number>())
  let newestWordId = 0
  for (const { probe, id } of rows) {
    if (probe === NEWEST_WORD) newestWordId = id
    else found[probe]?.add(id)
  }
  return { newestWordId, groups: found.map((ids) => (ids.size <= EXPANSION_MAX ? [...ids] : undefined)) }
}

/** The row with the newest word. */
const NEWEST_WORD = -1

/** Every condition matches an index for all values, so the plan never scans the whole dictionary. */
function findWords(sql: Sql, probes: readonly Probe[]): Promise<{ probe: number; id: number }[]> {
  const numbered = probes.map((one, probe) => ({ ...one, probe }))
  const forgiving = numbered.filter(({ isForgiving }) => isForgiving)
  const whole = [
    ...numbered.filter(({ isStartOpen, isEndOpen }) => !isStartOpen && !isEndOpen),
    ...forgiving.flatMap(({ probe, text }) =>
      listNearWords(foldCase(text)).map((near) => ({ probe, text: near })),
    ),
  ]
  const begun = numbered.filter(({ isStartOpen, isEndOpen }) => !isStartOpen && isEndOpen)
  const inside = numbered.filter(({ isStartOpen }) => isStartOpen)
  const ranges = forgiving.flatMap(({ probe, text }) =>
    listNearRanges(text).map((range) => ({ ...range, probe })),
  )
  const countMax = EXPANSION_MAX + 1
  return sql`
    select ${NEWEST_WORD}::int as probe, coalesce(max(id), 0) as id from search_words
    union all
    select p.probe, w.id
    from unnest(${whole.map(({ probe }) => probe)}::int[], ${whole.map(({ text }) => text)}::text[]) as p (probe, word)
    join search_words w on w.word = p.word
    union all
    select p.probe, w.id
    from unnest(${begun.map(({ probe }) => probe)}::int[], ${begun.map(({ text }) => text)}::text[],
      ${begun.map(({ text }) => successorOf(text))}::text[]) as p (probe, low, high),
    lateral (select id from search_words w where w.word >= p.low and w.word < p.high limit ${countMax}) w
    union all
    select p.probe, w.id
    from unnest(${inside.map(({ probe }) => probe)}::int[], ${inside.map(({ text }) => gramsOf(text).join(' '))}::text[],
      ${inside.map(({ text }) => text)}::text[], ${inside.map(({ isEndOpen }) => (isEndOpen ? 1 : 0))}::int[])
      as p (probe, grams, part, is_end_open),
    lateral (select id from search_words w where search_grams(w.word) @> string_to_array(p.grams, ' ')
      and case when p.is_end_open = 1 then position(p.part in w.word) > 0
        else right(w.word, char_length(p.part)) = p.part end
      limit ${countMax}) w
    union all
    select p.probe, w.id from ${nearRanges(sql, ranges, false)},
    lateral (select id from search_words w where char_length(w.word) = p.length and w.word >= p.low
      and w.word < p.high and w.word like any(string_to_array(p.patterns, ' ')) limit ${countMax}) w
    union all
    select p.probe, w.id from ${nearRanges(sql, ranges, true)},
    lateral (select id from search_words w where char_length(w.word) = p.length and reverse(w.word) >= p.low
      and reverse(w.word) < p.high and w.word like any(string_to_array(p.patterns, ' ')) limit ${countMax}) w`
}

function nearRanges(sql: Sql, all: readonly (NearRange & { readonly probe: number })[], isReversed: boolean) {
  const ranges = all.filter((range) => range.isReversed === isReversed)
  return sql`unnest(${ranges.map(({ probe }) => probe)}::int[], ${ranges.map(({ length }) => length)}::int[],
    ${ranges.map(({ low }) => low)}::text[], ${ranges.map(({ high }) => high)}::text[],
    ${ranges.map(({ patterns }) => patterns.join(' '))}::text[]) as p (probe, length, low, high, patterns)`
}

/** The longest runs of at most three letters in a text, spread over it. */
function gramsOf(text: string): string[] {
  const letters = Array.from(text)
  const length = Math.min(3, letters.length)
  const grams = Array.from({ length: letters.length - length + 1 }, (_, at) =>
    letters.slice(at, at + length).join(''),
  )
  const step = Math.ceil(grams.length / GRAMS_MAX)
  return grams.filter((_, index) => index % step === 0 || index === grams.length - 1)
}
