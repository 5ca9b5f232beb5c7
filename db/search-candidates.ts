/** The ids of messages that a search may find, by blocks of the index, newest or oldest first. */

import { BLOCK_LENGTH, blockOf, PostingSet } from '../server/domain/posting-set.ts'
import type { Sql } from './connect.ts'
import type { Direction } from './message-ranges.ts'

/** Blocks of the first window: a common word fills a page from these. Later windows have ever more. */
const FIRST_BLOCKS = 8
const WINDOW_GROWTH = 8
/** Blocks times terms of one window: the rows that one statement looks for. */
const WINDOW_ROWS_MAX = 16_384
const WINDOW_BLOCKS_MAX = 512
/** Changed messages that are taken into one window at once. */
const CHANGED_MAX = 2_000

/** Part of the ids: all candidates between two ids, in the order that is asked for. */
export interface CandidateWindow {
  readonly ids: readonly number[]
  readonly low: number
  readonly high: number
}

/**
 * The messages from `low` to `high` that have a term of each group, and those that have changed since they were
 * indexed, window by window.
 */
export async function* findCandidates(
  sql: Sql,
  groups: readonly (readonly number[])[],
  direction: Direction,
  bounds: { readonly low: number; readonly high: number },
): AsyncGenerator<CandidateWindow> {
  const terms = [...new Set(groups.flat())]
  // Where a term is in no message at all, only changed ones are left, all at once.
  const isEmpty = groups.some((group) => group.length === 0)
  let { low, high } = bounds
  let blocks = FIRST_BLOCKS
  while (low <= high) {
    const length = isEmpty
      ? blockOf(high) + 1
      : Math.min(blocks, Math.max(1, Math.floor(WINDOW_ROWS_MAX / (terms.length + 1))))
    const window =
      direction === 'before'
        ? { low: Math.max(low, (blockOf(high) - length + 1) * BLOCK_LENGTH), high }
        : { low, high: Math.min(high, (blockOf(low) + length) * BLOCK_LENGTH - 1) }
    const found = await readWindow(sql, groups, isEmpty ? [] : terms, direction, window)
    yield found
    if (direction === 'before') high = found.low - 1
    else low = found.high + 1
    blocks = Math.min(blocks * WINDOW_GROWTH, WINDOW_BLOCKS_MAX)
  }
}

async function readWindow(
  sql: Sql,
  groups: readonly (readonly number[])[],
  terms: readonly number[],
  direction: Direction,
  window: { readonly low: number; readonly high: number },
): Promise<CandidateWindow> {
  const isBefore = direction === 'before'
  const rows = await sql<{ term: number | null; place: number; offsets: Buffer }[]>`
    select term, block::bigint as place, offsets from search_postings
    where term = any(${[...terms]}::bigint[])
      and block between ${blockOf(window.low)}::int and ${blockOf(window.high)}::int
    union all
    (select null, message_id, null from search_changes
      where not is_removed and message_id between ${window.low}::bigint and ${window.high}::bigint
      order by message_id ${isBefore ? sql`desc` : sql`asc`} limit ${CHANGED_MAX})`
  const ids = new Set<number>()
  const byBlock = new Map<number, Map<number, Buffer>>()
  for (const { term, place, offsets } of rows) {
    if (term === null) ids.add(place)
    else {
      const block = byBlock.get(place)
      if (block) block.set(term, offsets)
      else byBlock.set(place, new Map([[term, offsets]]))
    }
  }
  // Where more have changed than were taken, the window ends with the last of them.
  const changed = rows.filter(({ term }) => term === null)
  const isCut = changed.length === CHANGED_MAX
  const last = changed.at(-1)?.place ?? 0
  const { low, high } = {
    low: isCut && isBefore ? last : window.low,
    high: isCut && !isBefore ? last : window.high,
  }
  for (const [block, postings] of byBlock) {
    const offsets = intersect(groups, postings)
    for (const offset of offsets) ids.add(block * BLOCK_LENGTH + offset)
  }
  const inOrder = [...ids].filter((id) => id >= low && id <= high).sort((a, b) => (isBefore ? b - a : a - b))
  return { ids: inOrder, low, high }
}

/** The offsets in one block that have a term of each group. */
function intersect(
  groups: readonly (readonly number[])[],
  postings: ReadonlyMap<number, Buffer>,
): readonly number[] {
  let found: PostingSet | undefined
  for (const group of groups) {
    const terms = group.filter((term) => postings.has(term))
    if (terms.length === 0) return []
    const set = new PostingSet()
    for (const term of terms) set.addStored(postings.get(term) as Buffer)
    if (found) found.intersect(set)
    else found = set
  }
  return found?.offsets() ?? []
}
