/** A request of the resumable protocol and its answer, independent of their transport. */

import type { User } from '../../domain/entities.ts'
import type { RequestBody } from '../request-body.ts'

/** A request of an identified user. */
export interface TusRequest {
  readonly user: User
  readonly method: string
  /** The key of the upload; undefined for the collection. */
  readonly key: string | undefined
  /** The protocol's headers. */
  readonly headers: Headers
  readonly body: RequestBody | undefined
  /** The address under which the client reached the server, without a trailing slash. */
  readonly origin: string
}

/** An answer of the resumable protocol. */
export interface TusAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  /** Called once, with whether the answer was written to a connected client. */
  readonly onEnd: ((isSent: boolean) => Promise<void>) | undefined
}
