/** Remembers what came from other products: a repeated or interrupted import adds only what is missing. */

import { hash } from 'node:crypto'
import type { EventId, MessageId } from '../../server/domain/ids.ts'
import type { Place } from '../../server/domain/messages/places.ts'
import type { InSql, WriteBatch } from '../log/write-batch.ts'
import type { Sql } from '../connection/connect.ts'

/** A thing of another product: the MD5 of its name there, as a UUID. */
export type ImportKey = string

/** The key of a thing, such as `slack`, `user`, `U123`. */
export function importKey(...parts: readonly string[]): ImportKey {
  const hex = hash('md5', JSON.stringify(parts), 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The ids of those keys that were imported. */
export async function findImported(
  sql: Sql,
  keys: readonly ImportKey[],
): Promise<ReadonlyMap<ImportKey, number>> {
  if (keys.length === 0) return new Map()
  const rows = await sql<{ key: ImportKey; id: number }[]>`
    select key::text as key, id from imported_ids where key = any(${[...keys]}::uuid[])`
  return new Map(rows.map(({ key, id }) => [key, id]))
}

/** The present topics of imported messages, by their keys; without those that were deleted. */
export async function findImportedTopics(
  sql: Sql,
  keys: readonly ImportKey[],
): Promise<ReadonlyMap<ImportKey, { readonly channelId: number | null; readonly topic: string }>> {
  if (keys.length === 0) return new Map()
  const rows = await sql<{ key: ImportKey; channelId: number | null; topic: string }[]>`
    select i.key::text as key, m.channel_id as "channelId", m.topic
    from imported_ids i join messages m on m.id = i.id where i.key = any(${[...keys]}::uuid[])`
  return new Map(rows.map(({ key, ...place }) => [key, place]))
}

/** The present places of imported messages, by their keys; without those that were deleted. */
export async function findImportedMessages(
  sql: Sql,
  keys: readonly ImportKey[],
): Promise<ReadonlyMap<ImportKey, { readonly id: MessageId; readonly place: Place }>> {
  if (keys.length === 0) return new Map()
  const rows = await sql<{ key: ImportKey; id: MessageId; place: Place }[]>`
    select i.key::text as key, m.id, coalesce(m.channel_id * 2, m.conversation_id * 2 + 1) as place
    from imported_ids i join messages m on m.id = i.id where i.key = any(${[...keys]}::uuid[])`
  return new Map(rows.map(({ key, ...message }) => [key, message]))
}

/** A batch is imported already: another import runs, or PostgreSQL had yet to end the batch of one that was killed. */
class ImportedMeanwhileError extends Error {
  override readonly name = 'ImportedMeanwhileError'

  constructor() {
    super('another import has brought a part of this over meanwhile: start this one again when it is done')
  }
}

/** Records what a batch imports; if some of it is recorded already, the batch fails by `ImportedMeanwhileError`. */
export function storeImported(
  writes: WriteBatch,
  imported: readonly (readonly [key: ImportKey, id: number])[],
): void {
  if (imported.length === 0) return
  const keys = imported.map(([key]) => key)
  const rows = writes.sql`
    insert into imported_ids (key, id)
    select * from unnest(${keys}::uuid[], ${imported.map(([, id]) => id)}::bigint[]) on conflict do nothing`
  writes.change(rows, keys.length, () => new ImportedMeanwhileError())
}

/** Events of a batch by their places in it, from 0: their ids are known only when it is written. */
type EventKeys = readonly (readonly [key: ImportKey, place: number])[]

/** The same for events of the batch, of which `firstId` is the first one's id. */
export function storeImportedEvents(writes: WriteBatch, firstId: InSql<EventId>, imported: EventKeys): void {
  const rows = writes.sql`
    insert into imported_ids (key, id)
    select key, ${firstId} + place from ${placesOf(writes, imported)} on conflict do nothing`
  writes.change(rows, imported.length, () => new ImportedMeanwhileError())
}

/** Records the first messages of threads; those of a thread whose messages were deleted begin it anew. */
export function storeThreads(writes: WriteBatch, firstId: InSql<EventId>, threads: EventKeys): void {
  if (threads.length === 0) return
  writes.add(writes.sql`
    insert into imported_ids (key, id)
    select key, ${firstId} + place from ${placesOf(writes, threads)}
    on conflict (key) do update set id = excluded.id`)
}

function placesOf({ sql }: WriteBatch, keys: EventKeys) {
  return sql`unnest(${keys.map(([key]) => key)}::uuid[], ${keys.map(([, place]) => place)}::int[]) as t (key, place)`
}

/** The given topics that have messages, each as `channel/topic` with its key of comparison. */
export async function findTakenTopics(
  sql: Sql,
  topics: readonly { readonly channelId: number; readonly topic: string }[],
): Promise<ReadonlySet<string>> {
  if (topics.length === 0) return new Set()
  const rows = await sql<{ channelId: number; topic: string }[]>`
    select "channelId", topic from unnest(${topics.map(({ channelId }) => channelId)}::int[],
      ${topics.map(({ topic }) => topic)}::text[]) as t ("channelId", topic)
    where exists (select from messages m where m.channel_id = "channelId" and lower(m.topic) = lower(t.topic))`
  return new Set(rows.map(({ channelId, topic }) => `${channelId}/${topic}`))
}
