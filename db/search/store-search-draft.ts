/** Writes a batch of changes to the search index: the new words, and the postings of each term. */

import { BLOCK_LENGTH, blockOf, changeStored } from '../../server/domain/search/posting-set.ts'
import type { SearchDraft, TermChange } from '../../server/domain/search/search-draft.ts'
import type { Transaction } from '../connection/connect.ts'

/** Postings per statement: they are encoded in one turn of the process, in some milliseconds. */
const SLICE_LENGTH = 2_000

/** The postings of a term in a block, before and after. */
interface PostingChange {
  readonly term: number
  readonly block: number
  readonly added: readonly number[]
  readonly removed: readonly number[]
}

/** Stores the changes of messages up to `throughId`, which the index has, and of new ones. */
export async function storeDraft(tx: Transaction, draft: SearchDraft, throughId: number): Promise<void> {
  const ids = await ensureWords(tx, [...draft.words.keys()])
  const terms = new Map(draft.terms)
  for (const [word, change] of draft.words) terms.set(ids.get(word) as number, change)
  const changes = [...terms].flatMap(([term, change]) => inBlocks(term, change))
  // In key order, so that neighbours are written together.
  changes.sort((a, b) => a.term - b.term || a.block - b.block)
  const emptied: PostingChange[] = []
  for (const slice of slicesOf(changes)) emptied.push(...(await storePostings(tx, slice, blockOf(throughId))))
  // Only now, since a word may have gone to a message of a later slice.
  if (emptied.length > 0) await removePostings(tx, emptied)
}

/** The ids of words; adds missing words to the dictionary. */
async function ensureWords(tx: Transaction, words: readonly string[]): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  let isLonger = false
  for (const slice of slicesOf(words)) {
    const existing = await tx<{ id: number; word: string }[]>`
      select id, word from search_words where word = any(${slice}::text[])`
    for (const { id, word } of existing) ids.set(word, id)
    const missing = slice.filter((word) => !ids.has(word))
    if (missing.length === 0) continue
    const added = await tx<{ id: number; word: string }[]>`
      insert into search_words (word) select unnest(${missing}::text[]) returning id, word`
    for (const { id, word } of added) ids.set(word, id)
    isLonger = true
  }
  // Searches would read the list of new words entry by entry.
  if (isLonger) await tx`select gin_clean_pending_list('search_words_grams')`
  return ids
}

function slicesOf<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / SLICE_LENGTH) }, (_, index) =>
    items.slice(index * SLICE_LENGTH, (index + 1) * SLICE_LENGTH),
  )
}

function inBlocks(term: number, { added, removed }: TermChange): PostingChange[] {
  const blocks = new Map<number, { added: number[]; removed: number[] }>()
  const blockFor = (id: number) => {
    const existing = blocks.get(blockOf(id))
    if (existing) return existing
    const block = { added: [], removed: [] }
    blocks.set(blockOf(id), block)
    return block
  }
  for (const id of added) blockFor(id).added.push(id % BLOCK_LENGTH)
  for (const id of removed ?? []) blockFor(id).removed.push(id % BLOCK_LENGTH)
  return [...blocks].map(([block, change]) => ({
    term,
    block,
    added: change.added.sort((a, b) => a - b),
    removed: change.removed,
  }))
}

/** Returns the changes that leave no posting. */
async function storePostings(
  tx: Transaction,
  changes: readonly PostingChange[],
  lastBlock: number,
): Promise<PostingChange[]> {
  // Later blocks have no postings yet.
  const before = await readStored(
    tx,
    changes.filter(({ block }) => block <= lastBlock),
  )
  const changed: PostingChange[] = []
  const stored: string[] = []
  const emptied: PostingChange[] = []
  for (const change of changes) {
    const offsets = changeStored(before.get(keyOf(change)) ?? Buffer.alloc(0), change.added, change.removed)
    if (offsets.length === 0) emptied.push(change)
    else {
      changed.push(change)
      stored.push(Buffer.from(offsets).toString('hex'))
    }
  }
  if (changed.length > 0)
    await tx`
      insert into search_postings (term, block, offsets)
      select term, block, decode(offsets, 'hex')
      from unnest(${changed.map(({ term }) => term)}::bigint[], ${changed.map(({ block }) => block)}::int[],
        ${stored}::text[]) as n (term, block, offsets)
      on conflict (term, block) do update set offsets = excluded.offsets`
  return emptied
}

const keyOf = ({ term, block }: { term: number; block: number }) => `${term}:${block}`

/** The stored postings of terms, by their keys. */
async function readStored(
  tx: Transaction,
  changes: readonly PostingChange[],
): Promise<ReadonlyMap<string, Buffer>> {
  if (changes.length === 0) return new Map()
  const rows = await tx<{ term: number; block: number; offsets: Buffer }[]>`
    select p.term, p.block, p.offsets
    from unnest(${changes.map(({ term }) => term)}::bigint[], ${changes.map(({ block }) => block)}::int[])
      as wanted (term, block)
    join search_postings p on p.term = wanted.term and p.block = wanted.block`
  return new Map(rows.map((row) => [keyOf(row), row.offsets]))
}

/** Removes empty rows, and words without postings. */
async function removePostings(tx: Transaction, emptied: readonly PostingChange[]): Promise<void> {
  const terms = emptied.map(({ term }) => term)
  await tx`
    delete from search_postings p
    using unnest(${terms}::bigint[], ${emptied.map(({ block }) => block)}::int[]) as gone (term, block)
    where p.term = gone.term and p.block = gone.block`
  await tx`
    delete from search_words w where w.id = any(${terms}::bigint[])
      and not exists (select 1 from search_postings p where p.term = w.id)`
}
