/** Uploads by the resumable protocol, and the locks on them that hold between processes. */

import type { UserId } from '../server/domain/ids.ts'
import type { Sql, Transaction } from './connect.ts'

/** An upload that arrives, or has arrived and is remembered for those who missed the answer. */
export interface TusUpload {
  readonly key: string
  /** Bytes; null as long as its client does not know. */
  readonly size: number | null
  /** The header Upload-Metadata, as it came; empty where there was none. */
  readonly metadata: string
  readonly createdAtMs: number
  /** What its last request was answered; null until the file is an upload like any other. */
  readonly reply: string | null
  readonly isAnswered: boolean
}

/** How much one user may have under way. */
export interface UnfinishedBounds {
  readonly countMax: number
  /** Of all together; those of unknown size count as much as one may have. */
  readonly bytesMax: number
  readonly bytesOfUnknown: number
}

/** Sets the locks of this module apart from others in the same database. */
const OWNERS_LOCK = 7_203_551

/** Notes an upload that begins; answers whether the user may have one more of that size. */
export async function beginTusUpload(
  sql: Sql,
  ownerId: UserId,
  { key, size, metadata, createdAtMs }: Pick<TusUpload, 'key' | 'size' | 'metadata' | 'createdAtMs'>,
  { countMax, bytesMax, bytesOfUnknown }: UnfinishedBounds,
): Promise<boolean> {
  return sql.begin(async (tx) => {
    // One at a time for each user, or two would be held against the same sum.
    await tx`select pg_advisory_xact_lock(${OWNERS_LOCK}, ${ownerId})`
    const begun = await tx`
      insert into tus_uploads (key, owner_id, size, metadata, created_at)
      select ${key}, ${ownerId}, ${size}, ${metadata}, to_timestamp(${createdAtMs / 1000}::float8)
      from (
        select count(*) as count, coalesce(sum(coalesce(size, ${bytesOfUnknown})), 0) as bytes
        from tus_uploads where owner_id = ${ownerId} and reply is null
      ) others
      where others.count < ${countMax} and others.bytes + ${size ?? bytesOfUnknown} <= ${bytesMax}`
    return begun.count === 1
  }) as Promise<boolean>
}

/** A user's own upload. */
export async function findTusUpload(sql: Sql, key: string, ownerId: UserId): Promise<TusUpload | undefined> {
  const [upload] = await sql<TusUpload[]>`
    select key, size, metadata, (extract(epoch from created_at) * 1000)::float8 as "createdAtMs", reply,
      is_answered as "isAnswered"
    from tus_uploads where key = ${key} and owner_id = ${ownerId}`
  return upload
}

/** Tells the size of an upload that began without one. */
export async function declareTusSize(sql: Sql, key: string, size: number): Promise<void> {
  await sql`update tus_uploads set size = ${size} where key = ${key} and size is null`
}

/** Keeps the answer to the request that made an upload whole. */
export async function storeTusReply(sql: Sql, key: string, reply: string): Promise<void> {
  await sql`update tus_uploads set reply = ${reply} where key = ${key}`
}

/** Notes that the answer went to a client that was there. */
export async function markTusAnswered(sql: Sql, key: string): Promise<void> {
  await sql`update tus_uploads set is_answered = true where key = ${key}`
}

/** Gives up an upload that is not whole; its bytes are to be removed. Answers whether there was one. */
export async function giveUpTusUpload(sql: Sql, key: string): Promise<boolean> {
  const given = await sql`
    with gone as (delete from tus_uploads where key = ${key} and reply is null returning key)
    insert into removed_files (key) select key from gone on conflict do nothing`
  return given.count > 0
}

/**
 * Forgets uploads that began before a time, the oldest first, so many at most: those that are not whole are given
 * up, the others have long been answered. Answers how many.
 */
export async function expireTusUploads(sql: Sql, before: Date, countMax: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with old as (
      select key from tus_uploads where created_at < ${before} order by created_at limit ${countMax}
      for update skip locked
    ), gone as (
      delete from tus_uploads where key in (select key from old) returning key, reply
    ), given as (
      insert into removed_files (key)
      select key from gone
      -- An upload that became whole when its process died is no longer this table's.
      where reply is null and not exists (
        select from uploads u
        where u.state = 'whole' and split_part(u.path, '/', 2) || '/' || split_part(u.path, '/', 3) = gone.key
      )
      on conflict do nothing
    )
    select count(*)::int as count from gone`
  return row?.count ?? 0
}

/** What holds the locks of a process: a transaction that lasts as long as there is one. */
interface Session {
  readonly tx: Promise<Transaction>
  users: number
  end(): void
}

/**
 * Locks on uploads between processes, all on one connection, which is taken while there are any. When the process
 * dies, or the connection, the database lets go of them at once.
 */
export class TusUploadLocks {
  readonly #sql: Sql
  #session: Session | undefined

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** Answers how to let go, or undefined where another process has the lock. The own process asks for a key once. */
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
          // It does nothing for as long as uploads take.
          await one`set local idle_in_transaction_session_timeout = 0`
          resolve(one)
          await ended
        })
        .catch(reject)
    })
    return { tx, users: 0, end }
  }

  /** A connection that failed is not asked again. */
  #drop(session: Session): void {
    if (this.#session === session) this.#session = undefined
  }

  #leave(session: Session): void {
    if (--session.users > 0) return
    this.#drop(session)
    session.end()
  }
}
