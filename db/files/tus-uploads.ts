/** Resumable uploads, and their locks among processes. */

import type { ImportId, UserId } from '../../server/domain/ids.ts'
import { transact } from '../connection/collisions.ts'
import type { Sql, Transaction } from '../connection/connect.ts'

/** An upload in progress, or a complete one that is stored for clients that missed the answer. */
export interface TusUpload {
  readonly key: string
  /** Bytes; null until its client declares them. */
  readonly size: number | null
  /** The header Upload-Metadata as received; empty if it was missing. */
  readonly metadata: string
  readonly createdAtMs: number
  /** The answer to its last request; null until the file is a complete upload. */
  readonly reply: string | null
  readonly isAnswered: boolean
  /** The import that it is the archive of. */
  readonly importId: ImportId | null
}

/** Limits on one user's unfinished uploads. */
export interface UnfinishedBounds {
  readonly countMax: number
  /** Bytes of all together; an upload of unknown size counts as the maximum. */
  readonly bytesMax: number
  readonly bytesOfUnknown: number
}

/** The namespace of this module's advisory locks. */
const OWNERS_LOCK = 7_203_551

/** Records a new upload; returns whether the user may have one more of that size. */
export async function beginTusUpload(
  sql: Sql,
  ownerId: UserId,
  { key, size, metadata, createdAtMs }: Pick<TusUpload, 'key' | 'size' | 'metadata' | 'createdAtMs'>,
  { countMax, bytesMax, bytesOfUnknown }: UnfinishedBounds,
): Promise<boolean> {
  return transact(sql, async (tx) => {
    // One at a time per user: two at once would pass the same check.
    await tx`select pg_advisory_xact_lock(${OWNERS_LOCK}, ${ownerId})`
    const begun = await tx`
      insert into tus_uploads (key, owner_id, size, metadata, created_at)
      select ${key}, ${ownerId}, ${size}, ${metadata}, to_timestamp(${createdAtMs / 1000}::float8)
      from (
        select count(*) as count, coalesce(sum(coalesce(size, ${bytesOfUnknown})), 0) as bytes
        from tus_uploads where owner_id = ${ownerId} and reply is null and import_id is null
      ) others
      where others.count < ${countMax} and others.bytes + ${size ?? bytesOfUnknown} <= ${bytesMax}`
    return begun.count === 1
  })
}

/** Records the upload of the archive of an import, in the place of an earlier one, whose bytes are removed later. */
export async function beginArchive(
  sql: Sql,
  ownerId: UserId,
  {
    key,
    size,
    metadata,
    createdAtMs,
    importId,
  }: Omit<TusUpload, 'reply' | 'isAnswered'> & { readonly importId: ImportId },
): Promise<void> {
  await transact(sql, async (tx) => {
    await tx`
      with gone as (delete from tus_uploads where import_id = ${importId} and reply is null returning key)
      insert into removed_files (key) select key from gone on conflict do nothing`
    await tx`
      insert into tus_uploads (key, owner_id, size, metadata, created_at, import_id)
      values (${key}, ${ownerId}, ${size}, ${metadata}, to_timestamp(${createdAtMs / 1000}::float8), ${importId})`
  })
}

/** A user's own upload. */
export async function findTusUpload(sql: Sql, key: string, ownerId: UserId): Promise<TusUpload | undefined> {
  const [upload] = await sql<TusUpload[]>`
    select key, size, metadata, (extract(epoch from created_at) * 1000)::float8 as "createdAtMs", reply,
      is_answered as "isAnswered", import_id as "importId"
    from tus_uploads where key = ${key} and owner_id = ${ownerId}`
  return upload
}

/** Declares the size of an upload that began without one. */
export async function declareTusSize(sql: Sql, key: string, size: number): Promise<void> {
  await sql`update tus_uploads set size = ${size} where key = ${key} and size is null`
}

/** Stores the answer to the request that completed an upload. */
export async function storeTusReply(sql: Sql, key: string, reply: string): Promise<void> {
  await sql`update tus_uploads set reply = ${reply} where key = ${key}`
}

/** Records that the answer reached a connected client. */
export async function markTusAnswered(sql: Sql, key: string): Promise<void> {
  await sql`update tus_uploads set is_answered = true where key = ${key}`
}

/** Abandons an incomplete upload; its bytes are removed later. Returns whether it existed. */
export async function giveUpTusUpload(sql: Sql, key: string): Promise<boolean> {
  const given = await sql`
    with gone as (delete from tus_uploads where key = ${key} and reply is null returning key)
    insert into removed_files (key) select key from gone on conflict do nothing`
  return given.count > 0
}

/**
 * Expires up to `countMax` uploads that began before a time, oldest first: incomplete ones are abandoned, and complete
 * ones were answered long ago. Returns their number.
 */
export async function expireTusUploads(sql: Sql, before: Date, countMax: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with old as materialized (
      select key from tus_uploads where created_at < ${before} order by created_at limit ${countMax}
      for update skip locked
    ), gone as (
      delete from tus_uploads where key in (select key from old) returning key, reply
    ), given as (
      insert into removed_files (key)
      select key from gone
      -- An upload that was completed just before its process died belongs to another table.
      where reply is null and not exists (
        select from uploads u
        where u.state = 'whole' and split_part(u.path, '/', 2) || '/' || split_part(u.path, '/', 3) = gone.key
      ) and not exists (select from kept_files k where k.key = gone.key)
        and not exists (select from organization_imports i where i.state -> 'archive' ->> 'key' = gone.key)
      order by key on conflict do nothing
    )
    select count(*)::int as count from gone`
  return row?.count ?? 0
}

/** The holder of a process's locks: a transaction that lasts while there are any. */
interface Session {
  readonly tx: Promise<Transaction>
  users: number
  end(): void
}

/**
 * Locks on uploads among processes, all on one connection, which is in use only while there are any. If the process or
 * the connection dies, the database releases them at once.
 */
export class TusUploadLocks {
  readonly #sql: Sql
  #session: Session | undefined

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** Returns a release function, or undefined if another process has the lock. This process locks a key only once. */
  async tryLock(key: string): Promise<(() => Promise<void>) | undefined> {
    this.#session ??= this.#open()
    const session = this.#session
    session.users++
    try {
      const tx = await session.tx
      const [row] = await tx<{ isLocked: boolean }[]>`
        select pg_try_advisory_lock(hashtextextended(${key}, 0)) as "isLocked"`
      if (row?.isLocked) {
        return async () => {
          try {
            await tx`select pg_advisory_unlock(hashtextextended(${key}, 0))`
          } catch (error) {
            this.#drop(session)
            throw error
          } finally {
            this.#leave(session)
          }
        }
      }
    } catch (error) {
      this.#drop(session)
      this.#leave(session)
      throw error
    }
    this.#leave(session)
    return undefined
  }

  #open(): Session {
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const tx = new Promise<Transaction>((resolve, reject) => {
      this.#sql
        .begin(async (one) => {
          // The transaction idles for as long as uploads take.
          await one`set local idle_in_transaction_session_timeout = 0`
          resolve(one)
          await ended
        })
        .catch(reject)
    })
    return { tx, users: 0, end }
  }

  /** Abandons a failed connection. */
  #drop(session: Session): void {
    if (this.#session === session) this.#session = undefined
  }

  #leave(session: Session): void {
    if (--session.users > 0) return
    this.#drop(session)
    session.end()
  }
}
