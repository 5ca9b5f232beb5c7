/** Parts that can fail while people write. */

/** Everything that a set of parts needs to end; tasks run in reverse order. */
export interface Teardown {
  teardown(task: () => unknown): void
}

/** A failure of one part. */
export interface Outage {
  /** The part and its fault, for people. */
  readonly name: string
  /** Brings the fault about. */
  begin(): Promise<unknown>
  /** Brings the part back as an operator or a service manager does, and resolves once all is as before. */
  end(): Promise<unknown>
}

/** PostgreSQL that outlives one of its servers. */
export interface Databases {
  /** The address of all servers, for `DATABASE_URL`. */
  readonly url: string
  /** How it is kept available, for people. */
  readonly kind: string
  readonly outages: readonly Outage[]
}

/** Redis that outlives one of its servers. */
export interface SharedRedis {
  readonly url: string
  readonly outages: readonly Outage[]
}
