/**
 * The door: identifies the caller of a request, counts it, and refuses it, by its head alone. Every carrier (HTTP
 * operations, resumable uploads, streams, files, pictures, forms) uses it, each with its policy.
 */

import { type DoorContext, Exchange, type Head } from './exchange.ts'
import { createRefusedCounts, type RefusedCounts } from './request-limits.ts'

/** Admits requests. */
export class Door {
  readonly context: DoorContext
  /** Requests that each limit refused. */
  readonly refused: RefusedCounts = createRefusedCounts()
  /** Whether browsers must reach this server by TLS alone. */
  readonly isTlsOnly: boolean

  constructor(context: DoorContext) {
    this.context = context
    this.isTlsOnly = context.publicUrl.startsWith('https:')
  }

  /** A request at the door. */
  receive(head: Head): Exchange {
    return new Exchange(head, this.context, this.refused)
  }
}
