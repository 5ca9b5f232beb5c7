/** Conversations: each set of users has one id. */

import type { ConversationId, EventId, MessageId, UserId } from '../../server/domain/ids.ts'
import type { Sql, Transaction } from '../connection/connect.ts'
import type { WriteBatch } from '../log/write-batch.ts'

/** The id of the conversation of these users, sorted, if it exists. */
export async function findConversation(
  sql: Sql | Transaction,
  userIds: readonly UserId[],
): Promise<ConversationId | undefined> {
  const [row] = await sql<{ id: ConversationId }[]>`
    select id from conversations where user_ids = ${[...userIds]}::int[]`
  return row?.id
}

/** The id of the conversation of these users, sorted; created on first use. */
export async function openConversation(
  sql: Sql | Transaction,
  userIds: readonly UserId[],
): Promise<ConversationId> {
  const found = await findConversation(sql, userIds)
  if (found !== undefined) return found
  const [made] = await sql<{ id: ConversationId }[]>`
    insert into conversations (user_ids) values (${[...userIds]}::int[])
    on conflict (user_ids) do update set user_ids = excluded.user_ids returning id`
  if (!made) throw new Error('an upsert answered no row')
  return made.id
}

/** A user's conversations with a message up to an event, most recent first. */
export async function readRecentConversations(
  sql: Sql,
  userId: UserId,
  asOf: EventId,
  countMax: number,
): Promise<{ userIds: UserId[]; newestId: MessageId }[]> {
  return sql<{ userIds: UserId[]; newestId: MessageId }[]>`
    select c.user_ids as "userIds", newest.id as "newestId"
    from conversations c, lateral (
      select m.id from messages m where m.conversation_id = c.id and m.id <= ${asOf} order by m.id desc limit 1) newest
    where c.user_ids @> array[${userId}::int] order by newest.id desc limit ${countMax}`
}

/** By user: everyone in a conversation with them that has messages, including themselves. */
export async function loadPartners(sql: Sql | Transaction): Promise<Map<UserId, Set<UserId>>> {
  const rows = await sql<{ userIds: UserId[] }[]>`
    select c.user_ids as "userIds" from conversations c
    where c.had_messages or exists (select from messages m where m.conversation_id = c.id)`
  const partners = new Map<UserId, Set<UserId>>()
  for (const { userIds } of rows) {
    for (const userId of userIds) {
      let existing = partners.get(userId)
      if (!existing) partners.set(userId, (existing = new Set()))
      for (const id of userIds) existing.add(id)
    }
  }
  return partners
}

/** Records, before messages are deleted, that their conversations had messages: none may be left to show it. */
export function noteConversationsOf(writes: WriteBatch, messageIds: readonly MessageId[]): void {
  writes.add(writes.sql`update conversations set had_messages = true where not had_messages and id in (
    select conversation_id from messages where id = any(${[...messageIds]}::bigint[]))`)
}

/** The conversations that include all of these users. */
export async function findConversationIds(sql: Sql, userIds: readonly UserId[]): Promise<ConversationId[]> {
  const rows = await sql<{ id: ConversationId }[]>`
    select id from conversations where user_ids @> ${[...userIds]}::int[]`
  return rows.map(({ id }) => id)
}
