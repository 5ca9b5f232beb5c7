/** Maintains the search index: the job adds new messages, and updates edited, moved and deleted ones. */

import { BLOCK_LENGTH, blockOf, changeStored } from '../server/domain/posting-set.ts'
import { type IndexedMessage, SearchDraft, type TermChange } from '../server/domain/search-draft.ts'
import type { Sql, Transaction } from './connect.ts'

/** Characters of messages per batch: one of long messages ends early, so that it needs little memory. */
const BATCH_TEXT_LENGTH_MAX = 2_000_000
/** Characters whose terms are listed in one turn of the process, which may also serve clients: some milliseconds. */
const TURN_TEXT_LENGTH_MAX = 50_000
/** Postings per statement: they are encoded in one turn of the process, in some milliseconds. */
const SLICE_LENGTH = 2_000

/** The postings of a term in a block, before and after. */
interface PostingChange {
  readonly term: number
  readonly block: number
  readonly added: readonly number[]
  readonly removed: readonly number[]
}

/**
 * Indexes a batch of changed and new messages, the new ones of one block; returns their number. Returns 0 while another
 * process does so.
 */
export async function indexNextMessages(sql: Sql, countMax: number): Promise<number> {
  return (await sql.begin(async (tx) => {
    const [index] = await tx<{ throughId: number }[]>`
      select through_id as "throughId" from search_index for update skip locked`
    if (!index) return 0
    const { throughId } = index
    // Ids follow the order of commits: the next statements see every message up to this one.
    const [counter] = await tx<{ lastId: number }[]>`select last_id as "lastId" from event_counter`
    const lastId = counter?.lastId ?? 0
    const changes = await readChanges(tx, countMax)
    const changed = changes.filter(({ id }) => id <= throughId)
    // Read after the changes: a later edit has a later change.
    const current = await readMessages(tx, [...new Set(changed.map(({ id }) => id))])
    const fresh = await readNewMessages(tx, throughId, lastId, countMax)
    await store(tx, await draftOf(changed, [...current, ...fresh.messages]), throughId)
    const keys = changes.map(({ key }) => key)
    if (keys.length > 0) await tx`delete from search_changes where key = any(${keys}::bigint[])`
    const { indexedId } = fresh
    if (indexedId > throughId) await tx`update search_index set through_id = ${indexedId}`
    return changes.length + fresh.messages.length
  })) as number
}

async function draftOf(
  removed: readonly IndexedMessage[],
  added: readonly IndexedMessage[],
): Promise<SearchDraft> {
  const draft = new SearchDraft()
  let length = 0
  const endTurn = async (text: string) => {
    length += text.length
    if (length < TURN_TEXT_LENGTH_MAX) return
    length = 0
    await new Promise(setImmediate)
  }
  for (const message of removed) {
    draft.remove(message)
    await endTurn(message.text)
  }
  for (const message of added) {
    draft.add(message)
    await endTurn(message.text)
  }
  return draft
}

const columns = (tx: Transaction) =>
  tx`m.id, m.topic || ' ' || m.content as text, m.channel_id as "channelId",
    m.conversation_id as "conversationId", m.sender_id as "senderId"`

async function readChanges(
  tx: Transaction,
  countMax: number,
): Promise<(IndexedMessage & { readonly key: number })[]> {
  return tx`
    select key, id, text, "channelId", "conversationId", "senderId" from (
      select key, message_id as id, text, channel_id as "channelId", conversation_id as "conversationId",
        sender_id as "senderId", sum(length(text)) over (order by key) - length(text) as before
      from (select * from search_changes order by key limit ${countMax}) c) c
    where before < ${BATCH_TEXT_LENGTH_MAX} order by key`
}

async function readMessages(tx: Transaction, ids: readonly number[]): Promise<IndexedMessage[]> {
  if (ids.length === 0) return []
  return tx`select ${columns(tx)} from messages m where m.id = any(${[...ids]}::bigint[])`
}

/** New messages of the first block that has any, and the id up to which there are no others. */
async function readNewMessages(
  tx: Transaction,
  throughId: number,
  lastId: number,
  countMax: number,
): Promise<{ readonly messages: readonly IndexedMessage[]; readonly indexedId: number }> {
  const [first] = await tx<{ id: number | null }[]>`
    select min(id) as id from messages where id > ${throughId} and id <= ${lastId}`
  if (!first?.id) return { messages: [], indexedId: lastId }
  const endId = Math.min(lastId, (blockOf(first.id) + 1) * BLOCK_LENGTH - 1)
  const rows = await tx<(IndexedMessage & { count: number })[]>`
    select id, text, "channelId", "conversationId", "senderId", count from (
      select n.*, sum(length(text)) over (order by id) - length(text) as before, count(*) over ()::int as count
      from (select ${columns(tx)} from messages m where m.id > ${throughId} and m.id <= ${endId}
        order by m.id limit ${countMax}) n) n
    where before < ${BATCH_TEXT_LENGTH_MAX} order by id`
  const count = rows[0]?.count ?? 0
  const isComplete = rows.length === count && count < countMax
  return { messages: rows, indexedId: isComplete ? endId : (rows.at(-1)?.id ?? throughId) }
}

/** Stores the changes of messages up to `throughId`, which the index has, and of new ones. */
async function store(tx: Transaction, draft: SearchDraft, throughId: number): Promise<void> {
  const ids = await ensureWords(tx, [...draft.words.keys()])
  const terms = new Map(draft.terms)
  for (const [word, change] of draft.words) terms.set(ids.get(word) as number, change)
  const changes = [...terms].flatMap(([term, change]) => inBlocks(term, change))
  // In key order, so that neighbours are written together.
  changes.sort((a, b) => a.term - b.term || a.block - b.block)
  for (const slice of slicesOf(changes)) await storePostings(tx, slice, blockOf(throughId))
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

async function storePostings(
  tx: Transaction,
  changes: readonly PostingChange[],
  lastBlock: number,
): Promise<void> {
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
  if (emptied.length > 0) await removePostings(tx, emptied)
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
