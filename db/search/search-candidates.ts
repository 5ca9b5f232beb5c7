/** Candidate messages of a search, by blocks of the index, newest or oldest first. */

import { BLOCK_LENGTH, blockOf } from '../../server/domain/search/posting-set.ts'
import type { Sql } from '../connection/connect.ts'
import { Postings, readPostings, type TermGroup } from './search-postings.ts'
import { CHANGED_MAX, type FirstPostings, type SearchBounds } from './search-first.ts'

/** Blocks of the second window; the first one tries to fill a page. Windows grow from then on. */
const SECOND_BLOCKS = { min: 8, max: 64 } as const
const PAGE_LENGTH = 100
const WINDOW_GROWTH = 8
/** Blocks times terms of one window: the rows that one statement looks up. */
const WINDOW_ROWS_MAX = 16_384
const WINDOW_BLOCKS_MAX = 512
/** Candidates up to which comparing them is faster than reading another group of terms. */
const FEW = 200

/** Ids, both inclusive. */
interface Range {
  readonly low: number
  readonly high: number
}

/** A part of the ids: all candidates between two ids, in the requested order. */
export interface CandidateWindow extends Range {
  readonly ids: readonly number[]
}

/** Finds messages that have a term of each group, and messages that changed since they were indexed. */
export class SearchCandidates {
  readonly #sql: Sql
  readonly #isBefore: boolean
  readonly #first: FirstPostings
  readonly #hasEmptyGroup: boolean
  /** The groups to look up: all, or as many as are useful. */
  #groups: readonly TermGroup[]
  #others: readonly TermGroup[] = []
  readonly #changed = new Set<number>()

  constructor(sql: Sql, first: FirstPostings, direction: SearchBounds['direction']) {
    this.#sql = sql
    this.#isBefore = direction === 'before'
    this.#first = first
    this.#groups = first.groups
    // If a term occurs in no message, only changed ones are left.
    this.#hasEmptyGroup = first.groups.some((group) => group.length === 0)
    for (const id of first.changed) this.#changed.add(id)
  }

  /** The candidates between two ids, window by window. */
  async *windows(bounds: Range): AsyncGenerator<CandidateWindow> {
    if (bounds.low > bounds.high) return
    const first = await this.#readFirst(bounds)
    yield first
    let left = this.#behind(bounds, first)
    const pages = PAGE_LENGTH / Math.max(1, first.ids.length)
    const wanted = Math.ceil((pages * (first.high - first.low + 1)) / BLOCK_LENGTH)
    for (
      let blocks = Math.min(Math.max(wanted, SECOND_BLOCKS.min), SECOND_BLOCKS.max);
      left.low <= left.high;
      blocks = Math.min(blocks * WINDOW_GROWTH, WINDOW_BLOCKS_MAX)
    ) {
      const window = await this.#readWindow(left, blocks)
      yield window
      left = this.#behind(left, window)
    }
  }

  /** The candidates with a term of every group and of a place, part by part; later windows contain only such. */
  async *narrow(ids: readonly number[], places: TermGroup): AsyncGenerator<readonly number[]> {
    const added = [...this.#others, places]
    this.#groups = [...this.#groups, ...added]
    this.#others = []
    const blockCount = blocksAtOnce(added)
    for (let start = 0; start < ids.length; ) {
      const block = blockOf(ids[start] as number)
      const isNear = (id: number) => Math.abs(blockOf(id) - block) < blockCount
      const end = ids.findIndex((id, index) => index >= start && !isNear(id))
      const part = ids.slice(start, end < 0 ? undefined : end)
      start += part.length
      const last = blockOf(part.at(-1) as number)
      const rows = await readPostings(this.#sql, added, Math.min(block, last), Math.max(block, last))
      const postings = await Postings.of(rows)
      yield part.filter((id) => this.#changed.has(id) || postings.has(id, added.length))
    }
  }

  #behind(bounds: Range, { low, high }: CandidateWindow) {
    return this.#isBefore ? { ...bounds, high: low - 1 } : { ...bounds, low: high + 1 }
  }

  /** The candidates of the postings that came with the terms. */
  async #readFirst({ low, high }: Range): Promise<CandidateWindow> {
    const { rows, readGroups: groups, edges, changed } = this.#first
    if (this.#hasEmptyGroup) return this.#windowOf([], changed, { low, high })
    const postings = await Postings.of(rows)
    const counts = new Map(groups.map((group) => [group, postings.countIn(group)]))
    // A completely read group with few messages selects the candidates alone.
    const isWhole = groups.some((group) => !edges.has(group) && (counts.get(group) as number) <= FEW)
    const reached = [...edges.values()]
    const edge = this.#isBefore
      ? Math.max(low, ...reached.map((block) => block * BLOCK_LENGTH))
      : Math.min(high, ...reached.map((block) => (block + 1) * BLOCK_LENGTH - 1))
    const range = isWhole ? { low, high } : this.#isBefore ? { low: edge, high } : { low, high: edge }
    const isRead = (group: number, block: number) => {
      const last = edges.get(group)
      return last === undefined || (this.#isBefore ? block >= last : block <= last)
    }
    this.#chooseGroups(counts, { low, high })
    return this.#windowOf(await postings.intersect(groups, isRead), changed, range)
  }

  /** Skips groups that are not needed to keep the candidates few. */
  #chooseGroups(counts: ReadonlyMap<number, number>, { low, high }: Range): void {
    const length = high - low + 1
    const lengthOf = (group: number) => {
      const edge = this.#first.edges.get(group)
      if (edge === undefined) return length
      return this.#isBefore ? high - edge * BLOCK_LENGTH + 1 : (edge + 1) * BLOCK_LENGTH - low
    }
    const shares = [...counts]
      .map(([group, count]) => ({ group, share: Math.min(1, count / Math.max(1, lengthOf(group))) }))
      .toSorted((a, b) => a.share - b.share)
    const chosen = new Set<number>()
    let expected = length
    for (const { group, share } of shares) {
      if (expected <= FEW && chosen.size > 0) break
      chosen.add(group)
      expected *= share
    }
    // The selectivity of the other groups is unknown.
    const isChosen = (_: TermGroup, group: number) =>
      chosen.has(group) || (expected > FEW && !counts.has(group))
    this.#others = this.#groups.filter((terms, group) => !isChosen(terms, group))
    this.#groups = this.#groups.filter(isChosen)
  }

  async #readWindow(left: Range, blocks: number): Promise<CandidateWindow> {
    const length = Math.min(blocks, blocksAtOnce(this.#groups))
    const window = this.#hasEmptyGroup
      ? left
      : this.#isBefore
        ? { ...left, low: Math.max(left.low, (blockOf(left.high) - length + 1) * BLOCK_LENGTH) }
        : { ...left, high: Math.min(left.high, (blockOf(left.low) + length) * BLOCK_LENGTH - 1) }
    const changed = await this.#readChanged(window)
    if (this.#hasEmptyGroup) return this.#windowOf([], changed, window)
    const rows = await readPostings(this.#sql, this.#groups, blockOf(window.low), blockOf(window.high))
    const postings = await Postings.of(rows)
    return this.#windowOf(await postings.intersect([...this.#groups.keys()]), changed, window)
  }

  async #readChanged({ low, high }: Range): Promise<number[]> {
    // The list is complete if it is shorter than the requested length.
    if (this.#first.changed.length < CHANGED_MAX) return [...this.#changed]
    const rows = await this.#sql<{ id: number }[]>`
      select message_id as id from search_changes
      where not is_removed and message_id between ${low}::bigint and ${high}::bigint
      order by message_id ${this.#isBefore ? this.#sql`desc` : this.#sql`asc`} limit ${CHANGED_MAX}`
    for (const { id } of rows) this.#changed.add(id)
    return rows.map(({ id }) => id)
  }

  #windowOf(found: readonly number[], changed: readonly number[], range: Range): CandidateWindow {
    // If there are more changed messages than were read, the window ends with the last of them.
    const last = changed.length === CHANGED_MAX ? (changed.at(-1) as number) : undefined
    let { low, high } = range
    if (last !== undefined && this.#isBefore) low = Math.min(Math.max(low, last), high + 1)
    else if (last !== undefined) high = Math.max(Math.min(high, last), low - 1)
    const ids = [...new Set([...found, ...changed])].filter((id) => id >= low && id <= high)
    return { ids: ids.sort((a, b) => (this.#isBefore ? b - a : a - b)), low, high }
  }
}

/** The blocks whose postings one statement reads. */
function blocksAtOnce(groups: readonly TermGroup[]): number {
  return Math.max(1, Math.floor(WINDOW_ROWS_MAX / groups.reduce((sum, { length }) => sum + length, 1)))
}
