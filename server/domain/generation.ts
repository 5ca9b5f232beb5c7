/** Generations of the server: after a restart some clients want to reload. */

/** One run of the server, by one process or several in a row. */
export interface Generation {
  /** Increases with each restart that clients are notified of; by default the UNIX seconds of its start. */
  readonly number: number
  readonly release: string
}
