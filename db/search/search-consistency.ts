/** Compares the search index with the messages that it should find. */

import { BLOCK_LENGTH, PostingSet } from '../../server/domain/search/posting-set.ts'
import { type IndexedMessage, SearchDraft } from '../../server/domain/search/search-draft.ts'
import type { Transaction } from '../connection/connect.ts'

/** Messages in one read. */
const PAGE_LENGTH = 500

/** The ids of indexed messages that lack one of their terms, or that have a term of another text. */
export async function findWronglyIndexed(tx: Transaction): Promise<number[]> {
  const [index] = await tx<{ throughId: number; blocks: number }[]>`
    select through_id as "throughId", coalesce((select max(block) + 1 from search_postings), 0) as blocks
    from search_index`
  const throughId = index?.throughId ?? 0
  const wrong: number[] = []
  const blocks = Math.max(index?.blocks ?? 0, Math.floor(throughId / BLOCK_LENGTH) + 1)
  for (let block = 0; block < blocks; block++) wrong.push(...(await compareBlock(tx, block, throughId)))
  return wrong
}

async function compareBlock(tx: Transaction, block: number, throughId: number): Promise<number[]> {
  const expected = await readExpected(tx, block, throughId)
  const changed = await readChanged(tx, block)
  const wrong = new Set<number>()
  const note = (offset: number) => {
    const id = block * BLOCK_LENGTH + offset
    if (!changed.has(id)) wrong.add(id)
  }
  const rows = tx<{ term: number; offsets: Buffer }[]>`
    select term, offsets from search_postings where block = ${block}`.cursor(PAGE_LENGTH)
  for await (const page of rows) {
    for (const { term, offsets } of page) {
      const stored = new PostingSet()
      stored.addStored(offsets)
      const wanted = expected.get(term) ?? new Set<number>()
      expected.delete(term)
      for (const offset of stored.offsets()) if (!wanted.delete(offset)) note(offset)
      for (const offset of wanted) note(offset)
    }
  }
  for (const wanted of expected.values()) for (const offset of wanted) note(offset)
  return [...wrong].sort((a, b) => a - b)
}

/** The offsets of each term in a block, from the messages themselves. */
async function readExpected(
  tx: Transaction,
  block: number,
  throughId: number,
): Promise<Map<number, Set<number>>> {
  const draft = new SearchDraft()
  const firstId = block * BLOCK_LENGTH
  const pages = tx<IndexedMessage[]>`
    select id, topic || ' ' || content as text, channel_id as "channelId", conversation_id as "conversationId",
      sender_id as "senderId"
    from messages where id between ${firstId} and ${Math.min(throughId, firstId + BLOCK_LENGTH - 1)}`.cursor(
    PAGE_LENGTH,
  )
  for await (const page of pages) for (const message of page) draft.add(message)
  const expected = new Map<number, Set<number>>()
  const add = (term: number, ids: readonly number[]) =>
    expected.set(term, new Set(ids.map((id) => id - firstId)))
  for (const [term, { added }] of draft.terms) add(term, added)
  const words = [...draft.words.keys()]
  const rows = await tx<{ id: number; word: string }[]>`
    select id, word from search_words where word = any(${words}::text[])`
  const ids = new Map(rows.map(({ id, word }) => [word, id]))
  let unknown = -(2 ** 52) // A word that the dictionary lacks has no postings either.
  for (const [word, { added }] of draft.words) add(ids.get(word) ?? unknown++, added)
  return expected
}

/** Messages that the index job has yet to update. */
async function readChanged(tx: Transaction, block: number): Promise<Set<number>> {
  const rows = await tx<{ id: number }[]>`
    select distinct message_id as id from search_changes where message_id / ${BLOCK_LENGTH}::bigint = ${block}`
  return new Set(rows.map(({ id }) => id))
}
