/** Postings of the search index: the messages of a block that have a term. */

import { BITMAP_BYTES, BLOCK_LENGTH, blockOf, PostingSet } from '../../server/domain/search/posting-set.ts'
import type { Sql } from '../connection/connect.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of uninterrupted work: the longest that a new request waits for it. */
const TURN_MS_MAX = 2

/** Every matching message has at least one of these terms. */
export type TermGroup = readonly number[]

/** The postings of a group of terms, or of one of its terms, in one block. */
export interface PostingRow {
  readonly group: number
  readonly block: number
  /** Concatenated lists of offsets. */
  readonly lists: Uint8Array | null
  /** Concatenated bitmaps. */
  readonly bitmaps: Uint8Array | null
}

/**
 * Splits the postings of a term, which arrive in one row: the blocks, the lengths of their postings, and the
 * concatenated postings.
 */
export function splitPostings(
  group: number,
  blocks: string,
  lengths: string,
  offsets: Uint8Array,
): PostingRow[] {
  const numbers = blocks.split(',')
  let end = 0
  return lengths.split(',').map((length, index) => {
    const start = end
    end += Number(length)
    const stored = offsets.subarray(start, end)
    const isBitmap = stored.length === BITMAP_BYTES
    return {
      group,
      block: Number(numbers[index]),
      lists: isBitmap ? null : stored,
      bitmaps: isBitmap ? stored : null,
    }
  })
}

/** Reads the postings of groups in a range of blocks. Finds rows by their key, whatever the planner estimates. */
export async function readPostings(
  sql: Sql,
  groups: readonly TermGroup[],
  low: number,
  high: number,
): Promise<PostingRow[]> {
  const numbers = groups.flatMap((terms, group) => terms.map(() => group))
  return sql<PostingRow[]>`
    select w.group, p.block,
      string_agg(p.offsets, ''::bytea) filter (where length(p.offsets) < ${BITMAP_BYTES}) as lists,
      string_agg(p.offsets, ''::bytea) filter (where length(p.offsets) = ${BITMAP_BYTES}) as bitmaps
    from unnest(${numbers}::int[], ${groups.flat()}::bigint[]) as w ("group", term),
    lateral (select block, offsets from search_postings
      where term = w.term and block between ${low}::int and ${high}::int offset 0) p
    group by w.group, p.block`
}

/** Postings by block and group. */
export class Postings {
  readonly #blocks = new Map<number, Map<number, PostingSet>>()

  /** Decodes rows, in several turns. */
  static async of(rows: readonly PostingRow[]): Promise<Postings> {
    const postings = new Postings()
    const turn = new Turn()
    for (const row of rows) {
      postings.#add(row)
      if (turn.isOver) await turn.next()
    }
    return postings
  }

  #add({ group, block, lists, bitmaps }: PostingRow): void {
    const groups = this.#blocks.get(block) ?? new Map<number, PostingSet>()
    const set = groups.get(group) ?? new PostingSet()
    if (lists) set.addLists(lists)
    if (bitmaps) set.addBitmaps(bitmaps)
    this.#blocks.set(block, groups.set(group, set))
  }

  /** The number of messages with a term of a group, in the blocks that were read. */
  countIn(group: number): number {
    let count = 0
    for (const groups of this.#blocks.values()) count += groups.get(group)?.size ?? 0
    return count
  }

  /** Whether a message has a term of each of the first groups. */
  has(id: number, groupCount: number): boolean {
    const groups = this.#blocks.get(blockOf(id))
    return groups?.size === groupCount && [...groups.values()].every((set) => set.has(id % BLOCK_LENGTH))
  }

  /** The messages with a term of each group that `isRead` in their block. Consumes the sets. */
  async intersect(
    groups: readonly number[],
    isRead: (group: number, block: number) => boolean = () => true,
  ): Promise<number[]> {
    const ids: number[] = []
    const turn = new Turn()
    for (const [block, sets] of this.#blocks) {
      const read = groups.filter((group) => isRead(group, block))
      const [first, ...others] = read.map((group) => sets.get(group))
      if (first && others.every((set) => set !== undefined)) {
        for (const set of others) first.intersect(set)
        for (const offset of first.offsets()) ids.push(block * BLOCK_LENGTH + offset)
      }
      if (turn.isOver) await turn.next()
    }
    return ids
  }
}

/** One turn of the event loop: long work yields to the rest of the process. */
class Turn {
  #startMs = performance.now()

  get isOver(): boolean {
    return performance.now() - this.#startMs >= TURN_MS_MAX
  }

  /** Resolves in a later turn, which then starts. */
  async next(): Promise<void> {
    await nextTurn()
    this.#startMs = performance.now()
  }
}
