/** The start of a search: how far the index reaches, and its postings of the first blocks. */

import { blockOf } from '../../server/domain/search/posting-set.ts'
import type { SearchWord } from '../../server/domain/search/search-query.ts'
import type { Sql } from '../connection/connect.ts'
import type { Direction } from '../messages/message-ranges.ts'
import { type PostingRow, splitPostings, type TermGroup } from './search-postings.ts'
import { Dictionary, listProbes } from './search-words.ts'

/** Terms whose postings are read first: those of the groups with the fewest terms. */
const FIRST_TERMS_MAX = 600
/** First blocks of each term, fewer for groups with many terms: together they mostly fill a page. */
const BLOCKS = { min: 2, max: 8, ofGroup: 256 } as const
/** Changed messages in one batch. */
export const CHANGED_MAX = 2_000
/** Attempts to query the dictionary while it changes. */
const ATTEMPTS_MAX = 3

/** The bounds of a search. */
export interface SearchBounds {
  readonly direction: Direction
  readonly low: number
  readonly high: number
}

/** The first results from the index. */
export interface FirstPostings {
  /** The index contains all messages up to this one. */
  readonly throughId: number
  /** The newest message of all. */
  readonly newestId: number
  /** Every matching message has a term of each of these groups. Empty if the index cannot help. */
  readonly groups: readonly TermGroup[]
  /** Postings of some groups: for each term, the first blocks that contain it. */
  readonly rows: readonly PostingRow[]
  /** The groups whose postings were read. */
  readonly readGroups: readonly number[]
  /** The block up to which a group was read; missing if it was read to the end. */
  readonly edges: ReadonlyMap<number, number>
  /** Messages that changed since they were indexed, in the order of the search; at most `CHANGED_MAX`. */
  readonly changed: readonly number[]
}

/** Looks up the words of a search, which must all match. `places` are groups of terms, too. */
export async function beginSearch(
  sql: Sql,
  words: readonly SearchWord[],
  places: readonly TermGroup[],
  bounds: SearchBounds,
): Promise<FirstPostings> {
  const { probes, characters } = listProbes(words)
  const dictionary = new Dictionary(sql)
  for (let attempt = 1; ; attempt++) {
    const found = await dictionary.find(probes)
    const ofWords = [
      ...characters.map((term) => [term]),
      ...found.groups.filter((group) => group !== undefined),
    ]
    const groups = ofWords.length > 0 ? [...ofWords, ...places] : []
    const first = await readFirst(sql, groups, bounds)
    if (first.newestWordId === found.newestWordId || attempt === ATTEMPTS_MAX) return first
    dictionary.forget()
  }
}

/** The kinds of rows. */
const THROUGH = 0
const NEWEST = 1
const NEWEST_WORD = 2
const CHANGED = 3
const POSTINGS = 4

interface FirstRow {
  readonly kind: number
  readonly id: number
  readonly blocks: string | null
  readonly lengths: string | null
  readonly offsets: Buffer | null
}

async function readFirst(
  sql: Sql,
  groups: readonly TermGroup[],
  { direction, low, high }: SearchBounds,
): Promise<FirstPostings & { readonly newestWordId: number }> {
  const readGroups = groups.some((group) => group.length === 0) ? [] : cheapest(groups)
  const wanted = readGroups.flatMap((group) => {
    const terms = groups[group] as TermGroup
    const limit = Math.max(BLOCKS.min, Math.min(BLOCKS.max, Math.floor(BLOCKS.ofGroup / terms.length)))
    return terms.map((term) => ({ group, term, limit }))
  })
  const isBefore = direction === 'before'
  const order = isBefore ? sql`desc` : sql`asc`
  const rows = await sql<FirstRow[]>`
    select ${THROUGH}::int as kind, through_id as id, null as blocks, null as lengths, null::bytea as offsets from search_index
    union all
    select ${NEWEST}::int, coalesce(max(id), 0), null, null, null from messages
    union all
    select ${NEWEST_WORD}::int, coalesce(max(id), 0), null, null, null from search_words
    union all
    (select ${CHANGED}::int, message_id, null, null, null from search_changes
      where not is_removed and message_id between ${low}::bigint and ${high}::bigint
      order by message_id ${order} limit ${CHANGED_MAX})
    union all
    select ${POSTINGS}::int, w.number, string_agg(p.block::text, ','), string_agg(length(p.offsets)::text, ','),
      string_agg(p.offsets, ''::bytea)
    from unnest(${wanted.map((_, index) => index)}::int[], ${wanted.map(({ term }) => term)}::bigint[],
      ${wanted.map(({ limit }) => limit)}::int[]) as w (number, term, count),
    lateral (select block, offsets from search_postings
      where term = w.term and block between ${blockOf(low)}::int and ${blockOf(high)}::int
      order by block ${order} limit w.count) p
    group by w.number`
  let [throughId, newestId, newestWordId] = [0, 0, 0]
  const changed: number[] = []
  const postings: PostingRow[] = []
  const edges = new Map<number, number>()
  const later = isBefore ? Math.max : Math.min
  for (const { kind, id, blocks, lengths, offsets } of rows) {
    if (kind === THROUGH) throughId = id
    else if (kind === NEWEST) newestId = id
    else if (kind === NEWEST_WORD) newestWordId = id
    else if (kind === CHANGED) changed.push(id)
    else {
      const { group, limit } = wanted[id] as (typeof wanted)[number]
      const read = splitPostings(group, blocks as string, lengths as string, offsets as Buffer)
      postings.push(...read)
      const last = (isBefore ? Math.min : Math.max)(...read.map(({ block }) => block))
      if (read.length === limit) edges.set(group, later(last, edges.get(group) ?? last))
    }
  }
  return { throughId, newestId, newestWordId, groups, rows: postings, readGroups, edges, changed }
}

/** The groups with the fewest terms. */
function cheapest(groups: readonly TermGroup[]): number[] {
  let total = 0
  return [...groups.keys()]
    .toSorted((a, b) => (groups[a] as TermGroup).length - (groups[b] as TermGroup).length)
    .filter((group) => {
      total += (groups[group] as TermGroup).length
      return total <= FIRST_TERMS_MAX
    })
}
