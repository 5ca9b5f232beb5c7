/** Asks a server of PostgreSQL whether it takes changes. */

import type postgresType from 'postgres'
import type { DatabaseAddress, DatabaseHost } from '../../server/domain/settings/database-address.ts'
import { postgres } from '../postgres.ts'
import { failingSocket, openSocket } from './open-socket.ts'

/** A server that takes longer is away. */
const ANSWER_MS_MAX = 2_000
/** Wait after a lost connection, for which a question waits. */
const RECONNECT_SECONDS = 0.1

/** SQLSTATEs of hosts that hide the position of the log: undefined function, missing privilege, unsupported feature. */
const HIDDEN_CODES = ['42883', '42501', '0A000']

/** Asks one server over a connection of its own. */
export class ServerAsker {
  readonly place: DatabaseHost
  readonly #address: DatabaseAddress
  #sql: postgresType.Sql | undefined
  #isEnded = false
  #asking: Promise<string | undefined> | undefined
  /** Whether the last question got no answer in time: the next may wait as long for nothing. */
  isSilent = false

  constructor(place: DatabaseHost, address: DatabaseAddress) {
    this.place = place
    this.#address = address
  }

  /** The timeline of the server's log if it takes changes, empty if it hides that; undefined for a standby. */
  ask(): Promise<string | undefined> {
    // One question at a time: the first of several to time out would end the connection of the others, as if it were lost.
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  async #ask(): Promise<string | undefined> {
    const sql = (this.#sql ??= this.#connect())
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => late.reject(Object.assign(new Error('the server does not answer'), { code: 'CONNECT_TIMEOUT' })),
      ANSWER_MS_MAX,
    )
    try {
      const timeline = await Promise.race([readTimeline(sql), late.promise])
      this.isSilent = false
      return timeline
    } catch (error) {
      this.isSilent = (error as { code?: unknown }).code === 'CONNECT_TIMEOUT'
      // A hanging connection may hang for ever: the next question opens a new one.
      if (this.#sql === sql) this.#sql = undefined
      void sql.end({ timeout: 0 })
      throw error
    } finally {
      clearTimeout(timer)
      if (this.#isEnded) this.end()
    }
  }

  end(): void {
    this.#isEnded = true
    void this.#sql?.end({ timeout: 0 })
    this.#sql = undefined
  }

  #connect(): postgresType.Sql {
    const { database, user, password, options, tls } = this.#address
    const { host, port } = this.place
    return postgres({
      host: [host] as unknown as string,
      port: [port] as unknown as number,
      ...(database === undefined ? {} : { database }),
      ...(user === undefined ? {} : { user }),
      ...(password === undefined ? {} : { password }),
      ...({ socket: () => openSocket(this.place, tls, ANSWER_MS_MAX).catch(failingSocket) } as object),
      ssl: false, // The socket has it.
      max: 1,
      connect_timeout: ANSWER_MS_MAX / 1_000,
      backoff: () => RECONNECT_SECONDS,
      onnotice: () => {},
      connection: { application_name: 'parley-primary', ...(options === undefined ? {} : { options }) },
      fetch_types: false,
    } as postgresType.Options<Record<string, never>>) as unknown as postgresType.Sql
  }
}

async function readTimeline(sql: postgresType.Sql): Promise<string | undefined> {
  const [row] = await sql<{ isPrimary: boolean }[]>`
    select not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off' as "isPrimary"`
  if (!row?.isPrimary) return undefined
  try {
    const [log] = await sql<
      { timeline: string }[]
    >`select left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline`
    return log?.timeline ?? ''
  } catch (error) {
    if (error instanceof postgres.PostgresError && HIDDEN_CODES.includes(error.code)) return ''
    throw error
  }
}
