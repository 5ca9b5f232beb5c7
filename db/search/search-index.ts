/** Maintains the search index: the job adds new messages, and updates edited, moved and deleted ones. */

import { BLOCK_LENGTH, blockOf } from '../../server/domain/search/posting-set.ts'
import { type IndexedMessage, SearchDraft } from '../../server/domain/search/search-draft.ts'
import { transact } from '../connection/collisions.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import { storeDraft } from './store-search-draft.ts'

/** Characters of changed messages per batch, and again of what they are now. */
const CHANGED_TEXT_LENGTH_MAX = 500_000
/** Characters of new messages per batch: some more than those of a block of short ones. */
const NEW_TEXT_LENGTH_MAX = 2_000_000
/** Terms from which no new message is added to a batch: each takes some 250 bytes, and rare characters come in any pair. */
const TERMS_MAX = 150_000
/** Characters whose terms are listed in one turn of the process, which may also serve clients: some milliseconds. */
const TURN_TEXT_LENGTH_MAX = 50_000

/**
 * Indexes a batch of changed and new messages, the new ones of one block; returns their number. Returns 0 while another
 * process does so.
 */
export async function indexNextMessages(sql: Sql, countMax: number): Promise<number> {
  return transact(sql, async (tx) => {
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
    const { draft, freshCount } = await draftOf(changed, current, fresh.messages)
    await storeDraft(tx, draft, throughId)
    const keys = changes.map(({ key }) => key)
    if (keys.length > 0) await tx`delete from search_changes where key = any(${keys}::bigint[])`
    const isWhole = freshCount === fresh.messages.length
    const indexedId = isWhole ? fresh.indexedId : (fresh.messages[freshCount - 1]?.id ?? throughId)
    if (indexedId > throughId) await tx`update search_index set through_id = ${indexedId}`
    return changes.length + freshCount
  })
}

/** The changes, and as many of the new messages as fit. */
async function draftOf(
  removed: readonly IndexedMessage[],
  added: readonly IndexedMessage[],
  fresh: readonly IndexedMessage[],
): Promise<{ readonly draft: SearchDraft; readonly freshCount: number }> {
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
  let freshCount = 0
  for (const message of fresh) {
    if (draft.words.size + draft.terms.size >= TERMS_MAX) break
    draft.add(message)
    freshCount++
    await endTurn(message.text)
  }
  return { draft, freshCount }
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
    where before < ${CHANGED_TEXT_LENGTH_MAX} order by key`
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
    where before < ${NEW_TEXT_LENGTH_MAX} order by id`
  const count = rows[0]?.count ?? 0
  const isComplete = rows.length === count && count < countMax
  return { messages: rows, indexedId: isComplete ? endId : (rows.at(-1)?.id ?? throughId) }
}
