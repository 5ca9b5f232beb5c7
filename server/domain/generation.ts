/** What tells one run of the server from the one before: clients that lived through the change may want to start anew. */

/** A run of the server, by one process or by several one after another. */
export interface Generation {
  /** Grows from each to the next; the UNIX seconds at which it was told, as a rule. */
  readonly number: number
  readonly release: string
}
